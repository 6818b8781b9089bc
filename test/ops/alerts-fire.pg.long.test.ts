/**
 * Alerts under the real Prometheus: what is broken is reported, and no longer once it is mended. Windows and waits are
 * seconds here, thresholds are those of the rules; what has to be old is made old in the database.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { projectPath } from '#core/config/project-files.ts'
import { createMetrics } from '#core/observability/metrics.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { type Receiver, startReceiver, status } from '#test/core/webhooks/receiver.ts'
import { postpaidBilling } from '#test/support/fixtures/postpaid-billing.ts'
import { startProxy, type TcpProxy } from '#test/support/proxy.ts'
import { refuseWrites } from '#test/support/refusals.ts'
import { createRest } from '#test/support/rest.ts'
import { createGateway, HAS_TOPOLOGY } from '#test/support/separate.ts'
import { SEPARATE, type Stack, startStack } from '#test/support/stack.ts'
import { AMTOOL, PROMETHEUS, PROMTOOL, type Prometheus, run, startPrometheus } from './prometheus.ts'

const LONG = { timeout: 240_000 }
const PATIENT = { timeout: 100_000, interval: 500 }
const ON_POSTGRES = process.env['TEST_DATABASE'] === 'postgres'

describe.skipIf(!PROMTOOL)('the files of ops/', () => {
  const folder = projectPath('ops/prometheus')

  it('OPS-20 MUST be valid to promtool, and pass their unit tests', LONG, async () => {
    for (const args of [
      ['check', 'rules', 'rules.yml'],
      ['check', 'config', 'prometheus.yml'],
      ['test', 'rules', 'rules.test.yml'],
    ]) {
      const { code, said } = await run(PROMTOOL!, args, folder)
      expect({ args, code, said: code === 0 ? '' : said }).toEqual({ args, code: 0, said: '' })
    }
  })

  it.skipIf(!AMTOOL)(
    'OPS-21 MUST be valid to amtool, which sends pages and tickets their own ways',
    async () => {
      const own = projectPath('ops/alertmanager')
      const checked = await run(AMTOOL!, ['check-config', 'alertmanager.yml'], own)
      expect(checked.code, checked.said).toBe(0)
      for (const [severity, receiver] of [
        ['page', 'pages'],
        ['ticket', 'tickets'],
      ]) {
        const labels = [`severity=${severity}`, 'service=partner-graph', 'alertname=x']
        const routed = await run(
          AMTOOL!,
          ['config', 'routes', 'test', '--config.file=alertmanager.yml', ...labels],
          own,
        )
        expect(routed.said).toMatch(new RegExp(`^${receiver}\n`))
      }
    },
  )
})

describe.skipIf(!PROMETHEUS || !HAS_TOPOLOGY || SEPARATE)('alerts', () => {
  const opened = new AsyncDisposableStack()
  /** How far the clock of webhooks is ahead, in milliseconds. */
  let ahead = 0
  let stack: Stack
  let receiver: Receiver
  let prometheus: Prometheus
  let toDatabase: TcpProxy | undefined
  /** Before one subgraph of a gateway; behind all of them is the stack. */
  let toLoyalty: TcpProxy

  /** Starts a gateway over the stack as if each of its services were a process. */
  const startGateway = async () => {
    const { hostname, port } = new URL(stack.address)
    toLoyalty = await startProxy(hostname, Number(port))
    opened.defer(() => toLoyalty.close())
    const urlOf = (name: string) =>
      name === 'loyalty' ? `http://127.0.0.1:${toLoyalty.port}` : stack.address
    const { subgraphUrls } = readConfig({
      SUBGRAPH_URLS: SERVICES.map(({ name }) => `${name}=${urlOf(name)}`).join(','),
    })
    const { app } = stack
    const database = { ask: () => app.db.$queryRaw`SELECT 1` }
    const config = { ...app.config, subgraphUrls }
    const gateway = await createGateway({ ...app, config, metrics: createMetrics({ ...app, database }) })
    opened.defer(() => gateway.stop())
    return gateway.http.listen({ port: 0, host: '127.0.0.1' })
  }

  beforeAll(async () => {
    receiver = opened.use(await startReceiver())
    if (ON_POSTGRES) {
      const server = new URL(process.env['TEST_DATABASE_URL']!)
      toDatabase = await startProxy(server.hostname, Number(server.port || 5432))
      opened.defer(() => toDatabase!.close())
    }
    stack = opened.use(
      await startStack({
        env: { WEBHOOK_ALLOW: '127.0.0.1', LOG_LEVEL: 'silent' },
        databasePort: toDatabase?.port,
        parts: async () => ({ delivery: { clockOffsetMs: () => ahead } }),
      }),
    )
    const gateway = await startGateway()
    prometheus = opened.use(
      await startPrometheus([stack.address, gateway].map(address => `${address}/metrics/targets`)),
    )
  }, LONG.timeout)
  afterAll(() => opened.disposeAsync(), LONG.timeout)

  const pay = async (webhook?: object) => {
    const { paymentTransaction } = postpaidBilling.body()
    const body = { paymentTransaction, webhook }
    const { status: code } = await createRest(stack.address)('POST', postpaidBilling.path, {
      token: await stack.token(),
      body,
    })
    expect(code).toBe(201)
  }

  const fires = (...names: string[]) =>
    expect.poll(() => prometheus.firing(), PATIENT).toEqual(expect.arrayContaining(names))

  const ends = (...names: string[]) =>
    expect
      .poll(async () => (await prometheus.firing()).filter(name => names.includes(name)), PATIENT)
      .toEqual([])

  /** Holds the only connection of the embedded database, which cannot be away otherwise. */
  const freeze = () => {
    const released = Promise.withResolvers<void>()
    const held = stack.app.db
      .$transaction(() => released.promise, { timeout: 200_000 })
      .catch(() => undefined)
    return async () => {
      released.resolve()
      await held
    }
  }

  const breakDatabase = (): (() => Promise<void>) => {
    if (!toDatabase) return freeze()
    toDatabase.cut()
    return async () => toDatabase!.restore()
  }

  it('ALERT-09 MUST be none while all is well, over every process that is discovered', LONG, async () => {
    const processes = ['all-in-one', 'gateway', ...SERVICES.map(({ name }) => name)].toSorted()
    await expect.poll(() => prometheus.processes(), PATIENT).toEqual(processes)
    // Other work on the machine of the test may delay its event loop, and the first scrapes beyond their limit.
    const firing = async () => (await prometheus.firing()).filter(name => name !== 'EventLoopBusy')
    await expect.poll(firing, PATIENT).toEqual([])
  })

  it('ALERT-10 MUST report a subgraph that does not answer, and its process', LONG, async () => {
    toLoyalty.cut()
    await fires('SubgraphDown', 'ProcessDown')
    toLoyalty.restore()
    await ends('SubgraphDown', 'ProcessDown')
  })

  it('ALERT-11 MUST report a database that does not answer, within moments of it', LONG, async () => {
    const mend = breakDatabase()
    await fires('DatabaseDown')
    await mend()
    await ends('DatabaseDown')
  })

  it('ALERT-12 MUST report that nothing is settled', LONG, async () => {
    const { db } = stack.app
    const mend = await refuseWrites(db, ['charging.progress'], { state: 'P0001', words: 'stuck' })
    await pay()
    await db.payment.updateMany({
      where: { status: 'processing' },
      data: { createdAt: new Date(Date.now() - 600_000) },
    })
    await fires('SettlingBehind', 'WorkerStandsStill')
    await mend()
    await ends('SettlingBehind', 'WorkerStandsStill')
  })

  it(
    'ALERT-13 MUST report an endpoint that does not take webhooks, and what was given up',
    LONG,
    async () => {
      receiver.answer = status(500)
      await pay({ notificationUrl: receiver.url })
      await stack.settled()
      await stack.app.db.delivery.updateMany({
        where: { status: 'PENDING' },
        data: { createdAt: new Date(Date.now() - 3_600_000) },
      })
      await fires('WebhooksWait')
      receiver.answer = status(410)
      ahead += 600_000
      await stack.server.deliverer.idle()
      await fires('WebhooksGivenUp')
      await ends('WebhooksWait', 'WebhooksGivenUp')
    },
  )
})
