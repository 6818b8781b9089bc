/**
 * Two gateways and two of each service, killed at random and started again under load: nothing is lost, nothing happens
 * twice. `INSTANCES_SECONDS` makes it longer, `INSTANCES_SEED` repeats a run's choices.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { seeded } from '#test/core/values/random.ts'
import { hasBalancer } from '#test/support/balancer.ts'
import { faultsOf, inFlight, writtenBy } from './instances/database.ts'
import { killAtRandom } from './instances/killing.ts'
import { faultsOfLimits } from './instances/limits.ts'
import type { Listener } from './instances/listener.ts'
import { FREE, paySteadily, startLoad } from './instances/load.ts'
import { startReader } from './instances/reader.ts'
import { type KillStage, openStage } from './instances/stage.ts'

const SECONDS = Number(process.env['INSTANCES_SECONDS'] ?? 12)
const SEED = Number(process.env['INSTANCES_SEED'] ?? Date.now() % 1_000_000)
const QUIET_SECONDS = 4
const QUIET_RATE = 100
const SETTLED_MS = 60_000

type Events = Awaited<ReturnType<KillStage['events']>>

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)]

const inWords = (values: readonly number[]) =>
  `p50 ${percentile(values, 0.5)} ms, p99 ${percentile(values, 0.99)} ms`

const latencies = (some: readonly Listener[]) => some.flatMap(({ heard }) => heard.map(one => one.latencyMs))

const until = async (what: string, holds: () => Promise<boolean>) => {
  const end = Date.now() + SETTLED_MS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${SETTLED_MS} ms: ${what}`)
    await delay(200)
  }
}

/** A steady load while nobody is killed: how soon events come. */
const beQuiet = async ({ load, listeners, everything, payments }: KillStage) => {
  await paySteadily(load, QUIET_RATE, QUIET_SECONDS)
  await until('listeners hear the steady payments', async () =>
    listeners.every(({ heard }) => heard.length >= QUIET_RATE * QUIET_SECONDS),
  )
  console.log(
    `quiet, ${QUIET_RATE} events/s: transactionEvents ${inWords(latencies(everything))}; paymentEvents ${inWords(latencies(payments))}`,
  )
}

/** All load at once, while one process after the other is killed; resolves when nothing is under way any more. */
const storm = async ({ load, cluster, addresses, portal, db }: KillStage) => {
  const reader = startReader(addresses, portal)
  const stopLoad = startLoad(load)
  const killed = await killAtRandom(cluster, seeded(SEED + 1), SECONDS)
  await stopLoad()
  await reader.stop()
  await until('everything is settled, delivered and followed', async () => (await inFlight(db)) === 0)
  return { killed, unforeseen: reader.unforeseen }
}

/** The events that each listener should have heard. */
const expectedBy = ({ everything, payments }: KillStage, events: Events) => {
  const own = events.filter(({ kind, clientId }) => kind === 'PAYMENT' && clientId === FREE.id)
  const ids = (some: Events) => some.map(({ eventid }) => eventid)
  return new Map<Listener, string[]>([
    ...everything.map(one => [one, ids(events)] as const),
    ...payments.map(one => [one, ids(own)] as const),
  ])
}

/** One that has not come in time is reported as missing below. */
const untilHeard = async ({ listeners }: KillStage, expected: ReturnType<typeof expectedBy>) => {
  await until('every listener hears the last event', async () =>
    listeners.every(one => one.heard.at(-1)?.eventid === expected.get(one)!.at(-1)),
  ).catch(error => console.log(error.message))
  await Promise.all(listeners.map(one => one.stop()))
}

const checkWritten = async ({ partner, db }: KillStage) => {
  expect(await faultsOf(db)).toEqual([])
  const written = await writtenBy(db)
  const acknowledged = partner.answered.filter(({ id }) => id !== undefined)
  expect(written.map(row => `${row.clientId} ${row.correlator} ${row.id}`).toSorted()).toEqual(
    acknowledged.map(one => `${one.client} ${one.correlator} ${one.id!}`).toSorted(),
  )
  const { over, wrongly, refused } = faultsOfLimits(partner.answered, written)
  expect({ over, wrongly }).toEqual({ over: [], wrongly: [] })
  if (SECONDS >= 10) expect(refused).toBeGreaterThan(0)
}

const checkCalled = ({ receiver }: KillStage, events: Events) => {
  const called = events
    .filter(({ kind }) => kind !== 'MESSAGE')
    .map(({ eventid, transactionId }) => `${transactionId} ${eventid}`)
  const received = receiver.received.map(({ body }) => `${body.eventSubscriptionid} ${body.event.eventid}`)
  expect([...new Set(received)].toSorted()).toEqual(called.toSorted())
}

const report = ({ partner, listeners }: KillStage, killed: readonly string[], stormy: readonly number[]) =>
  console.log(
    `seed ${SEED}: ${partner.answered.length} answered, ${partner.repeats} repeats, ${killed.length} kills (${killed.join(' ')}), ` +
      `${listeners.map(({ cuts }) => cuts - 1).join('+')} cuts, event to subscriber while killing ${inWords(stormy)}`,
  )

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres' || !hasBalancer())('fourteen processes', () => {
  it('MANY-KILL-01 killed at random lose nothing and do nothing twice', {
    timeout: 240_000 + 2_000 * SECONDS,
  }, async () => {
    await using stage = await openStage(seeded(SEED))
    const { listeners, addresses, cluster, partner } = stage
    await beQuiet(stage)
    const quiet = listeners.map(({ heard }) => heard.length)
    const early = await stage.listAt(addresses[0]!)

    const { killed, unforeseen } = await storm(stage)
    const events = await stage.events()
    const expected = expectedBy(stage, events)
    await untilHeard(stage, expected)
    report(
      stage,
      killed,
      listeners.flatMap(({ heard }, n) => heard.slice(quiet[n]).map(one => one.latencyMs)),
    )

    expect(cluster.members.flatMap(subscriber => subscriber.unexpected).join('\n')).toBe('')
    const strange = [...partner.unforeseen, ...unforeseen, ...listeners.flatMap(one => one.unforeseen)]
    expect(strange).toEqual([])
    await checkWritten(stage)
    for (const one of listeners) expect(one.heard.map(({ eventid }) => eventid)).toEqual(expected.get(one))
    checkCalled(stage, events)
    for (const address of addresses) expect(await stage.listAt(address)).toEqual(early)
  })
})
