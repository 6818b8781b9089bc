/** The rules of rewards (contract document 3, part A; docs/decisions.md), over REST. */

import { describe, expect, test } from 'vitest'
import { type Opened, opened, post, useRewards } from './loyalty.ts'
import { faulty, openPoints, REDEMPTIONS, REWARDS, redemptionOf, rewardOf } from './points.ts'

useRewards()

const get: Opened['get'] = (...call) => opened.get(...call)

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
