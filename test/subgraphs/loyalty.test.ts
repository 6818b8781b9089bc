/** The rules of rewards (contract document 3, part A; docs/decisions.md), over REST and GraphQL. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faulty, openPoints, REDEMPTIONS, REWARDS, redemptionOf, rewardOf } from './points.ts'

type Opened = Awaited<ReturnType<typeof openPoints>>
let opened: Opened
const post: Opened['post'] = (...call) => opened.post(...call)
const get: Opened['get'] = (...call) => opened.get(...call)

beforeAll(async () => {
  opened = await openPoints()
})
afterAll(() => opened[Symbol.asyncDispose]())

/** Posts a reward and reads it again once it is settled. */
const postAndSettle = async (body: object, token?: string) => {
  const { body: created } = await post(REWARDS, body, token)
  await opened.stack.settled()
  return (await get(`${REWARDS}/${created.rewardId}`, token)).body
}

const expectRefusal = (response: Awaited<ReturnType<Opened['post']>>, status: number, code: string) =>
  expect([response.status, response.body.code], response.text).toEqual([status, code])

describe('a reward', () => {
  test('LOY-01 is answered at once as processing, with id, date and webhook, and without what was sent', async () => {
    const webhook = { notificationUrl: 'https://hooks.example.com/a', notificationAuthToken: 'secret-token' }
    const response = await post(REWARDS, { ...rewardOf('96891000001', 5), webhook })
    expect(response.status).toBe(201)
    expect(response.body).toEqual({
      rewardId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      transactionOperationStatus: 'processing',
      rewardCreationDate: expect.stringMatching(/\+04:00$/),
      webhook: { notificationUrl: 'https://hooks.example.com/a' },
    })
  })

  test('LOY-02 raises the points and becomes a success with a date; what was sent is echoed as it was', async () => {
    const before = await opened.pointsOf('96891000002')
    const { rewardTransaction } = rewardOf('+96891000002', 12.25, {
      referenceCode: 'REW-7',
      rewardInformation: {
        rewardPoints: 12.25,
        description: 'gift',
        characteristicList: [{ name: 'campaign', valueType: 'string', value: 'spring' }],
      },
      rewardMetaData: { channel: 'Web', characteristicList: [{ name: 'branch', value: 'Ruwi' }] },
    })
    const reward = await postAndSettle({ rewardTransaction: { ...rewardTransaction, unknown: 1 } })
    expect(reward).toEqual({
      rewardId: expect.any(String),
      transactionOperationStatus: 'success',
      rewardCreationDate: expect.any(String),
      rewardDate: expect.stringMatching(/\+04:00$/),
      rewardTransaction,
    })
    expect(await opened.pointsOf('96891000002')).toBe(before + 12.25)
  })

  test.each([
    ['postpaid', '96891000003'],
    ['fax', '96891000007'],
    ['data', '96891000008'],
    ['prepaid', '96892000001'],
    ['national form', '91000003'],
  ])('LOY-03 may go to any active mobile number: %s', async (_, number) => {
    const reward = await postAndSettle(rewardOf(number, 1))
    expect(reward.transactionOperationStatus).toBe('success')
  })

  test.each([
    ['an inactive number', '96891000006'],
    ['an unknown number', '96891999999'],
    ['a fixed line', '96824000003'],
    ['no phone number', 'abc'],
    ['an empty text', ''],
  ])('LOY-04 is refused for %s', async (_, number) => {
    const response = await post(REWARDS, rewardOf(number, 1))
    expectRefusal(response, 400, 'INVALID_ARGUMENT')
    expect(response.body.message).toMatch(/^rewardTransaction\.mobileNumber /)
  })

  test.each([0, -1, 0.001, 1.234, 1e12, 1e21])('LOY-05 is refused for %d points', async points => {
    const response = await post(REWARDS, rewardOf('96891000001', points))
    expectRefusal(response, 400, 'INVALID_ARGUMENT')
    expect(response.body.message).toMatch(/^rewardTransaction\.rewardInformation\.rewardPoints /)
  })

  test.each(['clientCorrelatorId', 'rewardInformation'])('LOY-06 is refused without %s', async name => {
    const response = await post(REWARDS, rewardOf('96891000001', 1, { [name]: undefined }))
    expectRefusal(response, 400, 'INVALID_ARGUMENT')
    expect(response.body.message).toContain(`rewardTransaction.${name} is required`)
  })

  test('LOY-07 is applied once: a repeated correlator is refused and names the first, also at the same instant', async () => {
    const before = await opened.pointsOf('96891000004')
    const body = rewardOf('96891000004', 10)
    const responses = await Promise.all(Array.from({ length: 10 }, () => post(REWARDS, body)))
    const [created] = responses.filter(({ status }) => status === 201)
    const refused = responses.filter(({ status }) => status === 400)
    expect(refused).toHaveLength(9)
    for (const { headers, body } of refused) {
      expect(headers.get('location')).toBe(`${REWARDS}/${created!.body.rewardId}`)
      expect(body.message).toContain(created!.body.rewardId)
    }
    await opened.stack.settled()
    expect(await opened.pointsOf('96891000004')).toBe(before + 10)
    const otherPartner = await opened.stack.token('demo-partner-2')
    expect((await post(REWARDS, body, otherPartner)).status).toBe(201)
  })

  test('LOY-08 is another client`s secret: 404 by id, absent from lists, null in the graph', async () => {
    const { rewardId } = await postAndSettle(rewardOf('96891000001', 1))
    const other = await opened.stack.token({ id: 'loy-08', role: 'partner' })
    expectRefusal(await get(`${REWARDS}/${rewardId}`, other), 404, 'NOT_FOUND')
    expect((await get(REWARDS, other)).body).toEqual([])
    const query = `{ reward(rewardId: "${rewardId}") { rewardId } }`
    expect((await opened.graph(query, { token: other })).data).toEqual({ reward: null })
    const portal = await opened.stack.token('demo-portal')
    expect((await get(`${REWARDS}/${rewardId}`, portal)).body.rewardId).toBe(rewardId)
  })

  test.each(['demo-portal', 'demo-analyst'])('LOY-09 may not be posted by %s', async id => {
    const token = await opened.stack.token(id)
    expectRefusal(await post(REWARDS, {}, token), 403, 'PERMISSION_DENIED')
  })

  test('LOY-10 is in lists, whole and oldest first, with the two headers', async () => {
    const token = await opened.stack.token({ id: 'loy-10', role: 'partner' })
    const bodies = [1, 2, 3].map(points => rewardOf('96891000001', points))
    for (const body of bodies) await post(REWARDS, body, token)
    const page = await get(`${REWARDS}?perPage=2&seek=1`, token)
    const sent = bodies.slice(1).map(({ rewardTransaction }) => rewardTransaction)
    expect(page.body.map((one: { rewardTransaction: object }) => one.rewardTransaction)).toEqual(sent)
    expect(page.headers.get('content-last-key')).toBe('3')
    expect(page.headers.get('x-total-count')).toBe('3')
    const correlator = bodies[0]!.rewardTransaction.clientCorrelatorId
    const one = await get(`${REWARDS}?clientCorrelatorId=${correlator}&perPage=0`, token)
    expect(one.body).toHaveLength(1)
    expectRefusal(await get(`${REWARDS}?perPage=0`, token), 400, 'OUT_OF_RANGE')
  })
})

describe('a bound token', () => {
  test('LOY-11 stands in for the number without an echo, and refuses another one', async () => {
    const token = await opened.stack.token({ id: 'loy-11', role: 'partner', phoneNumber: '96891000001' })
    // What others posted to the same number moves its balance too.
    await opened.stack.settled()
    const before = await opened.pointsOf('96891000001')
    const reward = await postAndSettle(rewardOf('', 1, { mobileNumber: undefined }), token)
    expect(reward.rewardTransaction).not.toHaveProperty('mobileNumber')
    expect(await opened.pointsOf('96891000001')).toBe(before + 1)
    const context = 'CARRIER_BILLING.INVALID_TOKEN_CONTEXT'
    expectRefusal(await post(REWARDS, rewardOf('96891000002', 1), token), 403, context)
    expectRefusal(await post(REWARDS, rewardOf('96891000002', 0), token), 403, context)
    expect((await post(REWARDS, rewardOf('91000001', 1), token)).status).toBe(201)
  })
})

describe('limits', () => {
  test('LOY-12 hold for each reward and for each number and month, exactly, however many come at once', async () => {
    const token = await opened.stack.token({
      id: 'loy-12',
      role: 'partner',
      maxPoints: '10',
      monthlyPoints: '50',
    })
    const above = await post(REWARDS, rewardOf('96891000001', 10.01), token)
    expectRefusal(above, 403, 'CARRIER_BILLING.UNAUTHORIZED_AMOUNT')
    const many = Array.from({ length: 30 }, () => post(REWARDS, rewardOf('96891000001', 10), token))
    const responses = await Promise.all(many)
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5)
    for (const response of responses.filter(({ status }) => status !== 201))
      expectRefusal(response, 403, 'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED')
    expect((await post(REWARDS, rewardOf('96891000002', 10), token)).status).toBe(201)
    expect((await post(REDEMPTIONS, redemptionOf('96891000001', 10), token)).status).toBe(201)
  })
})

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

test('LOY-19 what the charging system finds a fault in ends as failed, with its reason for the event', async () => {
  await using own = await openPoints({ charging: faulty })
  const { body: created } = await own.post(REWARDS, rewardOf('96891000001', 1))
  await own.stack.settled()
  const { body } = await own.get(`${REWARDS}/${created.rewardId}`)
  expect(body.transactionOperationStatus).toBe('failed')
  expect(body).not.toHaveProperty('rewardDate')
  const event = await own.stack.app.db.event.findFirstOrThrow({ where: { transactionId: created.rewardId } })
  expect(event).toMatchObject({
    eventType: 'PAYMENT_FAILED',
    status: 'failed',
    description: 'The number is being moved',
    accountNumber: '100001',
    mobileNumber: '96891000001',
  })
})
