/** One payment's trace over processes of their own: gateway, service, and the process that settles and sends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReceiver } from '#test/core/webhooks/receiver.ts'
import {
  ask,
  isLinked,
  newTrace,
  only,
  POST_PAYMENT,
  pay,
  tokenOf,
} from '#test/observability/traces/client.ts'
import { TraceReceiver } from '#test/observability/traces/receiver.ts'
import { createEmpty, type Scratch, SECRETS_KEY } from '#test/support/postgres.ts'
import { type ServerProcess, START_ALL, startProcess } from '#test/support/process.ts'

const LONG_MS = 180_000

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('traces over processes', () => {
  let traces: TraceReceiver
  let scratch: Scratch
  let all: ServerProcess

  beforeAll(async () => {
    traces = await TraceReceiver.start()
    scratch = await createEmpty()
    const settings = { DATABASE_URL: scratch.url, SECRETS_KEY, DEMO: '1', WEBHOOK_ALLOW: '127.0.0.1' }
    all = await startProcess({ ...settings, ...traces.env }, START_ALL)
  }, LONG_MS)
  afterAll(async () => {
    await all?.stop()
    await traces?.[Symbol.asyncDispose]()
    await scratch?.drop()
  }, LONG_MS)

  it('lead from the POST at the gateway through the service to its settling and its webhook', {
    timeout: LONG_MS,
  }, async () => {
    await using hooks = await startReceiver()
    const token = await tokenOf(all.address, 'demo-partner')
    const { headers, traceId } = newTrace()
    await pay(all.address, token, headers, hooks.url)
    await hooks.count(1)
    const spans = await traces.trace(traceId, {
      [POST_PAYMENT]: 2,
      'settle PAYMENT': 1,
      'create event': 1,
      'POST webhook': 1,
    })
    const posts = spans.filter(({ name }) => name === POST_PAYMENT)
    const atService = posts.find(({ parentSpanId }) => spans.some(({ spanId }) => spanId === parentSpanId))!
    const atGateway = posts.find(post => post !== atService)!
    const instanceOf = ({ resource }: (typeof spans)[number]) => resource['service.instance.id']
    expect(instanceOf(atService)).not.toBe(instanceOf(atGateway))
    for (const name of ['settle PAYMENT', 'create event', 'POST webhook'])
      expect(isLinked(only(spans, name), atService), name).toBe(true)
    expect(hooks.received[0]!.headers['traceparent']).toContain(traceId)
  })

  it('lead from an operation through its fetches to the statements of the services', {
    timeout: LONG_MS,
  }, async () => {
    const portal = await tokenOf(all.address, 'demo-portal')
    const { headers, traceId } = newTrace()
    const query = '{ subscriber(mobileNumber: "+96891000002") { customer { customerName } pointsBalance } }'
    await ask(all.address, portal, query, headers)
    const spans = await traces.trace(traceId, { 'POST /graphql': 3, 'fetch postpaid-billing': 1 })
    const fetches = spans.filter(({ name }) => name.startsWith('fetch '))
    const requests = spans.filter(({ name }) => name === 'POST /graphql')
    const ofServices = requests.filter(one => fetches.some(({ spanId }) => spanId === one.parentSpanId))
    expect(ofServices.length).toBeGreaterThan(0)
    const inServices = new Set(ofServices.map(({ resource }) => resource['service.instance.id']))
    const statements = spans.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql')
    expect(statements.some(({ resource }) => inServices.has(resource['service.instance.id']))).toBe(true)
  })
})
