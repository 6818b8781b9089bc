/** The rules of redemptions (contract document 3, part B; docs/decisions.md), over REST. */

import { describe, expect, test } from 'vitest'
import { faulty, openPoints, REDEMPTIONS, REWARDS, redemptionOf, rewardOf } from './points.ts'
import { get, type Opened, opened, post, postAndSettle, read, useRedemptions } from './redemption.ts'

useRedemptions()

const expectRefusal = (response: Awaited<ReturnType<Opened['post']>>, status: number, code: string) =>
  expect([response.status, response.body.code], response.text).toEqual([status, code])

describe('a redemption', () => {
  test('RED-01 is answered at once as processing, with id and webhook, and without what was sent', async () => {
    const webhook = { notificationUrl: 'https://hooks.example.com/a', notificationAuthToken: 'secret-token' }
    const response = await post(REDEMPTIONS, { ...redemptionOf('96891000001', 5), webhook })
    expect(response.status).toBe(201)
    expect(response.body).toEqual({
      redemptionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      transactionOperationStatus: 'processing',
      webhook: { notificationUrl: 'https://hooks.example.com/a' },
    })
  })

  test('RED-02 lowers the points and becomes a success with a date; what was sent is echoed as it was', async () => {
    const before = await opened.pointsOf('96891000003')
    const { redemptionTransaction } = redemptionOf('+96891000003', 400.75, {
      referenceCode: 'RED-7',
      redemptionInformation: {
        redemptionPoints: 400.75,
        description: 'coffee',
        characteristicList: [{ name: 'campaign', valueType: 'string', value: 'spring' }],
      },
      redemptionMetaData: { channel: 'Web', characteristicList: [{ name: 'branch', value: 'Ruwi' }] },
    })
    const redemption = await postAndSettle({
      redemptionTransaction: { ...redemptionTransaction, unknown: 1 },
    })
    expect(redemption).toEqual({
      redemptionId: expect.any(String),
      transactionOperationStatus: 'success',
      redemptionDate: expect.stringMatching(/\+04:00$/),
      redemptionTransaction,
    })
    expect(await opened.pointsOf('96891000003')).toBe(before - 400.75)
  })

  test('RED-03 is declined without a date when the points do not suffice, and takes all of them when they do', async () => {
    const points = await opened.pointsOf('96891000004')
    const declined = await postAndSettle(redemptionOf('96891000004', points + 0.01))
    expect(declined.transactionOperationStatus).toBe('declined')
    expect(declined).not.toHaveProperty('redemptionDate')
    expect(await opened.pointsOf('96891000004')).toBe(points)
    const taken = await postAndSettle(redemptionOf('96891000004', points))
    expect(taken.transactionOperationStatus).toBe('success')
    expect(await opened.pointsOf('96891000004')).toBe(0)
  })

  test.each([
    ['an inactive number', '96891000006'],
    ['an unknown number', '96891999999'],
    ['a fixed line', '96824000003'],
    ['no phone number', 'abc'],
  ])('RED-04 is refused for %s', async (_, number) => {
    const response = await post(REDEMPTIONS, redemptionOf(number, 1))
    expectRefusal(response, 400, 'INVALID_ARGUMENT')
    expect(response.body.message).toMatch(/^redemptionTransaction\.mobileNumber /)
  })

  test.each([0, -1, 0.001, 1.234, 1e12])('RED-05 is refused for %d points', async points => {
    const response = await post(REDEMPTIONS, redemptionOf('96891000001', points))
    expectRefusal(response, 400, 'INVALID_ARGUMENT')
    expect(response.body.message).toMatch(/^redemptionTransaction\.redemptionInformation\.redemptionPoints /)
  })

  test.each(['clientCorrelatorId', 'redemptionInformation'])('RED-06 is refused without %s', async name => {
    const response = await post(REDEMPTIONS, redemptionOf('96891000001', 1, { [name]: undefined }))
    expectRefusal(response, 400, 'INVALID_ARGUMENT')
    expect(response.body.message).toContain(`redemptionTransaction.${name} is required`)
  })

  test('RED-07 is carried out once: a repeated correlator is refused and names the first', async () => {
    const body = redemptionOf('96891000003', 10)
    const before = await opened.pointsOf('96891000003')
    const first = await postAndSettle(body)
    const again = await post(REDEMPTIONS, body)
    expectRefusal(again, 400, 'INVALID_ARGUMENT')
    expect(again.headers.get('location')).toBe(`${REDEMPTIONS}/${first.redemptionId}`)
    await opened.stack.settled()
    expect(await opened.pointsOf('96891000003')).toBe(before - 10)
  })

  test('RED-08 may use a correlator that a reward has used: it is unique per service', async () => {
    const correlator = { clientCorrelatorId: 'red-08' }
    expect((await post(REWARDS, rewardOf('96891000001', 1, correlator))).status).toBe(201)
    expect((await post(REDEMPTIONS, redemptionOf('96891000001', 1, correlator))).status).toBe(201)
  })

  test('RED-09 is another client`s secret: 404 by id, absent from lists, null in the graph', async () => {
    const { redemptionId } = await postAndSettle(redemptionOf('96891000001', 1))
    const other = await opened.stack.token({ id: 'red-09', role: 'partner' })
    expectRefusal(await get(`${REDEMPTIONS}/${redemptionId}`, other), 404, 'NOT_FOUND')
    expect((await get(REDEMPTIONS, other)).body).toEqual([])
    const query = `{ redemption(redemptionId: "${redemptionId}") { redemptionId } }`
    expect((await opened.graph(query, { token: other })).data).toEqual({ redemption: null })
    const analyst = await opened.stack.token('demo-analyst')
    expect((await read(redemptionId, analyst)).redemptionId).toBe(redemptionId)
    expectRefusal(await post(REDEMPTIONS, {}, analyst), 403, 'PERMISSION_DENIED')
  })

  test('RED-10 follows the number of a bound token', async () => {
    const token = await opened.stack.token({ id: 'red-10', role: 'partner', phoneNumber: '96891000001' })
    const redemption = await postAndSettle(redemptionOf('', 1, { mobileNumber: undefined }), token)
    expect(redemption.redemptionTransaction).not.toHaveProperty('mobileNumber')
    const other = await post(REDEMPTIONS, redemptionOf('96891000003', 1), token)
    expectRefusal(other, 403, 'CARRIER_BILLING.INVALID_TOKEN_CONTEXT')
  })

  test('RED-11 keeps to the limits of its client; what was declined does not count', async () => {
    const limits = { maxPoints: '6000', monthlyPoints: '6000' }
    const token = await opened.stack.token({ id: 'red-11', role: 'partner', ...limits })
    const number = '96891000001'
    const above = await post(REDEMPTIONS, redemptionOf(number, 6000.01), token)
    expectRefusal(above, 403, 'CARRIER_BILLING.UNAUTHORIZED_AMOUNT')
    const declined = await postAndSettle(redemptionOf(number, 6000), token)
    expect(declined.transactionOperationStatus).toBe('declined')
    const success = await postAndSettle(redemptionOf(number, 100), token)
    expect(success.transactionOperationStatus).toBe('success')
    const beyond = await post(REDEMPTIONS, redemptionOf(number, 5900.01), token)
    expectRefusal(beyond, 403, 'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED')
  })
})

test('RED-16 what the charging system finds a fault in ends as failed, with its reason for the event', async () => {
  await using own = await openPoints({ charging: faulty })
  const { body: created } = await own.post(REDEMPTIONS, redemptionOf('96891000001', 1))
  await own.stack.settled()
  const { body } = await own.get(`${REDEMPTIONS}/${created.redemptionId}`)
  expect(body.transactionOperationStatus).toBe('failed')
  expect(body).not.toHaveProperty('redemptionDate')
  const event = await own.stack.app.db.event.findFirstOrThrow({
    where: { transactionId: created.redemptionId },
  })
  expect(event).toMatchObject({
    eventType: 'PAYMENT_FAILED',
    status: 'failed',
    description: 'The number is being moved',
    accountNumber: '100001',
    mobileNumber: '96891000001',
  })
})
