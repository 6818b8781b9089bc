/** Reversal by an operator's portal: executed transactions, once and exactly. */

import { describe, expect, it } from 'vitest'
import { INTERFACES, restOf } from '../../support/both-interfaces.ts'
import { withField } from '../../support/fields.ts'
import {
  ask,
  eventsOf,
  expectRefused,
  fixtureOf,
  operate,
  partner,
  pointsOf,
  post,
  stack,
  statusOf,
  useInterventions,
} from './interventions.ts'

useInterventions()

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
