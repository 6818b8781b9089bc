/** Rewards in the graph: posted by the same rules, and who is eligible. */

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { opened, post, useRewards } from './loyalty.ts'
import { REWARDS, rewardOf } from './points.ts'

useRewards()

describe('the graph', () => {
  const CREATE = `mutation ($input: CreateRewardInput!) { createReward(input: $input) {
    id rewardId kind outcome transactionOperationStatus clientCorrelatorId referenceCode points amount { value }
    rewardDate completedAt webhook { notificationUrl }
    rewardTransaction { mobileNumber rewardInformation { rewardPoints description characteristicList { name valueType value } }
      rewardMetaData { channel } }
    subscriber { mobileNumber } customer { customerAccountNumber customerName } } }`

  test('LOY-13 posts by the same rules and shows every field', async () => {
    const rewardInformation = {
      rewardPoints: '7.5',
      description: 'gift',
      characteristicList: [{ name: 'campaign', value: 'spring' }],
    }
    const more = { rewardInformation, referenceCode: 'G-1', rewardMetaData: { channel: 'Web' } }
    const input = rewardOf('91000001', 1, more)
    const { data, errors } = await opened.graph(CREATE, { token: opened.partner, variables: { input } })
    expect(errors).toEqual([])
    expect(data.createReward).toEqual({
      id: data.createReward.rewardId,
      rewardId: expect.any(String),
      kind: 'REWARD',
      outcome: 'PENDING',
      transactionOperationStatus: 'processing',
      clientCorrelatorId: input.rewardTransaction.clientCorrelatorId,
      referenceCode: 'G-1',
      points: 7.5,
      amount: null,
      rewardDate: null,
      completedAt: null,
      webhook: null,
      rewardTransaction: {
        mobileNumber: '+96891000001',
        rewardInformation: {
          rewardPoints: 7.5,
          description: 'gift',
          characteristicList: [{ name: 'campaign', valueType: null, value: 'spring' }],
        },
        rewardMetaData: { channel: 'Web' },
      },
      subscriber: { mobileNumber: '+96891000001' },
      customer: { customerAccountNumber: '100001', customerName: 'Salim Al Harthy' },
    })
    const again = await opened.graph(CREATE, { token: opened.partner, variables: { input } })
    expect(again.errors[0]!.extensions.code).toBe('INVALID_ARGUMENT')
    expect(again.errors[0]!.message).toContain(data.createReward.rewardId)
  })

  test('LOY-14 fills in the number of a bound token', async () => {
    const token = await opened.stack.token({ id: 'loy-14', role: 'partner', phoneNumber: '96891000002' })
    const { clientCorrelatorId, rewardInformation } = rewardOf('', 3).rewardTransaction
    const input = { rewardTransaction: { clientCorrelatorId, rewardInformation } }
    const { data } = await opened.graph(CREATE, { token, variables: { input } })
    expect(data.createReward.subscriber).toEqual({ mobileNumber: '+96891000002' })
  })

  test('LOY-15 shows a number`s points and rewards, newest first and paged', async () => {
    const token = await opened.stack.token({ id: 'loy-15', role: 'partner' })
    for (const points of [1, 2, 3]) await post(REWARDS, rewardOf('96892000002', points), token)
    await opened.stack.settled()
    const query = `query ($after: String) { subscriber(mobileNumber: "+96892000002") { pointsBalance
      rewards(first: 2, after: $after) { totalCount nodes { points outcome rewardDate } pageInfo { hasNextPage endCursor } } } }`
    const { data } = await opened.graph(query, { token })
    const { pointsBalance, rewards } = data.subscriber
    expect(pointsBalance).toBe(await opened.pointsOf('96892000002'))
    expect(rewards).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } })
    const done = { outcome: 'COMPLETED', rewardDate: expect.any(String) }
    expect(rewards.nodes).toEqual([
      { points: 3, ...done },
      { points: 2, ...done },
    ])
    const rest = await opened.graph(query, { token, variables: { after: rewards.pageInfo.endCursor } })
    expect(rest.data.subscriber.rewards.nodes).toEqual([{ points: 1, ...done }])
  })

  test('LOY-16 narrows rewards to an account, by the number`s account', async () => {
    const token = await opened.stack.token({ id: 'loy-16', role: 'partner' })
    await post(REWARDS, rewardOf('96891000001', 1), token)
    await post(REWARDS, rewardOf('96891000003', 2), token)
    const query = '{ rewards(filter: { customerAccountNumber: "100003" }) { totalCount nodes { points } } }'
    const { data } = await opened.graph(query, { token })
    expect(data.rewards).toEqual({ totalCount: 1, nodes: [{ points: 2 }] })
  })
})

describe('eligibility', () => {
  const ask = async (token: string, number: string, points: number | string) => {
    const query = `query ($points: Decimal!) { subscriber(mobileNumber: "+${number}") { rewardEligibility(points: $points) { eligible reasons } } }`
    const { data, errors } = await opened.graph(query, { token, variables: { points } })
    expect(errors).toEqual([])
    return data.subscriber.rewardEligibility
  }

  test('LOY-17 says what posting would say: the line, the points, the limits, all at once', async () => {
    const id = `loy-17-${randomUUID()}`
    const token = await opened.stack.token({ id, role: 'partner', maxPoints: '30', monthlyPoints: '40' })
    expect(await ask(token, '96891000001', 30)).toEqual({ eligible: true, reasons: [] })
    await post(REWARDS, rewardOf('96891000001', 20), token)
    expect(await ask(token, '96891000001', '20')).toEqual({ eligible: true, reasons: [] })
    const cases: [string, number, RegExp[]][] = [
      ['96891000001', 20.01, [/month/]],
      ['96891000001', 31, [/at once/, /month/]],
      ['96891000006', 1, [/not an active mobile number/]],
      ['96891000006', 1.001, [/not an active mobile number/, /at most 2 decimals/]],
      ['96891000002', 0, [/greater than 0/]],
      ['96891000002', 40, [/at once/]],
    ]
    for (const [number, points, patterns] of cases) {
      const { eligible, reasons } = await ask(token, number, points)
      expect([eligible, reasons]).toEqual([false, patterns.map(pattern => expect.stringMatching(pattern))])
    }
  })

  test('LOY-18 tells a portal of line and points alone, since it posts nothing itself', async () => {
    const portal = await opened.stack.token('demo-portal')
    expect(await ask(portal, '96891000001', 1e9)).toEqual({ eligible: true, reasons: [] })
    expect((await ask(portal, '96891000006', 1)).eligible).toBe(false)
  })
})
