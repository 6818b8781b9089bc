/** `npm run prove:soak`: half of what the program can serve, for an hour, and whether anything grows that should not. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import { aboveZero } from '../flags.ts'
import { markdown, today, writeTable } from '../table.ts'
import { generate } from './generators.ts'
import { judgeGrowth, type Sample } from './growth.ts'
import { mixOf } from './requests.ts'
import type { SenderResult } from './sender.ts'
import { LOADING, type LoadedServer, startLoaded } from './server.ts'

const BUSY = 8
const SERVABLE_SECONDS = 5
const CONNECTIONS = 100
const SAMPLES = 12
const MINUTE_MS = 60_000
const REST_MS = 3_000

/** A receiver of webhooks that takes all of them. */
const openReceiver = async () => {
  let received = 0
  const server = createServer((request, response) => {
    request.resume()
    received++
    response.writeHead(204).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: () => received,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0)

/** Results of all requests so far. */
class Totals {
  requests = 0
  payments = 0
  refused = 0
  others: Record<string, number> = {}
  p99 = 0

  add(results: Iterable<SenderResult>): void {
    for (const { accepted, kinds, refused, unsent, others } of results) {
      this.requests += accepted.count
      this.payments += kinds['payment']?.count ?? 0
      this.refused += refused.count + unsent
      this.p99 = Math.max(this.p99, accepted.p99)
      for (const [status, count] of Object.entries(others))
        this.others[status] = (this.others[status] ?? 0) + count
    }
  }
}

/** Tables with the names of their partitions' parents. */
const TABLES = `
  SELECT coalesce(parent.oid, c.oid)::regclass::text AS name, c.oid::regclass::text AS part
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class parent ON parent.oid = i.inhparent
  WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`

const countRows = ({ postgres }: LoadedServer): Promise<Record<string, number>> =>
  postgres.asAdministrator(async client => {
    const { rows: tables } = await client.query<{ name: string; part: string }>(TABLES)
    const counts: Record<string, number> = {}
    for (const { name, part } of tables) {
      const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${part}`)
      counts[name] = (counts[name] ?? 0) + Number(rows[0]!.count)
    }
    return counts
  })

const sampleOf = async (server: LoadedServer, totals: Totals, began: number): Promise<Sample> => {
  const { heap, external, resident, descriptors, resources } = await server.gauge()
  return {
    minute: Math.round((Date.now() - began) / MINUTE_MS),
    requests: totals.requests,
    payments: totals.payments,
    ...{ heap, external, resident, descriptors },
    resources: sum(Object.values(resources)),
    rows: await countRows(server),
  }
}

const MIB = 1024 * 1024

const show = ({ minute, requests, payments, heap, resident, descriptors, rows }: Sample): string =>
  `${minute} min: ${requests} requests, ${payments} payments, heap ${(heap / MIB).toFixed(1)} MiB, ` +
  `resident ${(resident / MIB).toFixed(0)} MiB, ${descriptors} descriptors, ${sum(Object.values(rows))} rows`

interface Flags {
  readonly minutes: number
  /** Requests a second; half of what is served unless given. */
  readonly perSecond?: number
  readonly write?: true
}

interface Soak {
  /** Requests a second that were served where senders wait, and that were sent. */
  readonly servable: number
  readonly perSecond: number
  readonly totals: Totals
  readonly samples: readonly Sample[]
}

const soak = async (
  server: LoadedServer,
  { minutes, perSecond: wanted }: Flags,
  notificationUrl: string,
): Promise<Soak> => {
  const senders = await Promise.all(
    LOADING.map(async client => ({ client, texts: mixOf(await server.token(client), notificationUrl) })),
  )
  const { port } = server
  const totals = new Totals()
  const send = async (seconds: number, connections: number, perSecond?: number) => {
    const jobs = senders.map(one => ({ ...one, connections, ...(perSecond && { perSecond }) }))
    const results = [...(await generate({ port, seconds, senders: jobs })).values()]
    // What was accepted settles, and webhooks go out, before anything is counted.
    await delay(REST_MS)
    return { results, accepted: sum(results.map(({ accepted }) => accepted.count)) }
  }
  const busy = await send(SERVABLE_SECONDS, BUSY)
  const servable = busy.accepted / SERVABLE_SECONDS
  const perSecond = wanted ?? servable / 2
  totals.add(busy.results)
  const began = Date.now()
  const samples = [await sampleOf(server, totals, began)]
  console.log(`${Math.round(perSecond)} requests a second\n${show(samples[0]!)}`)
  const seconds = (minutes * 60) / SAMPLES
  for (let turn = 0; turn < SAMPLES; turn++) {
    totals.add((await send(seconds, CONNECTIONS, perSecond / LOADING.length)).results)
    samples.push(await sampleOf(server, totals, began))
    console.log(show(samples.at(-1)!))
  }
  return { servable, perSecond, totals, samples }
}

const run = async (flags: Flags): Promise<void> => {
  const receiver = await openReceiver()
  await using server = await startLoaded({ onDisk: true })
  const { servable, perSecond, totals, samples } = await soak(server, flags, receiver.address)
  receiver.close()
  const answered = {
    what: 'requests that were refused, found no connection or failed',
    seen: `${totals.refused}, ${JSON.stringify(totals.others)}`,
    allowed: 'none',
    holds: totals.refused === 0 && Object.keys(totals.others).length === 0,
  }
  const bounds = [...judgeGrowth(samples), answered]
  const table = markdown(
    ['what', 'seen', 'allowed', 'holds'],
    bounds.map(({ what, seen, allowed, holds }) => [what, seen, allowed, holds ? 'yes' : '**no**']),
  )
  const head =
    `${today()}, Node ${process.version}, ${flags.minutes} minutes at ${Math.round(perSecond)} requests a second, where ` +
    `${Math.round(servable)} could be served: ${totals.requests} requests, ${totals.payments} payments, ${receiver.received()} webhooks, p99 ${Math.round(totals.p99)} ms.`
  console.log(`${head}\n\n${table}`)
  if (flags.write) writeTable('soak', `${head}\n\n${table}`)
  const code = await server.stop()
  process.exitCode = code === 0 && bounds.every(({ holds }) => holds) ? 0 : 1
}

await new Command('npm run prove:soak --')
  .description('Sends half of what the program can serve, and says whether anything grows that should not.')
  .option('--minutes <n>', 'how long', aboveZero, 60)
  .option('--per-second <n>', 'requests a second; half of what is served unless given', aboveZero)
  .option('--write', 'write the table of docs/reliability.md')
  .action(run)
  .parseAsync()
