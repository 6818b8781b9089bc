/** One payment's traces in one process, from its POST to its webhook and its subscriber, and over a restart. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as conventions from '@opentelemetry/semantic-conventions'
import * as incubating from '@opentelemetry/semantic-conventions/incubating'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startReceiver, status } from '../../core/webhooks/receiver.ts'
import { type ServerProcess, startProcess } from '../../support/process.ts'
import { bearer, connect } from '../../support/subscribe.ts'
import { ask, isLinked, newTrace, only, POST_PAYMENT, pay, tokenOf, VALUES } from './client.ts'
import type { ReceivedSpan } from './otlp.ts'
import { TraceReceiver } from './receiver.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const SETTLE = 'settle PAYMENT'
const EVENT = 'create event'
const WEBHOOK = 'POST webhook'
const DELIVER = 'deliver event'

const CUSTOMER_360 = `query Look {
  subscriber(mobileNumber: "+96891000002") {
    customer { customerName payments(first: 1) { totalCount } }
    timeline(first: 1) { nodes { kind } }
  }
}`

describe('one process', () => {
  let traces: TraceReceiver
  let server: ServerProcess
  let token: string

  beforeAll(async () => {
    traces = await TraceReceiver.start()
    server = await startProcess({ DATA_DIR: 'memory:', WEBHOOK_ALLOW: '127.0.0.1', ...traces.env })
    token = await tokenOf(server.address, 'demo-partner')
  })
  afterAll(async () => {
    await server.stop()
    await traces[Symbol.asyncDispose]()
  })

  it('has one trace from the POST to the webhook and the subscriber, linked to the POST', async () => {
    await using hooks = await startReceiver()
    const portal = await tokenOf(server.address, 'demo-portal')
    using socket = connect(server.address, bearer(portal))
    using events = socket.subscribe('subscription Watch { paymentEvents { eventid payment { paymentId } } }')
    // Until it follows, events pass it by.
    await vi.waitFor(
      async () => {
        await pay(server.address, token)
        expect(events.rest()).not.toEqual([])
      },
      { timeout: 60_000, interval: 500 },
    )
    const { headers, traceId } = newTrace()
    await pay(server.address, token, headers, hooks.url)
    await events.next()
    await hooks.count(1)
    const spans = await traces.trace(traceId, { [POST_PAYMENT]: 1, [SETTLE]: 1, [EVENT]: 1, [WEBHOOK]: 1 })
    const post = only(spans, POST_PAYMENT)
    for (const name of [SETTLE, EVENT, WEBHOOK]) expect(isLinked(only(spans, name), post), name).toBe(true)
    const { traceparent } = hooks.received[0]!.headers
    expect(traceparent).toBe(`00-${traceId}-${only(spans, WEBHOOK).spanId}-01`)
    events[Symbol.dispose]()
    const [delivered] = (await traces.trace(traceId, { [DELIVER]: 1 })).filter(({ name }) => name === DELIVER)
    expect(isLinked(delivered!, post)).toBe(true)
    expect(delivered!.attributes['graphql.operation.name']).toBe('Watch')
  })

  it('has a trace of its own for each payment that is settled together with others', async () => {
    const all = Array.from({ length: 20 }, () => newTrace())
    await Promise.all(all.map(({ headers }) => pay(server.address, token, headers)))
    for (const { traceId } of all) {
      const spans = await traces.trace(traceId, { [POST_PAYMENT]: 1, 'post PAYMENT': 1, [SETTLE]: 1 })
      expect(isLinked(only(spans, SETTLE), only(spans, POST_PAYMENT))).toBe(true)
    }
  })

  it('names plan, fetches and statements of a query, and no plan once it is compiled', async () => {
    const portal = await tokenOf(server.address, 'demo-portal')
    const [first, second] = [newTrace(), newTrace()]
    await ask(server.address, portal, CUSTOMER_360, first.headers)
    await ask(server.address, portal, CUSTOMER_360, second.headers)
    const wanted = { 'POST /graphql': 1, 'fetch postpaid-billing': 1, 'fetch activity': 1 }
    const [planned, compiled] = [
      await traces.trace(first.traceId, { ...wanted, plan: 1 }),
      await traces.trace(second.traceId, wanted),
    ]
    expect(compiled.map(({ name }) => name)).not.toContain('plan')
    expect(only(planned, 'POST /graphql').attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/graphql',
      'http.response.status_code': 200,
      'graphql.operation.name': 'Look',
      'graphql.operation.type': 'query',
      'partner_graph.client.id': 'demo-portal',
    })
    const fetches = new Set(
      planned.filter(({ name }) => name.startsWith('fetch ')).map(({ spanId }) => spanId),
    )
    const statements = planned.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql')
    expect(statements.length).toBeGreaterThan(2)
    expect(statements.some(({ parentSpanId }) => fetches.has(parentSpanId))).toBe(true)
    expect(statements.map(({ name }) => name)).toContain('SELECT activity.entry')
  })

  it('has the status of a refusal, and no failure', async () => {
    const { headers, traceId } = newTrace()
    await fetch(`${server.address}/postpaid-billing/v1/payments`, { method: 'POST', headers })
    const refused = only(await traces.trace(traceId, { [POST_PAYMENT]: 1 }), POST_PAYMENT)
    expect(refused.attributes).toMatchObject({
      'http.response.status_code': 401,
      'partner_graph.code': 'UNAUTHORIZED',
    })
    expect(refused.status).toBe(0)
  })

  it('records nothing of a trace that its client does not record', async () => {
    const [left, kept] = [newTrace(false), newTrace()]
    await using hooks = await startReceiver()
    await pay(server.address, token, left.headers, hooks.url)
    await hooks.count(1)
    expect(hooks.received[0]!.headers['traceparent']).toMatch(
      new RegExp(`^00-${left.traceId}-[0-9a-f]{16}-00$`),
    )
    await pay(server.address, token, kept.headers)
    await traces.trace(kept.traceId, { [SETTLE]: 1 })
    expect((await traces.spans()).filter(({ traceId }) => traceId === left.traceId)).toEqual([])
  })

  it('has no value of a client in any span, and the names of the semantic conventions', async () => {
    const spans = await traces.spans()
    const known = new Set<unknown>(Object.values({ ...conventions, ...incubating }))
    const text = JSON.stringify(spans)
    expect(spans.length).toBeGreaterThan(100)
    for (const value of VALUES) expect(text, value).not.toContain(value)
    const names = new Set(
      spans.flatMap(({ attributes, resource }) => Object.keys({ ...attributes, ...resource })),
    )
    const unknown = [...names].filter(name => !known.has(name) && !name.startsWith('partner_graph.'))
    expect(unknown).toEqual([])
    expect(spans.every(({ service }) => service === 'partner-graph')).toBe(true)
  })
})

it('links a webhook that is sent after a restart to the POST before it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'traces-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  await using traces = await TraceReceiver.start()
  await using hooks = await startReceiver()
  // The wait until the next attempt is longer than the first process takes to stop, also on a busy machine.
  hooks.answer = status(500, '', { 'retry-after': '10' })
  const env = {
    ...traces.env,
    DATA_DIR: dataDir,
    WEBHOOK_ALLOW: '127.0.0.1',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=oper%20ator',
    OTEL_SERVICE_NAME: 'billing',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  }
  const first = await startProcess(env)
  const { headers, traceId } = newTrace()
  await pay(first.address, await tokenOf(first.address, 'demo-partner'), headers, hooks.url)
  await hooks.count(1)
  // The attempt is over, and recorded as one: a stop in its middle would have it made again, as if nothing had been sent.
  await traces.trace(traceId, { [WEBHOOK]: 1 })
  await first.stop()
  hooks.answer = status(204)
  const second = await startProcess(env)
  onTestFinished(() => second.kill())
  await hooks.count(2)
  const spans = await traces.trace(traceId, { [POST_PAYMENT]: 1, [SETTLE]: 1, [WEBHOOK]: 2 })
  const post = only(spans, POST_PAYMENT)
  const attempts = spans
    .filter(({ name }) => name === WEBHOOK)
    .toSorted((one, other) => one.startedAt - other.startedAt)
  expect(attempts.map(span => isLinked(span, post))).toEqual([true, true])
  expect(attempts.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([500, 204])
  expect(attempts.map(({ status: code }) => code)).toEqual([2, 0])
  const instances = new Set(attempts.map(({ resource }) => resource['service.instance.id']))
  expect(instances.size).toBe(2)
  expect(post).toMatchObject<Partial<ReceivedSpan>>({ service: 'billing' })
  expect(post.resource['deployment.environment.name']).toBe('test')
  const [request] = await traces.requests()
  expect(request!.contentType).toBe('application/json')
  expect(request!.headers).toMatchObject({ 'x-tenant': 'oper ator', 'content-encoding': 'gzip' })
})
