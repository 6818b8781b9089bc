/** What arrives at a receiver: address, body, headers, signature; for which kinds of transaction. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { appendEvents } from '../../../subgraphs/shared/events/append.ts'
import { newId } from '../../../subgraphs/shared/values/id.ts'
import { TEST_TRANSACTION_ID } from '../../../subgraphs/shared/webhooks/test-event.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { callbackExample, faultsOfCallback } from '../../support/openapi.ts'
import { SEPARATE } from '../../support/stack.ts'
import { type Received, type Receiver, startReceiver, status } from './receiver.ts'
import { openStage, type Stage } from './stage.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const OFFSET_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+04:00$/

describe('what arrives', () => {
  let stage: Stage
  let receiver: Receiver
  const log: string[] = []
  let signed: string
  let portal: string

  beforeAll(async () => {
    stage = await openStage({ env: { LOG_LEVEL: 'info' }, logLines: log })
    receiver = await startReceiver()
    signed = await stage.stack.token({ id: 'signed', role: 'partner', dummyCards: true })
    portal = await stage.stack.token('demo-portal')
  })
  afterAll(async () => {
    await stage[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  const arrived = (id: string) => receiver.received.filter(one => one.body.eventSubscriptionid === id)

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

  /** Which of the secrets signed it, in the order of its signatures. */
  const signersOf = ({ headers, raw }: Received, secrets: readonly string[]) => {
    const signatures = secrets.map(secret => {
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
    })
    const given = `${headers['webhook-signature']}`.split(' ')
    return given.map(one => signatures.indexOf(one))
  }

  /** Other processes see a rotation two seconds late (CLIENT-13). */
  describe.skipIf(SEPARATE)('signatures', () => {
    const HOUR_MS = 3_600_000
    const secrets: string[] = []
    const ROTATE = `mutation ($hours: Int, $partner: String) {
      rotateWebhookSecret(overlapHours: $hours, partner: $partner) { secret previousEndsAt } }`

    const rotate = async (token: string, variables: object = {}) => {
      const { data, errors } = await stage.graph(ROTATE, { token, variables })
      const rotated = data.rotateWebhookSecret
      if (rotated) secrets.push(rotated.secret)
      return rotated ?? errors[0]!.extensions.code
    }
    const next = async () => {
      const id = await stage.pay({ notificationUrl: receiver.url }, 'signed')
      await stage.sent()
      return arrived(id)[0]!
    }
    const signers = async () => signersOf(await next(), secrets)

    it('HOOK-07 is signed after Standard Webhooks with the secret that the partner was given', async () => {
      expect((await next()).headers['webhook-signature']).toBeUndefined()
      expect(await rotate(signed)).toEqual({
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        previousEndsAt: null,
      })
      const one = await next()
      expect(one.headers['webhook-id']).toBe(one.body.event.eventid)
      expect(Math.abs(Number(one.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
      expect(signersOf(one, secrets)).toEqual([0])
      expect(faultsOfCallback('postpaid-billing', one.headers)).toEqual([])
    })

    it('HOOK-47 old and new both sign during the overlap, then the new alone', async () => {
      const { previousEndsAt } = await rotate(signed, { hours: 2 })
      expect(Math.abs(Date.parse(previousEndsAt) - Date.now() - 2 * HOUR_MS)).toBeLessThan(60_000)
      expect(await signers()).toEqual([1, 0])
      stage.ahead += 2 * HOUR_MS - 60_000
      expect(await signers()).toEqual([1, 0])
      stage.ahead += 120_000
      expect(await signers()).toEqual([1])
      stage.ahead -= 2 * HOUR_MS + 60_000
    })

    it("HOOK-48 a portal rotates a partner's; what a receiver knows signs on, however often, until it is ended", async () => {
      expect(await rotate(portal, { partner: 'signed', hours: 720 })).toMatchObject({ secret: secrets[2] })
      expect(await signers()).toEqual([2, 1, 0])
      await rotate(signed)
      expect(await signers()).toEqual([3, 2, 1, 0])
      await rotate(signed)
      expect(await rotate(signed)).toBe('INVALID_ARGUMENT')
      expect(await signers()).toEqual([4, 3, 2, 1, 0])
      await rotate(signed, { hours: 0 })
      expect(await signers()).toEqual([5])
    })

    it('HOOK-49 is refused to others, to bound tokens, and for what is out of range', async () => {
      const analyst = await stage.stack.token('demo-analyst')
      const phoneNumber = '96891000001'
      const bound = await stage.stack.token({ id: 'bound-portal', role: 'portal', phoneNumber })
      expect([
        await rotate(analyst, { partner: 'signed' }),
        await rotate(bound, { partner: 'signed' }),
        await rotate(signed, { partner: 'demo-partner' }),
        await rotate(portal, { partner: 'nobody' }),
        await rotate(portal, { partner: 'demo-analyst' }),
        await rotate(portal),
        await rotate(signed, { hours: -1 }),
        await rotate(signed, { hours: 721 }),
      ]).toEqual([
        'PERMISSION_DENIED',
        'PERMISSION_DENIED',
        'NOT_FOUND',
        'NOT_FOUND',
        'NOT_FOUND',
        'INVALID_ARGUMENT',
        'INVALID_ARGUMENT',
        'INVALID_ARGUMENT',
      ])
      expect(await signers()).toEqual([5])
    })

    it('HOOK-50 the secrets stand in no log line, and in the database encrypted alone', async () => {
      expect(log.some(line => line.includes('webhook signing secret rotated'))).toBe(true)
      const kept = await stage.stack.app.db.client.findUnique({ where: { id: 'signed' } })
      for (const secret of secrets)
        expect(log.join() + JSON.stringify(kept)).not.toContain(secret.replace('whsec_', ''))
    })
  })

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
