/** Messages that arrive at a receiver: address, body, headers, and the kinds of transaction. */

import { describe, expect, it } from 'vitest'
import { appendEvents } from '#core/events/append.ts'
import { newId } from '#core/values/id.ts'
import manifest from '#package.json' with { type: 'json' }
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { callbackExample, faultsOfCallback } from '#test/support/openapi.ts'
import { arrived, OFFSET_TIME, receiver, stage, UUID, useArrivals } from './arrivals.ts'

useArrivals()

describe('what arrives', () => {
  it('HOOK-01 MUST be the EventNotification of a payment, posted to <notificationUrl>/eventNotifications', async () => {
    const id = await stage.pay({ notificationUrl: receiver.url })
    await stage.sent()
    const [one, ...more] = arrived(id)
    expect(more).toEqual([])
    expect([one!.method, one!.path]).toEqual(['POST', '/hooks/eventNotifications'])
    expect(one!.headers['content-type']).toBe('application/json')
    expect(one!.headers['user-agent']).toBe(`partner-graph/${manifest.version}`)
    expect(one!.body).toEqual({
      eventSubscriptionid: id,
      event: {
        eventid: expect.stringMatching(UUID),
        eventType: 'PAYMENT_COMPLETED',
        eventTime: expect.stringMatching(OFFSET_TIME),
        eventDetail: {
          paymentId: id,
          clientCorrelatorId: expect.any(String),
          status: 'succeeded',
          description: expect.any(String),
          paymentDate: expect.stringMatching(OFFSET_TIME),
        },
      },
    })
  })

  it.each([
    ['HOOK-02 one slash where the address ends with one', '/', '/hooks/eventNotifications'],
    ['HOOK-03 the query stays behind the path', '?tenant=7', '/hooks/eventNotifications?tenant=7'],
  ])('%s', async (_, ending, path) => {
    const id = await stage.pay({ notificationUrl: receiver.url + ending })
    await stage.sent()
    expect(arrived(id).map(one => one.path)).toEqual([path])
  })

  it('HOOK-04 MUST carry the token as a bearer token, and none when there is none', async () => {
    const token = 'callback-token-7319'
    const [with_, without] = [
      await stage.pay({ notificationUrl: receiver.url, notificationAuthToken: token }),
      await stage.pay({ notificationUrl: receiver.url }),
    ]
    await stage.sent()
    expect(arrived(with_)[0]!.headers.authorization).toBe(`Bearer ${token}`)
    expect(arrived(without)[0]!.headers).not.toHaveProperty('authorization')
    expect(arrived(without)[0]!.headers).not.toHaveProperty('webhook-signature')
  })

  it('HOOK-05 keeps the token encrypted, and refuses one that no header can carry', async () => {
    const token = 'callback-token-7320'
    const id = await stage.pay({ notificationUrl: receiver.url, notificationAuthToken: token })
    await stage.sent()
    const rows = await stage.stack.app.db
      .$queryRaw`SELECT * FROM events.delivery WHERE transaction_id = ${id}::uuid`
    expect(
      JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toContain(token)
    await expect(
      stage.pay({ notificationUrl: receiver.url, notificationAuthToken: 'a\r\nb' }),
    ).rejects.toThrow('webhook.notificationAuthToken must be printable ASCII')
  })

  it('HOOK-06 x-correlator is the id of the delivery', async () => {
    const id = await stage.pay({ notificationUrl: receiver.url })
    await stage.sent()
    const [delivery] = await stage.deliveries(id)
    expect(arrived(id)[0]!.headers['x-correlator']).toBe(delivery.id)
    expect(arrived(id)[0]!.body.event.eventid).toBe(delivery.eventid)
  })

  it('HOOK-08 a failed transaction tells the reason, without a paymentDate', async () => {
    const token = await stage.stack.token()
    const redemption = FIXTURES.find(({ name }) => name === 'redemption')!
    const body = redemption.body() as Record<string, Record<string, Record<string, unknown>>>
    body['redemptionTransaction']!['redemptionInformation']!['redemptionPoints'] = 999_999
    const webhook = { notificationUrl: receiver.url }
    const { body: posted } = await stage.rest('POST', redemption.path, { token, body: { ...body, webhook } })
    await stage.sent()
    const [one] = arrived(posted.redemptionId)
    expect(one!.body.event).toMatchObject({
      eventType: 'PAYMENT_FAILED',
      eventDetail: {
        redemptionId: posted.redemptionId,
        status: 'failed',
        description: expect.stringMatching(/./),
      },
    })
    expect(one!.body.event.eventDetail).not.toHaveProperty('paymentDate')
  })

  it.each(FIXTURES.map(one => [one.kind, one] as const))(
    'HOOK-09 as documented: %s',
    async (kind, fixture) => {
      const token = await stage.stack.token()
      const body = { ...fixture.body(), webhook: { notificationUrl: receiver.url } }
      const response = await stage.rest('POST', fixture.path, { token, body })
      expect(response.status, response.text).toBe(201)
      const id = response.body[fixture.idField]
      await stage.sent()
      const [one, ...more] = arrived(id)
      expect(more).toEqual([])
      // The webhook of an SMS is accepted and not called.
      if (kind === 'MESSAGE') return expect(one).toBeUndefined()
      const { eventDetail } = one!.body.event
      expect(eventDetail[fixture.idField]).toBe(id)
      expect(faultsOfCallback(fixture.name, one!.headers)).toEqual([])
      const example = callbackExample(fixture.name, 'completed')
      expect(example).toMatchObject({ event: { eventDetail: { description: eventDetail.description } } })
      expect(Object.keys(example)).toEqual(Object.keys(one!.body))
    },
  )

  it('HOOK-10 nothing is sent for a transaction without a webhook', async () => {
    const id = await stage.pay(undefined)
    await stage.sent()
    expect(await stage.deliveries(id)).toEqual([])
  })

  it('HOOK-11 event and delivery are committed together, or neither', async () => {
    const { db } = stage.stack.app
    const id = newId()
    const event = {
      eventid: newId(),
      kind: 'PAYMENT',
      eventType: 'PAYMENT_COMPLETED' as const,
      eventTime: new Date(),
      transactionId: id,
      operationStatus: 'succeeded',
      status: 'succeeded' as const,
      description: 'undone',
      clientCorrelatorId: null,
      paymentDate: null,
      clientId: 'demo-partner',
      accountNumber: null,
      mobileNumber: null,
      webhook: { deliveryId: newId(), url: receiver.url, origin: new URL(receiver.url).origin, token: null },
    }
    const undone = db.$transaction(async tx => {
      await appendEvents(tx, [event])
      expect(await tx.delivery.count({ where: { transactionId: id } })).toBe(1)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await db.delivery.count({ where: { transactionId: id } })).toBe(0)
    expect(await db.event.count({ where: { transactionId: id } })).toBe(0)
  })
})
