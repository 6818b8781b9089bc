/** Interventions: roles and visibility, and those that an outside charging system executes. */

import { describe, expect, it } from 'vitest'
import type { ChargingConnector, ChargingSystem } from '#core/charging/charging.ts'
import { COLUMNS } from '#core/transactions/columns.ts'
import type { TransactionRow } from '#core/transactions/kind.ts'
import { finalizeIntervention, intervene } from '#core/transactions/settle/intervene.ts'
import { REWARD } from '#subgraphs/loyalty/kind.ts'
import {
  ask,
  eventsOf,
  expectRefused,
  NUMBER,
  operate,
  partner,
  pointsOf,
  post,
  stack,
  statusOf,
  useInterventions,
} from './interventions.ts'

useInterventions()

describe('who may, and who sees it', () => {
  it.each(['cancelTransaction', 'reverseTransaction'] as const)(
    'INT-11 %s is for portals whose token is bound to no number',
    async field => {
      const kind = field === 'cancelTransaction' ? 'PAYMENT' : 'REWARD'
      const id = await post(kind)
      await stack.settled()
      const before = await statusOf(kind, id)
      const bound = { id: `int-bound-${field}`, role: 'portal', phoneNumber: NUMBER } as const
      for (const token of [partner, await stack.token('demo-analyst'), await stack.token(bound)]) {
        const { transaction, error } = await operate(field, id, { token })
        expect(transaction).toBeNull()
        expectRefused(error, 'PERMISSION_DENIED', 'ROLE_NOT_PERMITTED', field)
      }
      expect(await statusOf(kind, id)).toEqual(before)
    },
  )

  it.each([
    ['an id that nothing has', '01a201e4-38e5-76b6-8624-dd60c8fd73e4', 'Why', 'NOT_FOUND', 'NOT_FOUND'],
    ['what is no id', 'x', 'Why', 'NOT_FOUND', 'NOT_FOUND'],
    ['no reason', '', '  ', 'INVALID_ARGUMENT', 'TOO_SHORT'],
    ['a reason of 257 characters', '', 'a'.repeat(257), 'INVALID_ARGUMENT', 'TOO_LONG'],
    ['a reason that no database holds', '', 'a\u0000', 'INVALID_ARGUMENT', 'BAD_CHARACTERS'],
  ])('INT-12 refuses %s', async (_, id, reason, code, why) => {
    const { error } = await operate('cancelTransaction', id || (await post('PAYMENT')), { reason })
    expectRefused(error, code, why, '')
  })

  it('INT-13 a partner reads why, portal and analyst read who', async () => {
    const id = await post('REWARD', 2)
    await stack.settled()
    await operate('reverseTransaction', id, { reason: 'Given twice' })
    const query = `{ reward(rewardId: "${id}") { reason interventions { reason by { id } } } transaction(id: "${id}") { reason } }`
    const reason = 'Reversed by the operator: Given twice'
    const mine = await ask(query, partner)
    expect(mine.data).toEqual({ reward: { reason, interventions: null }, transaction: { reason } })
    expect(mine.errors).toMatchObject([
      { path: ['reward', 'interventions'], extensions: { code: 'PERMISSION_DENIED' } },
    ])
    for (const client of ['demo-portal', 'demo-analyst']) {
      const { data, errors } = await ask(query, await stack.token(client))
      expect(errors).toEqual([])
      expect(data.reward).toEqual({
        reason,
        interventions: [{ reason: 'Given twice', by: { id: 'demo-portal' } }],
      })
    }
  })
})

describe('with an outside charging system', () => {
  const unused = async () => {
    throw new Error('called within a transaction')
  }
  const outside: ChargingConnector = {
    embedded: false,
    name: 'outside',
    unavailable: () => undefined,
    submit: unused,
    cancel: unused,
    start: unused,
    stop: unused,
  }
  const intervention = (transactionId: string) => ({
    transactionId,
    action: 'REVERSE' as const,
    clientId: 'demo-portal',
    correlator: 'desk-1',
    reason: 'Given twice',
  })
  const ask = (id: string, charging: ChargingSystem = outside) =>
    stack.app.db.$transaction(tx => intervene(tx, charging, REWARD, intervention(id)))
  const end = (id: string, result: Parameters<typeof finalizeIntervention>[3]['result']) =>
    stack.app.db.$transaction(async tx => {
      const [row] = await tx.$queryRaw<TransactionRow<never>[]>`
        SELECT ${COLUMNS} FROM loyalty.reward t WHERE t.id = ${id}::uuid FOR UPDATE`
      return finalizeIntervention(tx, REWARD, intervention(id), { row: row!, result })
    })
  const kept = (id: string) => stack.app.db.intervention.findMany({ where: { transactionId: id } })

  it('INT-14 records what is requested, and does it once that system confirms', async () => {
    const id = await post('REWARD', 3)
    await stack.settled()
    const points = await pointsOf()
    expect(await ask(id)).toMatchObject({ isChanged: false, row: { status: 'success' } })
    const [wanted] = await kept(id)
    expect(wanted).toMatchObject({ action: 'REVERSE', kind: 'REWARD', carriedOutAt: null, refusal: null })
    expect(await eventsOf(id)).toHaveLength(1)
    await end(id, { outcome: 'done' })
    expect(await statusOf('REWARD', id)).toMatchObject({ transactionOperationStatus: 'reversed' })
    expect(await kept(id)).toEqual([{ ...wanted, carriedOutAt: expect.any(Date) }])
    expect(await eventsOf(id)).toHaveLength(2)
    expect(await pointsOf()).toBe(points)
  })

  it('INT-15 what that system refuses stays as it is, with the reason, and may be requested anew', async () => {
    const id = await post('REWARD', 3)
    await stack.settled()
    await ask(id)
    await end(id, { outcome: 'declined', reason: 'The points were spent' })
    expect(await kept(id)).toMatchObject([{ refusal: 'The points were spent', carriedOutAt: null }])
    expect(await statusOf('REWARD', id)).toMatchObject({ transactionOperationStatus: 'success' })
    expect(await eventsOf(id)).toHaveLength(1)
    await ask(id)
    expect(await kept(id)).toMatchObject([{ refusal: null, carriedOutAt: null }])
  })
})
