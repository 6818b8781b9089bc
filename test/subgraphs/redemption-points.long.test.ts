/** Redemptions, many at once and in the graph: never a point more than there is. */

import { describe, expect, test } from 'vitest'
import { REDEMPTIONS, REWARDS, redemptionOf, rewardOf } from './points.ts'
import { get, opened, post, postAndSettle, read, useRedemptions } from './redemption.ts'

useRedemptions()

describe('many at once', () => {
  const statusesOf = async (ids: string[]) => {
    const redemptions = await Promise.all(ids.map(id => read(id)))
    return Map.groupBy(redemptions, one => one.transactionOperationStatus)
  }

  test('RED-12 take what there is and not a point more: 50 of 100 points against 750', async () => {
    const number = '96891000002'
    await post(REWARDS, rewardOf(number, 750))
    await opened.stack.settled()
    expect(await opened.pointsOf(number)).toBe(750)
    const many = Array.from({ length: 50 }, () => post(REDEMPTIONS, redemptionOf(number, 100)))
    const responses = await Promise.all(many)
    expect(responses.every(({ status }) => status === 201)).toBe(true)
    await opened.stack.settled()
    const statuses = await statusesOf(responses.map(({ body }) => body.redemptionId))
    expect(statuses.get('success')).toHaveLength(7)
    expect(statuses.get('declined')).toHaveLength(43)
    expect(await opened.pointsOf(number)).toBe(50)
  })

  test('RED-13 stay exact when rewards come in between, to the last hundredth', async () => {
    const number = '96892000004'
    const start = await opened.pointsOf(number)
    const posts = Array.from({ length: 60 }, (_, index) =>
      index % 3 === 0
        ? post(REWARDS, rewardOf(number, 10.01))
        : post(REDEMPTIONS, redemptionOf(number, 25.1)),
    )
    const responses = await Promise.all(posts)
    await opened.stack.settled()
    const redemptions = responses.flatMap(({ body }) => body.redemptionId ?? [])
    const taken = (await statusesOf(redemptions)).get('success')?.length ?? 0
    const left = await opened.pointsOf(number)
    expect(left).toBeGreaterThanOrEqual(0)
    expect(left).toBeCloseTo(start + 20 * 10.01 - taken * 25.1, 6)
    const rewards = (await get(`${REWARDS}?perPage=1000`)).body.filter(
      (one: { rewardTransaction: { mobileNumber: string } }) => one.rewardTransaction.mobileNumber === number,
    )
    expect(rewards).toHaveLength(20)
    for (const { transactionOperationStatus } of rewards) expect(transactionOperationStatus).toBe('success')
  })
})

describe('the graph', () => {
  const CREATE = `mutation ($input: CreateRedemptionInput!) { createRedemption(input: $input) {
    id redemptionId kind outcome transactionOperationStatus points amount { value } redemptionDate createdAt
    redemptionTransaction { mobileNumber redemptionInformation { redemptionPoints } redemptionMetaData { merchantName } }
    subscriber { mobileNumber pointsBalance } customer { customerAccountNumber } } }`

  test('RED-14 posts by the same rules and shows every field', async () => {
    const input = redemptionOf('91000003', 2.5)
    const { data, errors } = await opened.graph(CREATE, { token: opened.partner, variables: { input } })
    expect(errors).toEqual([])
    expect(data.createRedemption).toEqual({
      id: data.createRedemption.redemptionId,
      redemptionId: expect.any(String),
      kind: 'REDEMPTION',
      outcome: 'PENDING',
      transactionOperationStatus: 'processing',
      points: 2.5,
      amount: null,
      redemptionDate: null,
      createdAt: expect.any(String),
      redemptionTransaction: {
        mobileNumber: '+96891000003',
        redemptionInformation: { redemptionPoints: 2.5 },
        redemptionMetaData: null,
      },
      subscriber: { mobileNumber: '+96891000003', pointsBalance: expect.any(Number) },
      customer: { customerAccountNumber: '100003' },
    })
    const nothing = { redemptionTransaction: { clientCorrelatorId: 'red-14', mobileNumber: '91000003' } }
    const refused = await opened.graph(CREATE, { token: opened.partner, variables: { input: nothing } })
    expect(refused.errors[0]).toMatchObject({
      message: expect.stringContaining('redemptionTransaction.redemptionInformation is required'),
      extensions: { code: 'INVALID_ARGUMENT' },
    })
  })

  test('RED-15 shows a number`s redemptions with what became of them', async () => {
    const token = await opened.stack.token({ id: 'red-15', role: 'partner' })
    await postAndSettle(redemptionOf('96891000003', 1), token)
    await postAndSettle(redemptionOf('96891000003', 1e9), token)
    const query = `{ subscriber(mobileNumber: "+96891000003") { redemptions { totalCount
      nodes { points outcome transactionOperationStatus redemptionDate completedAt } } } }`
    const { data } = await opened.graph(query, { token })
    const completedAt = expect.any(String)
    const declined = { outcome: 'FAILED', transactionOperationStatus: 'declined', redemptionDate: null }
    const success = {
      outcome: 'COMPLETED',
      transactionOperationStatus: 'success',
      redemptionDate: completedAt,
    }
    expect(data.subscriber.redemptions).toEqual({
      totalCount: 2,
      nodes: [
        { points: 1e9, completedAt, ...declined },
        { points: 1, completedAt, ...success },
      ],
    })
  })
})
