/** Test events that a partner or a portal sends to try a receiver. */

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TEST_TRANSACTION_ID } from '#core/webhooks/test-event.ts'
import { SEPARATE } from '#test/support/stack.ts'
import { OFFSET_TIME, portal, receiver, signersOf, stage, UUID, useArrivals } from './arrivals.ts'
import { type Received, status } from './receiver.ts'

useArrivals()

describe('what arrives', () => {
  describe('test events', () => {
    const TEST = `mutation ($url: String!, $kind: TransactionKind!, $token: String, $partner: String) {
      sendTestEvent(notificationUrl: $url, kind: $kind, notificationAuthToken: $token, partner: $partner) {
        at status durationMs error } }`
    let partner: string
    let secret: string

    beforeAll(async () => {
      partner = await stage.stack.token({ id: 'tester', role: 'partner', quotas: { webhooksInFlight: '4' } })
      secret = (await stage.stack.app.access.webhookSecrets.rotate('tester', 0)).secret
    })
    beforeEach(() => {
      receiver.received.length = 0
      return () => {
        receiver.answer = status(204)
      }
    })
    const test = async (variables: object = {}, token = partner) => {
      const given = { url: receiver.url, kind: 'RECHARGE', ...variables }
      const { data, errors } = await stage.graph(TEST, { token, variables: given })
      return data?.sendTestEvent ?? errors[0]!.extensions.code
    }

    it("HOOK-51 MUST be the kind's envelope with zeros for the transaction, signed, with the token, and kept nowhere", async () => {
      const count = () => stage.stack.app.db.delivery.count()
      const before = await count()
      expect(await test({ token: 'abc' })).toEqual({
        at: expect.any(String),
        status: 204,
        durationMs: expect.any(Number),
        error: null,
      })
      const [one, ...more] = receiver.received as [Received]
      expect(more).toEqual([])
      expect([one.path, one.headers.authorization]).toEqual(['/hooks/eventNotifications', 'Bearer abc'])
      expect(one.body).toEqual({
        eventSubscriptionid: TEST_TRANSACTION_ID,
        event: {
          eventid: expect.stringMatching(UUID),
          eventType: 'PAYMENT_COMPLETED',
          eventTime: expect.stringMatching(OFFSET_TIME),
          eventDetail: {
            rechargeId: TEST_TRANSACTION_ID,
            status: 'succeeded',
            description: expect.stringMatching(/^Test event/),
            paymentDate: expect.stringMatching(OFFSET_TIME),
          },
        },
      })
      expect(signersOf(one, [secret])).toEqual([0])
      expect(await count()).toBe(before)
    })

    it("HOOK-52 a portal's is signed with the partner's secret, where it names one", async () => {
      expect(await test({ partner: 'tester' }, portal)).toMatchObject({ status: 204 })
      expect(await test({}, portal)).toMatchObject({ status: 204 })
      const [named, own] = receiver.received as [Received, Received]
      expect(signersOf(named, [secret])).toEqual([0])
      expect(own.headers['webhook-signature']).toBeUndefined()
    })

    it('HOOK-53 tells what became of it: the answer without secrets, no redirect followed, no address that is not allowed', async () => {
      receiver.answer = status(302, 'no callback-token-7321 here', { location: receiver.url })
      expect(await test({ token: 'callback-token-7321' })).toMatchObject({
        status: 302,
        error: 'no […] here',
      })
      expect(receiver.received).toHaveLength(1)
      expect(await test({ url: 'http://hooks.example.com' })).toBe('INVALID_ARGUMENT')
      expect(await test({ url: 'https://10.0.0.1/' })).toBe('INVALID_ARGUMENT')
    })

    it.skipIf(SEPARATE)('HOOK-56 goes nowhere where this process itself listens', async () => {
      const own = await test({ url: stage.stack.address, kind: 'PAYMENT' })
      expect(own).toMatchObject({ status: null, error: expect.stringMatching(/REFUSED_ADDRESS/) })
    })

    it('HOOK-54 is refused to others, for kinds without webhooks and wrong tokens', async () => {
      expect([
        await test({}, await stage.stack.token('demo-analyst')),
        await test({ partner: 'demo-partner' }),
        await test({ kind: 'MESSAGE' }),
        await test({ token: 'é' }),
        await test({ token: 'x'.repeat(2_049) }),
      ]).toEqual([
        'PERMISSION_DENIED',
        'NOT_FOUND',
        'INVALID_ARGUMENT',
        'INVALID_ARGUMENT',
        'INVALID_ARGUMENT',
      ])
      expect(receiver.received).toEqual([])
    })

    it.each([
      [{ kind: 'MESSAGE' }, 'kind must not be MESSAGE, which calls no webhooks'],
      [
        { url: `https://hooks.example.com/${'a'.repeat(2_048)}` },
        'notificationUrl must not be longer than 2048 characters',
      ],
    ])('HOOK-183 MUST say what is wrong with what is given: %#', async (given, message) => {
      const variables = { url: receiver.url, kind: 'RECHARGE', ...given }
      const { errors } = await stage.graph(TEST, { token: partner, variables })
      expect(errors[0]!.message).toBe(message)
    })

    it('HOOK-55 no more at a time than the client may have webhooks under way', async () => {
      const waiting: (() => void)[] = []
      receiver.answer = response => void waiting.push(() => response.writeHead(204).end())
      const quick = await stage.stack.token({
        id: 'quick',
        role: 'partner',
        quotas: { webhooksInFlight: '2' },
      })
      const first = [test({}, quick), test({}, quick)]
      await receiver.count(2)
      expect(await test({}, quick)).toBe('SERVICE_UNAVAILABLE')
      for (const answer of waiting) answer()
      expect(await Promise.all(first)).toMatchObject([{ status: 204 }, { status: 204 }])
    })
  })
})
