/**
 * `npm run simulate`: a day in minutes. All kinds of transaction with webhooks come by the curve of a day, to one PostgreSQL, or
 * to the three nodes with Citus of `CITUS_DATABASE_URL`. Each hour says what clients waited for, what lagged, and what each node
 * worked. `--count` transactions, `--minutes` that the day lasts.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { HOUR_SHARES, hourMs, type Replay } from './lib/day-curve.ts'
import type { DayJob, PostedHour } from './lib/day-process.ts'
import { dayTable, type HourFigures, nodeTable } from './lib/day-report.ts'
import { type DayStage, openDayStage } from './lib/day-stage.ts'
import { MIX } from './lib/mix.ts'
import type { NodeReading } from './lib/nodes.ts'
import { percentiles } from './lib/percentiles.ts'
import { startWorker } from './lib/worker.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    minutes: { type: 'string', default: '8' },
  },
})
const REPLAY: Replay = { count: Number(values.count), seconds: Number(values.minutes) * 60 }
const SAMPLE_MS = 1_000
const END_MS = 300_000

/** Lags as the program's own metrics tell, in seconds. */
const LAGS = {
  settling: 'settling_lag_seconds',
  webhooks: 'webhook_oldest_seconds',
  timeline: 'timeline_lag_seconds',
}
type Lag = keyof typeof LAGS

const lagsIn = (text: string): Record<Lag, number> => {
  const worst = (metric: string) =>
    Math.max(
      0,
      ...[...text.matchAll(new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
        Number(value),
      ),
    )
  return { settling: worst(LAGS.settling), webhooks: worst(LAGS.webhooks), timeline: worst(LAGS.timeline) }
}

/** Readings of an hour. */
interface Watched {
  readonly lags: Record<Lag, number>
  readonly program: number
  readonly nodes: readonly NodeReading[]
}

const readAll = async ({ server, nodes }: DayStage) => ({
  program: await server.cpuSeconds(),
  nodes: await Promise.all(nodes.map(node => node.read())),
})

/** Watches an hour, and gives what was used in it and the longest lags. */
const watchHour = async (stage: DayStage, until: number): Promise<Watched> => {
  const before = await readAll(stage)
  const lags: Record<Lag, number> = { settling: 0, webhooks: 0, timeline: 0 }
  while (performance.now() < until) {
    await delay(Math.max(0, Math.min(SAMPLE_MS, until - performance.now())))
    const now = lagsIn(await (await fetch(`${stage.server.address}/metrics`)).text())
    for (const name of Object.keys(lags) as Lag[]) lags[name] = Math.max(lags[name], now[name])
  }
  const after = await readAll(stage)
  return {
    lags,
    program: after.program - before.program,
    nodes: after.nodes.map(({ cpuSeconds, walBytes }, index) => ({
      cpuSeconds: cpuSeconds - before.nodes[index]!.cpuSeconds,
      walBytes: walBytes - before.nodes[index]!.walBytes,
    })),
  }
}

const count = async (client: pg.Client, sql: string): Promise<number> =>
  Number((await client.query<{ count: string }>(sql)).rows[0]!.count)

/** Statements that count what is under way; each is of one schema, so that one node answers it. */
const UNDER_WAY = [
  ...MIX.map(({ table }) => `SELECT count(*) FROM ${table} WHERE completed_at IS NULL`),
  `SELECT count(*) FROM events.delivery WHERE status = 'PENDING'`,
  `SELECT count(*) FROM activity.entry WHERE outcome = 'PENDING'`,
]

const untilDone = async ({ client }: DayStage): Promise<number> => {
  const began = performance.now()
  for (;;) {
    let left = 0
    for (const sql of UNDER_WAY) left += await count(client, sql)
    if (left === 0) return performance.now() - began
    if (performance.now() - began > END_MS) throw new Error(`${left} rows are still under way`)
    await delay(200)
  }
}

/** Milliseconds between two times of each row, by the hour of the first. */
const waitsByHour = async (client: pg.Client, table: string, from: string, to: string, begin: number) => {
  const { rows } = await client.query<{ at: number; ms: number }>(
    `SELECT extract(epoch FROM ${from})::float8 * 1000 AS at, extract(epoch FROM ${to} - ${from})::float8 * 1000 AS ms
     FROM ${table} WHERE ${to} IS NOT NULL`,
  )
  const hours: number[][] = HOUR_SHARES.map(() => [])
  for (const { at, ms } of rows)
    hours[Math.min(hours.length - 1, Math.max(0, Math.floor((at - begin) / hourMs(REPLAY))))]!.push(ms)
  return hours
}

await using stage = await openDayStage()
console.log(
  `${REPLAY.count} transactions in ${REPLAY.seconds} s on ${stage.about}: up to ${Math.round((Math.max(...HOUR_SHARES) * REPLAY.count * 1_000) / hourMs(REPLAY))}/s`,
)
await using partners = startWorker('day-process.ts')
const before = await readAll(stage)
const sizesBefore = await stage.sizes()
const begin = Date.now()
const start = performance.now()
const job: DayJob = {
  ...REPLAY,
  address: stage.server.address,
  headers: stage.headers,
  receivers: stage.receivers.origins,
}
const posting = partners.call<readonly PostedHour[]>('run', job)
const watched: Watched[] = []
for (const hour of HOUR_SHARES.keys()) {
  const one = await watchHour(stage, start + (hour + 1) * hourMs(REPLAY))
  watched.push(one)
  console.log(`hour ${hour}: ${JSON.stringify(one.lags)}`)
}
const posted = await posting
const lateMs = await untilDone(stage)
const after = await readAll(stage)

const settled: number[][][] = []
for (const { table } of MIX)
  settled.push(await waitsByHour(stage.client, table, 'created_at', 'completed_at', begin))
const delivered = await waitsByHour(stage.client, 'events.delivery', 'created_at', 'delivered_at', begin)
const hours: HourFigures[] = posted.map((one, hour) => ({
  ...one,
  ...watched[hour]!,
  settleP99: percentiles(settled.flatMap(kind => kind[hour]!)).p99,
  webhookP99: percentiles(delivered[hour]!).p99,
}))
const seconds = hourMs(REPLAY) / 1_000
const total = posted.reduce((sum, { accepted }) => sum + accepted, 0)
const text = [
  `# A day of ${REPLAY.count.toLocaleString('en')} transactions in ${values.minutes} minutes`,
  `Node ${process.versions.node}, ${cpus().length} processors for program, database, partners and receivers together; ${stage.about}. ${total.toLocaleString('en')} were accepted. All was done ${(lateMs / 1_000).toFixed(1)} s after the last.`,
  dayTable(
    hours,
    seconds,
    stage.nodes.map(({ name }) => name),
  ),
  nodeTable({
    names: stage.nodes.map(({ name }) => name),
    holds: stage.holds,
    used: after.nodes.map(({ cpuSeconds, walBytes }, index) => ({
      cpuSeconds: cpuSeconds - before.nodes[index]!.cpuSeconds,
      walBytes: walBytes - before.nodes[index]!.walBytes,
    })),
    grown: (await stage.sizes()).map((size, index) => size - sizesBefore[index]!),
    program: after.program - before.program,
    total,
  }),
].join('\n\n')
console.log(text)
const folder = join(import.meta.dirname, 'results')
mkdirSync(folder, { recursive: true })
const file = join(
  folder,
  `${new Date().toISOString().slice(0, 10)}-day-${stage.nodes.length}-${REPLAY.count}.md`,
)
writeFileSync(file, `${text}\n`)
console.log(`written to ${file}`)
