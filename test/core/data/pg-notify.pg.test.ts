/**
 * Commit notifications across processes: events reach the subscribers of another instance without waiting for it to
 * poll.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCommitNotifier, type Origin } from '#core/async/worker.ts'
import type { App } from '#core/context/app.ts'
import { startNotifyBridge } from '#core/data/pg-notify.ts'
import { appendEvents, type NewEvent } from '#core/events/append.ts'
import { createFeed, type EventFeed } from '#core/events/feed.ts'
import { createInstances, type Instances } from '#test/support/instances.ts'
import { withServer } from '#test/support/postgres.ts'
import { startProxy } from '#test/support/proxy.ts'

const onPostgres = process.env['TEST_DATABASE'] === 'postgres'
const NEVER_MS = 3_600_000

const event = (): NewEvent => ({
  eventid: randomUUID(),
  kind: 'PAYMENT',
  eventType: 'PAYMENT_COMPLETED',
  eventTime: new Date(),
  transactionId: randomUUID(),
  operationStatus: 'succeeded',
  status: 'succeeded',
  description: 'done',
  clientCorrelatorId: null,
  paymentDate: null,
  clientId: 'demo-partner',
  accountNumber: '100001',
  mobileNumber: null,
})

/** Writes an event as a settler does; its id. */
const write = async (app: App): Promise<string> => {
  const written = event()
  await app.db.$transaction(tx => appendEvents(tx, [written]))
  app.eventsWritten.emit()
  return written.eventid
}

/** A feed that reads only when it is notified. */
const feedOf = (app: App): EventFeed => {
  const feed = createFeed({ ...app, sweepMs: NEVER_MS })
  app.eventsWritten.listen(() => feed.wake())
  return feed
}

/** Resolves with where the next signal comes from. */
const nextSignal = (app: App, name: 'posted' | 'eventsWritten' = 'posted'): Promise<Origin> =>
  new Promise(done => {
    const forget = app[name].listen(origin => {
      forget()
      done(origin)
    })
  })

/** An instance that hears the others: everybody looks once when its connection stands. */
const openListening = async (instances: Instances): Promise<App> => {
  const app = await instances.open()
  await nextSignal(app)
  return app
}

/** Cuts the connections of all instances, once there are any again. */
const cutAnnouncements = (url: string) =>
  withServer(async server => {
    const cut = () =>
      server.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = $1 AND application_name = 'partner-graph notifications'`,
        [new URL(url).pathname.slice(1)],
      )
    while ((await cut()).rowCount === 0);
  })

describe.skipIf(!onPostgres)('announcements', () => {
  let instances: Instances
  let writer: App
  let reader: App

  beforeAll(async () => {
    instances = await createInstances({ LOG_LEVEL: 'silent', DEMO: '0' })
    writer = await instances.open()
    reader = await instances.open()
  })
  afterAll(() => instances[Symbol.asyncDispose]())

  it('NOTIFY-01 events of one instance arrive at a subscriber of another, none lost, none twice', async () => {
    const stream = await feedOf(reader).subscribe({})
    const took: string[] = []
    const wrote: string[] = []
    const taking = (async () => {
      while (took.length < 50) took.push((await stream.next()).value!.eventid)
    })()
    for (let i = 0; i < 50; i++) wrote.push(await write(writer))
    await taking
    expect(took).toEqual(wrote)
    await stream.return()
  })

  it('NOTIFY-02 they still arrive after the connections were cut, also what was written meanwhile', async () => {
    const stream = await feedOf(reader).subscribe({})
    const next = async () => (await stream.next()).value!.eventid
    for (let round = 0; round < 3; round++) {
      await cutAnnouncements(instances.url)
      const wrote = [await write(writer), await write(reader), await write(writer)]
      expect([await next(), await next(), await next()]).toEqual(wrote)
    }
    await stream.return()
  })

  it('NOTIFY-03 a notification reaches every other instance, and is not sent on', async () => {
    const third = await openListening(instances)
    const origins = [nextSignal(writer), nextSignal(third), nextSignal(reader)]
    reader.posted.emit()
    expect(await Promise.all(origins)).toEqual(['remote', 'remote', 'local'])
  })

  it('NOTIFY-06 a commit whose work this instance has begun with reaches every other one too', async () => {
    const heard = nextSignal(reader, 'eventsWritten')
    writer.eventsWritten.emit('begun')
    expect(await heard).toBe('remote')
  })

  it('NOTIFY-05 a connection that went silent is made anew, and a stop does not wait for it', async () => {
    const { hostname, port } = new URL(instances.url)
    const proxy = await startProxy(hostname, Number(port || 5432))
    const url = new URL(instances.url)
    url.port = String(proxy.port)
    const posted = createCommitNotifier()
    const stood = () => new Promise<void>(done => posted.listen(origin => origin === 'remote' && done()))
    const { log, watchdog } = writer
    const first = stood()
    const bridge = startNotifyBridge({
      ...{ log, watchdog, connectionString: url.href },
      ...{ notifiers: { posted }, probeMs: 50 },
    })
    await first
    const second = stood()
    proxy.freeze()
    await second
    proxy.freeze()
    const began = performance.now()
    await bridge.close()
    expect(performance.now() - began).toBeLessThan(3_000)
    await proxy.close()
  })

  it('NOTIFY-04 nothing reaches another database on the same server', async () => {
    await using others = await createInstances({ LOG_LEVEL: 'silent', DEMO: '0' })
    const [other, neighbour] = [await openListening(others), await openListening(others)]
    const heard: string[] = []
    other.posted.listen(origin => heard.push(origin))
    const arrived = nextSignal(writer)
    reader.posted.emit()
    await arrived
    const last = nextSignal(other, 'eventsWritten')
    neighbour.eventsWritten.emit()
    expect(await last).toBe('remote')
    expect(heard).toEqual([])
  })
})
