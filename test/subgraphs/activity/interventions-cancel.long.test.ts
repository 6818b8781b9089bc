/** Cancellation by an operator's portal: pending transactions, once and exactly. */

import { describe, expect, it } from 'vitest'
import { readBalances } from '#core/charging/booking.ts'
import {
  eventsOf,
  expectRefused,
  fixtureOf,
  operate,
  pointsOf,
  post,
  stack,
  statusOf,
  useInterventions,
} from './interventions.ts'

useInterventions()

const serviceOf = (kind: string) => stack.server.services.find(({ name }) => name === fixtureOf(kind).name)!

const duesOf = async () =>
  (await readBalances(stack.app.db, [{ kind: 'dues', owner: '100003', currency: 'OMR' }]))[0]!.toNumber()

/** Keeps what is posted of a kind from being settled meanwhile. */
const unsettled = async (kind: string, act: () => Promise<void>) => {
  const service = serviceOf(kind)
  await service.stop()
  try {
    await act()
  } finally {
    await service.start()
    await service.settled()
  }
}

describe('cancelTransaction', () => {
  it.each(['PAYMENT', 'REWARD', 'REDEMPTION'])(
    'INT-01 ends a %s that waits, which is never charged then',
    async kind => {
      const before = [await pointsOf(), await duesOf()]
      let id = ''
      await unsettled(kind, async () => {
        id = await post(kind)
        const { transaction, error } = await operate('cancelTransaction', id, {
          reason: '  The customer paid elsewhere ',
          headers: { 'x-correlator': `desk-${kind}` },
        })
        expect(error).toBeUndefined()
        const sentence = 'Cancelled by the operator: The customer paid elsewhere'
        expect(transaction).toEqual({
          id,
          kind,
          outcome: 'CANCELLED',
          transactionOperationStatus: 'cancelled',
          reason: sentence,
          completedAt: expect.any(String),
          interventions: [
            {
              action: 'CANCEL',
              reason: 'The customer paid elsewhere',
              by: { id: 'demo-portal', name: 'Demo portal' },
              correlator: `desk-${kind}`,
              requestedAt: expect.any(String),
              carriedOutAt: transaction.completedAt,
              refusal: null,
            },
          ],
        })
      })
      expect(await statusOf(kind, id)).toMatchObject({ transactionOperationStatus: 'cancelled' })
      expect(await eventsOf(id)).toEqual([
        ['PAYMENT_FAILED', 'cancelled', 'Cancelled by the operator: The customer paid elsewhere'],
      ])
      expect([await pointsOf(), await duesOf()]).toEqual(before)
      expect(await stack.app.db.ledgerEntry.count({ where: { transactionId: id } })).toBe(0)
    },
  )

  it.each([
    ['PAYMENT', 'it is succeeded, and cancelled cannot follow that'],
    ['REWARD', 'it is success, and cancelled cannot follow that'],
    ['RECHARGE', 'no recharge can be'],
    ['MESSAGE', 'no message can be'],
  ])('INT-02 refuses a %s that was carried out: %s', async (kind, why) => {
    const id = await post(kind)
    await stack.settled()
    const before = await statusOf(kind, id)
    const { transaction, error } = await operate('cancelTransaction', id)
    expect(transaction).toBeNull()
    expectRefused(error, 'INVALID_ARGUMENT', 'NOT_CANCELLABLE', why)
    expect(await statusOf(kind, id)).toEqual(before)
    expect(await eventsOf(id)).toHaveLength(1)
    expect(await stack.app.db.intervention.count({ where: { transactionId: id } })).toBe(0)
  })

  it('INT-03 requested again has the same result, and nothing happens twice', async () => {
    await unsettled('REWARD', async () => {
      const id = await post('REWARD')
      const first = await operate('cancelTransaction', id, { reason: 'First' })
      const again = await operate('cancelTransaction', id.toUpperCase(), { reason: 'Second' })
      expect(again.error).toBeUndefined()
      expect(again.transaction).toEqual(first.transaction)
      expect(await eventsOf(id)).toHaveLength(1)
    })
  })

  it('INT-04 many at once, while all are being settled: each is cancelled or charged, and the books say which', async () => {
    const before = await pointsOf()
    const service = serviceOf('REWARD')
    await service.stop()
    const ids = await Promise.all(Array.from({ length: 24 }, () => post('REWARD', 1)))
    const [cancelled] = await Promise.all([
      Promise.all(ids.flatMap(id => [operate('cancelTransaction', id), operate('cancelTransaction', id)])),
      service.start(),
    ])
    await service.settled()
    const statuses = await Promise.all(
      ids.map(async id => (await statusOf('REWARD', id)).transactionOperationStatus),
    )
    for (const [index, status] of statuses.entries()) {
      const answers = cancelled.slice(2 * index, 2 * index + 2)
      const told = answers.map(
        ({ transaction, error }) => transaction?.transactionOperationStatus ?? error.extensions.code,
      )
      expect(told, JSON.stringify(answers)).toEqual(
        Array(2).fill(status === 'cancelled' ? 'cancelled' : 'INVALID_ARGUMENT'),
      )
      expect(['cancelled', 'success']).toContain(status)
    }
    const charged = ids.filter((_, index) => statuses[index] === 'success')
    expect(await stack.app.db.ledgerEntry.count({ where: { transactionId: { in: ids } } })).toBe(
      charged.length,
    )
    expect(await pointsOf()).toBe(before + charged.length)
    expect(await stack.app.db.event.count({ where: { transactionId: { in: ids } } })).toBe(ids.length)
  })
})
