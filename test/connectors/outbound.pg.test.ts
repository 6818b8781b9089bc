/** OUTBOUND=0: nothing leaves the server, posts are answered as ever, and what waits leaves once it may. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CONFIRM } from '#core/data/outbound.ts'
import { createAllInOne, type RunningServer } from '#gateway/all-in-one.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { createGraph } from '#test/support/graph.ts'
import { createRest } from '#test/support/rest.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'

/** Everything that could be called is at one port, which counts who comes and answers nothing. */
let everywhere: Server
const arrivals = { count: 0 }
let opened: TestApp
let server: RunningServer
let address: string
const logLines: string[] = []

const serve = async (app: TestApp['app']) => {
  server = await createAllInOne(app)
  address = await server.http.listen({ port: 0, host: '127.0.0.1' })
}

const settled = async () => {
  for (let round = 0; round < 2; round++) await Promise.all(server.services.map(one => one.settled()))
  await server.deliverer.idle()
}

const deliveries = () =>
  opened.app.db.delivery.findMany({ select: { status: true, attempts: true, lease: true, lastError: true } })

const ordersByState = () =>
  opened.app.db.$queryRaw<{ kind: string; attempts: number }[]>`
    SELECT kind, coalesce(sum(attempts), 0)::int AS attempts FROM charging."order" GROUP BY kind ORDER BY kind`

beforeAll(async () => {
  everywhere = createServer(socket => {
    arrivals.count++
    socket.on('error', () => undefined).destroy()
  }).listen(0, '127.0.0.1')
  await once(everywhere, 'listening')
  const { port } = everywhere.address() as { port: number }
  opened = await openTestApp({
    logLines,
    env: {
      OUTBOUND: '0',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW: `127.0.0.1:${port}`,
      CHARGING: 'http',
      CHARGING_PREPAID_URL: `http://127.0.0.1:${port}`,
      CHARGING_TOKEN: 'token',
      SMS: 'smpp',
      SMPP_URL: `smpp://id:password@127.0.0.1:${port}`,
    },
  })
  await serve(opened.app)
})
afterAll(async () => {
  await server?.stop()
  await opened?.[Symbol.asyncDispose]()
  everywhere?.close()
})

const hookUrl = () => `http://127.0.0.1:${(everywhere.address() as { port: number }).port}/hook`

/** The body of a fixture, with its webhook at the one port. */
const bodyOf = (body: object) =>
  JSON.parse(JSON.stringify(body, (name, value) => (name === 'notificationUrl' ? hookUrl() : value)))

it('OUT-01 MUST answer every post, and let nothing leave: no webhook, test event, charging call or bind', async () => {
  const token = await opened.token('demo-partner')
  for (const { path, body } of FIXTURES) {
    const { status } = await createRest(address)('POST', path, { token, body: bodyOf(body()) })
    expect(status, path).toBe(201)
  }
  await settled()
  const { errors } = await createGraph(address)(
    `mutation ($url: String!) { sendTestEvent(notificationUrl: $url, kind: PAYMENT) { status } }`,
    { token, variables: { url: hookUrl() } },
  )
  expect(errors).toMatchObject([
    { message: expect.stringContaining('OUTBOUND=0'), extensions: { code: 'SERVICE_UNAVAILABLE' } },
  ])
  expect(arrivals.count).toBe(0)
  const waiting = await deliveries()
  expect(waiting.length).toBeGreaterThan(0)
  for (const one of waiting)
    expect(one).toEqual({ status: 'PENDING', attempts: 0, lease: null, lastError: null })
  expect(await ordersByState()).toEqual([
    { kind: 'MESSAGE', attempts: 0 },
    { kind: 'RECHARGE', attempts: 0 },
  ])
})

it('OUT-02 MUST say so in readiness as a warning, in a metric, and once in the log', async () => {
  const ready = await fetch(`${address}/health/ready`)
  expect(ready.status).toBe(200)
  expect(await ready.json()).toMatchObject({
    status: 'ready',
    reasons: [],
    warnings: ['Nothing leaves this server: OUTBOUND=0'],
  })
  expect(await (await fetch(`${address}/metrics`)).text()).toMatch(/^outbound_enabled 0$/m)
  expect(logLines.filter(line => line.includes('Nothing leaves this server'))).toHaveLength(1)
  expect(logLines.join()).not.toContain('charging system is not called')
})

it('OUT-03 MUST let go what waited, once it may', async () => {
  await server.stop()
  await serve({ ...opened.app, outbound: { off: () => undefined } })
  await expect.poll(() => arrivals.count, { timeout: 10_000 }).toBeGreaterThan(2)
  await expect.poll(async () => (await deliveries()).some(({ attempts }) => attempts > 0)).toBe(true)
  expect(CONFIRM).toBe('npm run cli -- installation confirm')
})
