/** What an operator's portal may do to a transaction: cancel it before it is carried out, take it back after; once, exactly, and with its name. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REWARD } from '../../../subgraphs/loyalty/kind.ts'
import { readBalances } from '../../../subgraphs/shared/charging/balances.ts'
import type { ChargingConnector, ChargingSystem } from '../../../subgraphs/shared/charging/charging.ts'
import { COLUMNS } from '../../../subgraphs/shared/transactions/columns.ts'
import { endIntervention, intervene } from '../../../subgraphs/shared/transactions/intervene.ts'
import type { TransactionRow } from '../../../subgraphs/shared/transactions/kind.ts'
import { graphOf, INTERFACES, restOf } from '../../support/both-interfaces.ts'
import { withField } from '../../support/fields.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import type { GraphError } from '../../support/graph.ts'
import { type Stack, startStack } from '../../support/stack.ts'

const NUMBER = '96891000003'

let stack: Stack
let partner: string
let portal: string
beforeAll(async () => {
  stack = await startStack({ env: { LOG_LEVEL: 'silent' } })
  partner = await stack.token()
  portal = await stack.token('demo-portal')
})
afterAll(() => stack[Symbol.asyncDispose]())

const fixtureOf = (kind: string) => FIXTURES.find(fixture => fixture.kind === kind)!
const serviceOf = (kind: string) => stack.server.services.find(({ name }) => name === fixtureOf(kind).name)!

/** Posts one of a kind; points are of a number that has 9,000 of them at first. */
const post = async (kind: string, value = 1.5, number = NUMBER) => {
  const fixture = fixtureOf(kind)
  const valued = withField(fixture.body(), fixture.points ?? fixture.money?.amount ?? 'priority', value)
  const body = fixture.points ? withField(valued, fixture.phone, number) : fixture.body()
  const { id } = await INTERFACES[0]!.create(stack, fixture, partner, body)
  return id!
}

const FIELDS = `id kind outcome transactionOperationStatus reason completedAt
  interventions { action reason by { id name } correlator requestedAt carriedOutAt refusal }`
type Field = 'cancelTransaction' | 'reverseTransaction'

const ask = (query: string, token: string, variables: object = {}, headers?: Record<string, string>) =>
  graphOf(stack)(query, { token, variables, headers })

/** The transaction as it is then, or the error. */
const operate = async (
  field: Field,
  id: string,
  {
    reason = 'Wrong number',
    token = portal,
    headers,
  }: { reason?: string; token?: string; headers?: Record<string, string> } = {},
) => {
  const text = `mutation ($id: ID!, $reason: String!) { ${field}(id: $id, reason: $reason) { ${FIELDS} } }`
  const { data, errors } = await ask(text, token, { id, reason }, headers)
  return { transaction: data?.[field], error: errors[0] as GraphError }
}

const statusOf = async (kind: string, id: string) => {
  const { single, idField } = fixtureOf(kind)
  const query = `{ ${single}(${idField}: "${id}") { transactionOperationStatus outcome reason } }`
  return (await ask(query, partner)).data[single]
}

const pointsOf = async (holder = NUMBER) => {
  const [points] = await readBalances(stack.app.db, [{ kind: 'points', holder, currency: '' }])
  return points!.toNumber()
}
const duesOf = async () =>
  (await readBalances(stack.app.db, [{ kind: 'dues', holder: '100003', currency: 'OMR' }]))[0]!.toNumber()

const eventsOf = async (id: string) =>
  (await stack.app.db.event.findMany({ where: { transactionId: id }, orderBy: { position: 'asc' } })).map(
    ({ eventType, operationStatus, description }) => [eventType, operationStatus, description],
  )

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

const expectRefused = (error: GraphError, code: string, reason: string, text: string) =>
  expect([error.extensions.code, error.extensions.reason, error.message]).toEqual([
    code,
    reason,
    expect.stringContaining(text),
  ])

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

  it('INT-03 asked again answers the same, and nothing happens twice', async () => {
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
      expect(answers.map(({ transaction }) => transaction?.transactionOperationStatus ?? 'refused')).toEqual(
        Array(2).fill(status === 'cancelled' ? 'cancelled' : 'refused'),
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

describe('reverseTransaction', () => {
  it.each([
    ['REWARD', 1],
    ['REDEMPTION', -1],
  ])('INT-05 takes back a %s, and its points with it', async (kind, sign) => {
    const fixture = fixtureOf(kind)
    const before = await pointsOf()
    const id = await post(kind, 20)
    await stack.settled()
    expect(await pointsOf()).toBe(before + sign * 20)
    const { body: done } = await restOf(stack)('GET', `${fixture.path}/${id}`, { token: partner })
    const { transaction, error } = await operate('reverseTransaction', id)
    expect(error).toBeUndefined()
    expect(transaction).toMatchObject({
      outcome: 'REVERSED',
      transactionOperationStatus: 'reversed',
      reason: 'Reversed by the operator: Wrong number',
      interventions: [{ action: 'REVERSE', by: { id: 'demo-portal' }, refusal: null }],
    })
    expect(await pointsOf()).toBe(before)
    const { body } = await restOf(stack)('GET', `${fixture.path}/${id}`, { token: partner })
    expect(body).toEqual({ ...done, transactionOperationStatus: 'reversed' })
    expect(body[fixture.dateField!]).toEqual(expect.any(String))
    expect((await eventsOf(id)).map(([type, status]) => [type, status])).toEqual([
      ['PAYMENT_COMPLETED', 'success'],
      ['PAYMENT_FAILED', 'reversed'],
    ])
  })

  it('INT-06 goes into the timeline, and out of the sums of what was carried out', async () => {
    const own = await stack.token({ id: 'int-sums', role: 'partner' })
    const rows = async () => {
      await stack.settled()
      const query = `{ timeline { nodes { outcome points } }
        summary(by: ALL, groupBy: [KIND]) { kind count completed failed points } }`
      return (await ask(query, own)).data
    }
    const rewards: string[] = []
    for (const value of [5, 7]) {
      const body = withField(fixtureOf('REWARD').body(), fixtureOf('REWARD').points!, value)
      rewards.push((await INTERFACES[0]!.create(stack, fixtureOf('REWARD'), own, body)).id!)
      await stack.settled()
    }
    expect((await rows()).summary).toEqual([
      { kind: 'REWARD', count: 2, completed: 2, failed: 0, points: 12 },
    ])
    await operate('reverseTransaction', rewards[0]!)
    expect(await rows()).toEqual({
      timeline: {
        nodes: [
          { outcome: 'COMPLETED', points: 7 },
          { outcome: 'REVERSED', points: 5 },
        ],
      },
      summary: [{ kind: 'REWARD', count: 2, completed: 1, failed: 0, points: 7 }],
    })
  })

  it('INT-07 is refused where the points were spent, and nothing moves', async () => {
    const number = '96892000005'
    const id = await post('REWARD', 10, number)
    await stack.settled()
    await post('REDEMPTION', 4, number)
    await stack.settled()
    const { error } = await operate('reverseTransaction', id)
    expectRefused(error, 'INVALID_ARGUMENT', 'NOT_REVERSIBLE', 'The points do not suffice')
    expect(await pointsOf(number)).toBe(6)
    expect(await statusOf('REWARD', id)).toMatchObject({ transactionOperationStatus: 'success' })
    expect(await eventsOf(id)).toHaveLength(1)
  })

  it('INT-08 many at once take it back once', async () => {
    const before = await pointsOf()
    const id = await post('REDEMPTION', 30)
    await stack.settled()
    const answers = await Promise.all(Array.from({ length: 10 }, () => operate('reverseTransaction', id)))
    expect(answers.map(({ transaction }) => transaction?.transactionOperationStatus)).toEqual(
      Array(10).fill('reversed'),
    )
    expect(await pointsOf()).toBe(before)
    expect(await eventsOf(id)).toHaveLength(2)
  })

  it.each([
    ['PAYMENT', 'no payment can be'],
    ['RECHARGE', 'no recharge can be'],
    ['MESSAGE', 'no message can be'],
  ])('INT-09 is refused for a %s: %s', async (kind, why) => {
    const id = await post(kind)
    await stack.settled()
    expectRefused((await operate('reverseTransaction', id)).error, 'INVALID_ARGUMENT', 'NOT_REVERSIBLE', why)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  it('INT-10 is refused for what was not carried out', async () => {
    const id = await post('REDEMPTION', 1_000_000)
    await stack.settled()
    const { error } = await operate('reverseTransaction', id)
    expectRefused(
      error,
      'INVALID_ARGUMENT',
      'NOT_REVERSIBLE',
      'it is declined, and reversed cannot follow that',
    )
  })
})

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
  const asked = (transactionId: string) => ({
    transactionId,
    action: 'REVERSE' as const,
    clientId: 'demo-portal',
    correlator: 'desk-1',
    reason: 'Given twice',
  })
  const ask = (id: string, charging: ChargingSystem = outside) =>
    stack.app.db.$transaction(tx => intervene(tx, charging, REWARD, asked(id)))
  const end = (id: string, result: Parameters<typeof endIntervention>[3]['result']) =>
    stack.app.db.$transaction(async tx => {
      const [row] = await tx.$queryRaw<TransactionRow<never>[]>`
        SELECT ${COLUMNS} FROM loyalty.reward t WHERE t.id = ${id}::uuid FOR UPDATE`
      return endIntervention(tx, REWARD, asked(id), { row: row!, result })
    })
  const kept = (id: string) => stack.app.db.intervention.findMany({ where: { transactionId: id } })

  it('INT-14 it is noted what is wanted, and done once that system says so', async () => {
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

  it('INT-15 what that system refuses stays as it is, with why, and may be asked for anew', async () => {
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
