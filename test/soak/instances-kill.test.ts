/**
 * Two gateways and two of each service, killed at random and started again under load: nothing is lost, nothing happens
 * twice. `INSTANCES_SECONDS` makes it longer, `INSTANCES_SEED` repeats a run's choices.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { toEventCursor } from '../../subgraphs/shared/delivery/event-cursor.ts'
import { startReceiver } from '../delivery/receiver.ts'
import { createGraph } from '../support/graph.ts'
import { SECRETS_KEY } from '../support/postgres.ts'
import { createRest } from '../support/rest.ts'
import { openTestApp } from '../support/stack.ts'
import { seeded } from '../values/random.ts'
import { type Cluster, startCluster } from './instances/cluster.ts'
import { faultsOf, noteOpening, underWay, writtenBy } from './instances/database.ts'
import { Listener } from './instances/listener.ts'
import { FREE, LIMITED, paySteadily, startLoad } from './instances/load.ts'
import { type Answered, Partner } from './instances/partner.ts'

const SECONDS = Number(process.env['INSTANCES_SECONDS'] ?? 12)
const SEED = Number(process.env['INSTANCES_SEED'] ?? Date.now() % 1_000_000)
const QUIET_SECONDS = 4
const SETTLED_MS = 60_000
const PAYMENTS = '/postpaid-billing/v1/payments'

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)]

/** Kills one after the other until the time is up; resolves when all are running again. */
const killAtRandom = async ({ members }: Cluster, random: (below: number) => number) => {
  const until = Date.now() + SECONDS * 1_000
  const away = new Map<string, Promise<void>>()
  const killed: string[] = []
  while (Date.now() < until) {
    const member = members[random(members.length)]!
    const pauses = [random(1_500), 300 + random(1_200)] as const
    if (!away.has(member.name)) {
      killed.push(member.name)
      const back = member
        .kill()
        .then(() => delay(pauses[0]))
        .then(() => member.start())
      away.set(
        member.name,
        back.finally(() => away.delete(member.name)),
      )
    }
    await delay(pauses[1])
  }
  await Promise.all(away.values())
  return killed
}

/** Polls a graph until stopped; gives every failure that is not a passing one. */
const startReader = (addresses: readonly string[], token: string) => {
  const unforeseen: string[] = []
  let stopped = false
  const query = `{ subscriber(mobileNumber: "+96891000001") { pointsBalance customer { totalDues payments(first: 5) { nodes { paymentId } } }
    rewards(first: 5) { nodes { rewardId } } timeline(first: 5) { nodes { kind transaction { id } } } } }`
  const running = (async () => {
    for (let n = 0; !stopped; n++) {
      const answer = await createGraph(addresses[n % addresses.length]!)(query, { token }).catch(error => {
        if (!(error instanceof TypeError)) unforeseen.push(String(error))
      })
      for (const { message, extensions } of answer?.errors ?? [])
        if (extensions.http.status < 503) unforeseen.push(message)
      await delay(100)
    }
  })()
  return {
    unforeseen,
    stop: () => {
      stopped = true
      return running
    },
  }
}

const until = async (what: string, holds: () => Promise<boolean>) => {
  const end = Date.now() + SETTLED_MS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${SETTLED_MS} ms: ${what}`)
    await delay(200)
  }
}

/** What was refused would have exceeded the limit, and what was not did not. */
const faultsOfLimits = (answered: readonly Answered[], written: Awaited<ReturnType<typeof writtenBy>>) => {
  const key = (kind: string, holder: string) => `${kind} ${holder}`
  const used = new Map<string, number>()
  // In hundredths, so that the sums are exact.
  for (const row of written.filter(({ clientId }) => clientId === LIMITED.id))
    used.set(
      key(row.kind, row.holder),
      (used.get(key(row.kind, row.holder)) ?? 0) + Math.round(Number(row.measure) * 100),
    )
  const limitOf = (kind: string) =>
    100 * Number(kind === 'REWARD' ? LIMITED.monthlyPoints : LIMITED.monthlyAmount)
  const over = [...used].filter(([name, sum]) => sum > limitOf(name.split(' ')[0]!)).map(String)
  const refused = answered.filter(({ id }) => id === undefined)
  const wrongly = refused.filter(
    ({ fixture, holder, measure }) =>
      (used.get(key(fixture.kind, holder)) ?? 0) + Math.round(measure * 100) <= limitOf(fixture.kind),
  )
  return { over, wrongly: wrongly.map(({ correlator }) => correlator), refused: refused.length }
}

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('fourteen processes', () => {
  it('MANY-KILL-01 killed at random lose nothing and do nothing twice', {
    timeout: 240_000 + 2_000 * SECONDS,
  }, async () => {
    const random = seeded(SEED)
    const randomKills = seeded(SEED + 1)
    await using stage = await openTestApp({ env: { DATABASE_POOL_SIZE: '3' } })
    const { db, config } = stage.app
    const tokens = new Map([
      [FREE.id, await stage.token(FREE)],
      [LIMITED.id, await stage.token(LIMITED)],
    ])
    const portal = await stage.token('demo-portal')
    await noteOpening(db)
    const [{ head }] = await db.$queryRaw<[{ head: bigint }]>`SELECT max(position) AS head FROM events.event`
    await using receiver = await startReceiver()
    await using cluster = await startCluster({
      DATABASE_URL: config.databaseUrl!,
      SECRETS_KEY,
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW: '127.0.0.1',
    })
    const addresses = cluster.gateways.map(({ address }) => address)
    const partner = new Partner(addresses)
    const load = { partner, tokens, webhook: receiver.url, random }
    const listen = (token: string, field: string) =>
      [addresses, addresses.toReversed()].map(
        in_ => new Listener({ addresses: in_, token, field, after: toEventCursor(head) }),
      )
    const everything = listen(portal, 'transactionEvents')
    const payments = listen(tokens.get(FREE.id)!, 'paymentEvents')
    const listeners = [...everything, ...payments]

    await paySteadily(load, 100, QUIET_SECONDS)
    await until('listeners hear the steady payments', async () =>
      listeners.every(({ heard }) => heard.length >= 100 * QUIET_SECONDS),
    )
    const latencies = (some: readonly Listener[]) =>
      some.flatMap(({ heard }) => heard.map(one => one.latencyMs))
    const told = (some: number[]) => `p50 ${percentile(some, 0.5)} ms, p99 ${percentile(some, 0.99)} ms`
    console.log(
      `quiet, 100 events/s: transactionEvents ${told(latencies(everything))}; paymentEvents ${told(latencies(payments))}`,
    )
    const quiet = listeners.map(({ heard }) => heard.length)
    const listOf = async (address: string) =>
      (
        await createRest(address)('GET', `${PAYMENTS}?perPage=20&seek=30`, { token: tokens.get(FREE.id)! })
      ).body.map((one: { paymentId: string }) => one.paymentId)
    const early = await listOf(addresses[0]!)

    const reader = startReader(addresses, portal)
    const stopLoad = startLoad(load)
    const killed = await killAtRandom(cluster, randomKills)
    await stopLoad()
    await reader.stop()
    await until('everything is settled, delivered and followed', async () => (await underWay(db)) === 0)
    const log = await db.event.findMany({ where: { position: { gt: head } }, orderBy: { position: 'asc' } })
    const expected = new Map<Listener, string[]>(
      everything.map(one => [one, log.map(({ eventid }) => eventid)]),
    )
    for (const one of payments)
      expected.set(
        one,
        log
          .filter(({ kind, clientId }) => kind === 'PAYMENT' && clientId === FREE.id)
          .map(({ eventid }) => eventid),
      )
    await until('every listener hears the last event', async () =>
      listeners.every(one => one.heard.at(-1)?.eventid === expected.get(one)!.at(-1)),
    ).catch(error => console.log(error.message))
    await Promise.all(listeners.map(one => one.stop()))

    const stormy = listeners.flatMap(({ heard }, n) => heard.slice(quiet[n]).map(one => one.latencyMs))
    console.log(
      `seed ${SEED}: ${partner.answered.length} answered, ${partner.repeats} repeats, ${killed.length} kills (${killed.join(' ')}), ` +
        `${listeners.map(({ cuts }) => cuts - 1).join('+')} cuts, event to subscriber while killing ${told(stormy)}`,
    )

    expect(cluster.members.flatMap(({ unexpected }) => unexpected).join('\n')).toBe('')
    expect([
      ...partner.unforeseen,
      ...reader.unforeseen,
      ...listeners.flatMap(({ unforeseen }) => unforeseen),
    ]).toEqual([])
    expect(await faultsOf(db)).toEqual([])
    const written = await writtenBy(db)
    const text = (client: string, correlator: string, id: string) => `${client} ${correlator} ${id}`
    const acknowledged = partner.answered.filter(({ id }) => id !== undefined)
    expect(written.map(row => text(row.clientId, row.correlator, row.id)).toSorted()).toEqual(
      acknowledged.map(one => text(one.client, one.correlator, one.id!)).toSorted(),
    )
    const { over, wrongly, refused } = faultsOfLimits(partner.answered, written)
    expect({ over, wrongly }).toEqual({ over: [], wrongly: [] })
    if (SECONDS >= 10) expect(refused).toBeGreaterThan(0)
    for (const one of listeners) expect(one.heard.map(({ eventid }) => eventid)).toEqual(expected.get(one))
    const called = log
      .filter(({ kind }) => kind !== 'MESSAGE')
      .map(({ eventid, transactionId }) => `${transactionId} ${eventid}`)
    const received = receiver.received.map(({ body }) => `${body.eventSubscriptionid} ${body.event.eventid}`)
    expect([...new Set(received)].toSorted()).toEqual(called.toSorted())
    for (const address of addresses) expect(await listOf(address)).toEqual(early)
  })
})
