/** P6: a list at index 999,000 of 1,000,000 against index 0, totals included; the embedded database with fewer. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { median } from './lib/compare.ts'
import { fillClients, fillTransactions, PAYMENTS, type Sql } from './lib/fill.ts'
import { tokenHeaders } from './lib/pair.ts'
import { type Finding, milliseconds } from './lib/results.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'

const REQUESTS = 150
const LIST = '/postpaid-billing/v1/payments'

/** All but the first and the last of the hundred days that are filled: 98 in 100 of the rows. */
const DATES = '&fromDate=2026-01-02&toDate=2026-04-09'

const timed = async (address: string, headers: Record<string, string>, last: number, total: number) => {
  const start = performance.now()
  const response = await fetch(address, { headers })
  const rows = (await response.json()) as unknown[]
  const ms = performance.now() - start
  const counted = [
    rows.length,
    response.headers.get('content-last-key'),
    response.headers.get('x-total-count'),
  ].join()
  if (counted !== [50, last, total].join()) throw new Error(`${address} answered ${counted}`)
  return ms
}

/** Both places in turns; the medians. */
const measure = async (address: string, headers: Record<string, string>, index: number, total: number) => {
  const times: { first: number[]; last: number[] } = { first: [], last: [] }
  for (let turn = -10; turn < REQUESTS; turn += 1) {
    const first = await timed(`${address}&seek=0`, headers, 50, total)
    const last = await timed(`${address}&seek=${index}`, headers, index + 50, total)
    if (turn < 0) continue
    times.first.push(first)
    times.last.push(last)
  }
  return { first: median(times.first), last: median(times.last) }
}

const measureAll = async (database: string, server: Server, rows: number): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const client of ['bench-partner', 'bench-analyst']) {
    const headers = await tokenHeaders(server.address, client)
    for (const [dates, total] of [
      ['', rows],
      [DATES, (rows * 98) / 100],
    ] as const) {
      const index = total - 1_000
      const times = await measure(`${server.address}${LIST}?perPage=50${dates}`, headers, index, total)
      findings.push({
        id: 'P6',
        work: `${database}: list ${dates ? 'between dates ' : ''}at ${index.toLocaleString('en')} of ${total.toLocaleString('en')}, ${client}`,
        against: 'at index 0',
        ours: milliseconds(times.last),
        theirs: milliseconds(times.first),
        ratio: times.last / times.first,
        target: '<= 1.3',
      })
    }
  }
  return findings
}

const fill = async (sql: Sql, rows: number) => {
  await fillClients(sql)
  await fillTransactions(sql, PAYMENTS, rows)
}

const onPostgres = async (flags: readonly string[]) => {
  const rows = 1_000_000
  await using scratch = await createScratch()
  await fill(scratch.client, rows)
  await using server = await startServer('gateway/main.ts', {
    env: { DATABASE_URL: scratch.url, SECRETS_KEY },
    flags,
  })
  return await measureAll('PostgreSQL', server, rows)
}

const onEmbedded = async () => {
  const rows = 200_000
  await using stack = new AsyncDisposableStack()
  const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'partner-graph-bench-')), path =>
    rm(path, { recursive: true, force: true }),
  )
  const env = { DATA_DIR: folder, DEMO: '0' }
  const database = await openDatabase(readConfig(env))
  await fill({ query: (text, values = []) => database.db.$executeRawUnsafe(text, ...values) }, rows)
  await database.close()
  await using server = await startServer('gateway/main.ts', { env })
  return await measureAll('embedded', server, rows)
}

export const run = async (flags: readonly string[]): Promise<Finding[]> => [
  ...(await onPostgres(flags)),
  ...(await onEmbedded()),
]
