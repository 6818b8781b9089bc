/**
 * A database under Patroni that fails over while payments are posted: by several hosts in `DATABASE_URL`, and through
 * HAProxy. `FAILOVER_CASES=ci` tries each way to lose a primary once, else there are 20 losses.
 */
import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { untilFollowed } from '#test/support/metrics.ts'
import { SECRETS_KEY } from '#test/support/postgres.ts'
import { type ServerProcess, startProcess } from '#test/support/process.ts'
import { type Receiver, startReceiver, tokenAt } from '#test/support/steady-load.ts'
import { bearer, connect, type Incoming } from '#test/support/subscribe.ts'
import { LOSSES, type Loss } from './faults.ts'
import { type FailoverLoad, type LoadedServer, startFailoverLoad } from './load.ts'
import { missingForPatroni, type Node, type PatroniCluster, startPatroni } from './patroni.ts'
import type { LossFigure } from './table.ts'

const START_MS = 240_000
const ROUND_MS = 240_000
const PROMOTION_MS = 90_000
/** From the promotion on, the longest until writes are back. */
const BACK_MS = 10_000
const END_MS = 120_000

const ROUNDS = process.env['FAILOVER_CASES'] === 'ci' ? LOSSES.length : 20
const PLAN = Array.from({ length: ROUNDS }, (_, round) => ({
  round: round + 1,
  loss: LOSSES[round % LOSSES.length]!,
}))

const missing = missingForPatroni()
if (missing) console.warn(`A database that fails over is not tried: ${missing}`)

const isPrimary = async (node: Node): Promise<boolean> => {
  const client = new pg.Client({
    connectionString: `postgresql://postgres@${node.machine.address}:5432/postgres`,
    connectionTimeoutMillis: 1_000,
    query_timeout: 1_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query('SELECT NOT pg_is_in_recovery() AS "isPrimary"')
    return rows[0].isPrimary
  } catch {
    return false
  } finally {
    client.connection.stream.destroy()
  }
}

/** Reads that replicas may do, by the place where they were done. */
const readsDone = async ({ address }: LoadedServer): Promise<Record<string, number>> => {
  const text = await (await fetch(`${address}/metrics`)).text()
  const found = text.matchAll(/^replica_reads_total\{[^}]*place="(\w+)"[^}]*\} (\d+)/gm)
  return Object.fromEntries([...found].map(([, place, count]) => [place, Number(count)]))
}

/** The moment at which one of these nodes is the primary. */
const promotionOf = async (nodes: readonly Node[]): Promise<number> => {
  const until = performance.now() + PROMOTION_MS
  while (performance.now() < until) {
    if ((await Promise.all(nodes.map(isPrimary))).some(Boolean)) return performance.now()
    await delay(50)
  }
  throw new Error(`No standby was promoted within ${PROMOTION_MS} ms`)
}

describe.skipIf(missing)('a database that fails over', () => {
  const opened = new AsyncDisposableStack()
  let cluster: PatroniCluster
  let load: FailoverLoad
  let receiver: Receiver
  let events: Incoming
  const servers: (LoadedServer & { readonly process: ServerProcess })[] = []

  const start = async (name: string, url: string) => {
    const server = await startProcess({
      DATABASE_URL: url,
      DATABASE_REPLICA_URL: `postgresql://postgres@${cluster.hosts}/postgres?target_session_attrs=standby&load_balance_hosts=random`,
      SECRETS_KEY,
      DATABASE_POOL_SIZE: '8',
      DEMO: '1',
      WEBHOOK_ALLOW: '127.0.0.1',
    })
    opened.defer(async () => void (await server.stop()))
    const { address } = server
    const [partner, portal] = [await tokenAt(address), await tokenAt(address, 'demo-portal')]
    servers.push({ name, address, partner, portal, process: server })
  }

  beforeAll(async () => {
    cluster = opened.use(await startPatroni())
    const end = '/postgres?target_session_attrs=read-write'
    await start('hosts', `postgresql://postgres@${cluster.hosts}${end}`)
    await start('proxy', `postgresql://postgres@${cluster.proxy}${end}`)
    receiver = opened.use(await startReceiver())
    const socket = opened.use(connect(servers[0]!.address, bearer(servers[0]!.portal)))
    await socket.socket
    events = opened.use(socket.subscribe('subscription { paymentEvents { eventDetail { paymentId } } }'))
    await untilFollowed(servers[0]!.address)
    load = startFailoverLoad(servers, receiver.url)
    opened.defer(() => load.stop())
  }, START_MS)
  afterAll(() => opened.disposeAsync(), START_MS)

  /** Loses the primary, and waits until all is as before. */
  const lose = async (loss: Loss): Promise<Omit<LossFigure, 'round'>> => {
    const primary = await cluster.leader()
    const others = cluster.nodes.filter(node => node !== primary)
    await load.fresh(performance.now())
    const statusesBefore = new Map(load.statuses)
    const since = (status: number) => (load.statuses.get(status) ?? 0) - (statusesBefore.get(status) ?? 0)
    const began = performance.now()
    const promotion = promotionOf(others)
    const [promotedAt] = await Promise.all([promotion, loss.inflict(cluster, primary)])
    const back = await load.fresh(promotedAt)
    await delay(500)
    await loss.undo(cluster, primary)
    await cluster.whole()
    const backMs = (name: string) => Math.round(back.get(name)! - promotedAt)
    return {
      loss: loss.name,
      promotedMs: Math.round(promotedAt - began),
      hostsMs: backMs('hosts'),
      proxyMs: backMs('proxy'),
      unavailable: since(503),
      late: since(504),
      told: load.told.size,
    }
  }

  it.each(PLAN)(
    'FAILOVER-01 MUST go on within 10 s of the promotion, without an answer 500: $round, $loss.name',
    async ({ round, loss }) => {
      const figure = { round, ...(await lose(loss)) }
      appendFileSync(inject('losses'), `${JSON.stringify(figure)}\n`)
      expect(load.faults).toEqual([])
      expect(Math.max(figure.hostsMs, figure.proxyMs)).toBeLessThan(BACK_MS)
    },
    ROUND_MS,
  )

  it(
    'FAILOVER-02 MUST have lost nothing that was acknowledged, and done nothing twice',
    async () => {
      await load.stop()
      const { machine } = await cluster.leader()
      const client = new pg.Client(`postgresql://postgres@${machine.address}:5432/postgres`)
      await client.connect()
      const rowsOf = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows
      const count = async (sql: string) => Number((await rowsOf(sql))[0]![0])
      const OURS = `postpaid.payment WHERE reference_code = 'failover'`
      try {
        const until = performance.now() + END_MS
        while ((await count(`SELECT count(*) FROM ${OURS} AND status = 'PROCESSING'`)) > 0) {
          if (performance.now() > until) throw new Error('Payments are not settled')
          await delay(200)
        }
        const kept = new Map(
          (await rowsOf(`SELECT client_correlator_id, id::text FROM ${OURS}`)) as [string, string][],
        )
        const lost = [...load.told].filter(([correlator, id]) => kept.get(correlator) !== id)
        expect(lost).toEqual([])
        expect(await count(`SELECT count(*) FROM ${OURS}`)).toBe(kept.size)
        const ids = `(SELECT id FROM ${OURS})`
        for (const [table, key] of [
          ['ledger.entry', 'transaction_id'],
          ['events.event', 'transaction_id'],
          ['events.delivery', 'transaction_id'],
          ['activity.entry', 'id'],
        ]) {
          const once = `SELECT count(*) FROM (SELECT ${key} FROM ${table} WHERE ${key} IN ${ids} GROUP BY 1 HAVING count(*) = 1) AS found`
          while ((await count(once)) !== kept.size) {
            if (performance.now() > until) throw new Error(`Not each payment is in ${table} once`)
            await delay(200)
          }
        }
        const sum = `SELECT coalesce(sum(amount), 0)::text FROM ledger.entry WHERE transaction_id IN ${ids}`
        expect(Math.abs(Number((await rowsOf(sum))[0]![0]))).toBeCloseTo(kept.size * 0.001, 6)
        while ([...kept.values()].some(id => !receiver.received.has(id))) {
          if (performance.now() > until) throw new Error('Webhooks are missing')
          await delay(200)
        }
        await delay(2_000)
        const seen = events.rest().map(({ data }) => data.paymentEvents.eventDetail.paymentId)
        expect(seen.filter((id, index) => seen.indexOf(id) !== index)).toEqual([])
        expect([...load.told.values()].filter(id => !seen.includes(id))).toEqual([])
        const done = await Promise.all(servers.map(readsDone))
        expect(Math.min(...done.map(({ replica }) => replica ?? 0))).toBeGreaterThan(0)
        console.log(
          `reads that replicas may do, by place: ${JSON.stringify(done)}; ${load.told.size} payments acknowledged, ${kept.size} kept; answers ${JSON.stringify([...load.statuses])}`,
        )
      } finally {
        await client.end()
      }
    },
    END_MS + 30_000,
  )
})
