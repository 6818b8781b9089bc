/**
 * `node bench/questions.ts [entries] [runs]`: how long each of the analyst's questions takes over a history of 1,000,000
 * entries, by what is everywhere and by what is nearly nowhere: the median of five runs. With `--sums` the sums alone. A table; no peer, and so no part
 * of `npm run bench`. `BENCH_FILLED_URL` names a database that has the entries already.
 */

import { readFileSync } from 'node:fs'
import pg from 'pg'
import { readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { ServiceError } from '#core/errors/catalogue.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import { isByAmount, type Order, parseKeyset } from '#core/paging/keyset.ts'
import { Decimal } from '#core/values/money.ts'
import { MEASURES, type Measure, type SummaryArgs, summaryQuery } from '#subgraphs/activity/summary/query.ts'
import { readSummary } from '#subgraphs/activity/summary/read.ts'
import { timelineOrder } from '#subgraphs/activity/timeline/entry.ts'
import type { TimelineFilter } from '#subgraphs/activity/timeline/filter.ts'
import { readTimeline } from '#subgraphs/activity/timeline/read.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { median } from './lib/compare.ts'
import { fillTimeline, RARE } from './lib/fill-timeline.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'

const [entries = 1_000_000, runs = 5] = process.argv.slice(2).map(Number).filter(Number.isFinite)
const onlySums = process.argv.includes('--sums')
const filled = process.env['BENCH_FILLED_URL']
await using scratch = filled === undefined ? await createScratch() : undefined
if (scratch) await fillTimeline(scratch.client, entries)
const url = filled ?? scratch!.url
const look = new pg.Client(url)
await look.connect()
// Without parallel workers the processor time of a statement is that of its connection.
await look.query(`ALTER DATABASE "${look.database}" SET max_parallel_workers_per_gather = 0`)
const config = readConfig({ DATABASE_URL: url, SECRETS_KEY, REQUEST_TIMEOUT_MS: '60000' })
const database = await openDatabase(config)
const kinds = await loadKinds()
const db = database.db

/** Processor time of the database's connections so far, in milliseconds; PostgreSQL is on this machine. */
const processorMs = async (): Promise<number> => {
  const { rows } = await look.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  return rows
    .map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
    .reduce((sum, one) => sum + one, 0)
}

const shown = (ms: number) => ms.toFixed(1).padStart(8)

/** Median of the time that work takes, and of the processor time that the database takes for it. */
const timed = async (work: () => Promise<unknown>) => {
  const times: number[] = []
  const processor: number[] = []
  for (let run = 0; run < runs; run++) {
    const before = await processorMs()
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
    processor.push((await processorMs()) - before)
  }
  return `${shown(median(times))} ms, ${shown(median(processor))} of the processor`
}

const TIMELINES: [string, TimelineFilter, Order?, string?][] = [
  ['everything', {}],
  ['a partner', {}, undefined, 'bench-partner'],
  ['kinds, everywhere', { kinds: ['PAYMENT'] }],
  ['kinds, rare', { kinds: ['REDEMPTION'] }],
  ['outcomes, 3 in 100', { outcomes: ['FAILED'] }],
  ['outcomes, rare', { outcomes: ['REVERSED'] }],
  ['outcomes, pending and rare', { outcomes: ['PENDING'] }],
  ['outcomes, none', { outcomes: ['CANCELLED'] }],
  ['outcomes, rare, of a partner', { outcomes: ['REVERSED', 'PENDING'] }, undefined, RARE.client],
  [
    'outcomes, none, of a partner',
    { outcomes: ['REVERSED'], kinds: ['MESSAGE'] },
    undefined,
    'bench-partner',
  ],
  ['minAmount, rare', { minAmount: new Decimal(1000) }],
  ['maxAmount, 1 in 1,000', { maxAmount: new Decimal('0.1') }],
  ['amounts, half of all', { minAmount: new Decimal(50) }],
  ['merchant', { merchant: 'Merchant 7' }],
  ['merchant, rare', { merchant: RARE.merchant }],
  ['merchant of a partner that never named it', { merchant: RARE.merchant, postedBy: 'partner-3' }],
  ['postedBy, rare', { postedBy: RARE.client }],
  ['postedBy and minAmount, none', { postedBy: 'partner-3', minAmount: new Decimal(1000) }],
  ['correlator', { correlator: RARE.correlator }],
  ['correlator, none', { correlator: 'REQ:nobody' }],
  ['text, everywhere', { text: 'monthly' }],
  ['text, a clientCorrelatorId', { text: RARE.text }],
  ['text, an x-correlator', { text: RARE.correlator }],
  ['text, none', { text: 'nowhere' }],
  ['a day of last year', { from: new Date('2025-08-11'), to: new Date('2025-08-12') }],
  ['by amount', {}, 'LARGEST_AMOUNT_FIRST'],
  ['by amount, a partner', {}, 'LARGEST_AMOUNT_FIRST', 'bench-partner'],
  ['by amount, a rare partner', {}, 'SMALLEST_AMOUNT_FIRST', RARE.client],
  ['by amount, what failed', { outcomes: ['FAILED'] }, 'LARGEST_AMOUNT_FIRST'],
  ['by amount, a merchant', { merchant: 'Merchant 7' }, 'SMALLEST_AMOUNT_FIRST'],
  ['by amount, a day', { from: new Date('2025-08-11'), to: new Date('2025-08-12') }, 'LARGEST_AMOUNT_FIRST'],
]

/** The page, and the one after it. */
const page = async (filter: TimelineFilter, orderBy: Order | undefined, clientId: string | undefined) => {
  const byAmount = isByAmount(orderBy)
  const read = (after?: string | null) => {
    const keyset = parseKeyset({ first: 50, orderBy, after }, timelineOrder(byAmount).cursors.from)
    return readTimeline(db, { clientId, filter, byAmount, keyset })
  }
  const first = await read()
  if (first.pageInfo.hasNextPage) await read(first.pageInfo.endCursor)
  return first
}

console.log(`${entries.toLocaleString('en')} entries; two pages of 50, and totalCount`)
for (const [name, filter, orderBy, clientId] of onlySums ? [] : TIMELINES) {
  const { nodes, totalCount } = await page(filter, orderBy, clientId)
  const pages = await timed(() => page(filter, orderBy, clientId))
  console.log(`timeline ${name.padEnd(44)} ${pages} ${await timed(totalCount)}   ${nodes.length} rows`)
}

const SUMMARIES: [string, SummaryArgs][] = [
  [
    'why it failed, the most frequent first',
    { by: 'ALL', groupBy: ['REASON'], orderBy: { field: 'FAILED' }, first: 10 },
  ],
  [
    'the ten largest merchants',
    { by: 'ALL', groupBy: ['MERCHANT'], orderBy: { field: 'AMOUNT' }, first: 10 },
  ],
  [
    'the ten largest merchants of each month',
    { by: 'MONTH', groupBy: ['MERCHANT'], orderBy: { field: 'AMOUNT' }, first: 10 },
  ],
  ['one rare merchant by day', { by: 'DAY', merchant: RARE.merchant }],
  ['one merchant by month', { by: 'MONTH', merchant: 'Merchant 7', groupBy: ['OUTCOME'] }],
  ['one rare partner by month', { by: 'MONTH', postedBy: RARE.client }],
  ['kinds by week', { by: 'WEEK', kinds: ['PAYMENT', 'RECHARGE'], groupBy: ['KIND'] }],
]

/** Days of the history, and the end of the spans that are asked for. */
const DAYS = 400
const UNTIL = Date.parse('2026-08-01T00:00:00+04:00')

/** The last days before `UNTIL` that have no more than so many entries. */
const lastOf = (count: number): Pick<SummaryArgs, 'from' | 'to'> => {
  const days = Math.min(Math.floor((count / entries) * DAYS), 360)
  return { from: new Date(UNTIL - days * 86_400_000), to: new Date(UNTIL - 1) }
}

/** Spans for questions that sums by day do not answer: as many entries as may be added up, or measured. */
const ADDED = lastOf(800_000)
const MEASURED = lastOf(300_000)
/** By merchant and day, of as many sums as may be put in order. */
const SHORT = lastOf(3_900_000)

const QUESTIONS: [string, SummaryArgs, Measure[]?][] = [
  ['by channel', { by: 'ALL', groupBy: ['CHANNEL'] }],
  ['by channel and month', { by: 'MONTH', groupBy: ['CHANNEL'] }],
  ['by quarter and kind, averages', { by: 'QUARTER', groupBy: ['KIND'] }],
  ['by year', { by: 'YEAR' }],
  ['by day of the week', { by: 'DAY_OF_WEEK', groupBy: ['KIND'] }],
  [
    'the first three reasons of each week',
    { by: 'WEEK', groupBy: ['REASON'], orderBy: { field: 'FAILED' }, firstPerPeriod: 3 },
  ],
  [
    'the first three merchants of each month',
    { by: 'MONTH', groupBy: ['MERCHANT'], orderBy: { field: 'AMOUNT' }, firstPerPeriod: 3 },
  ],
  [
    'by customer, the first ten',
    { ...ADDED, by: 'ALL', groupBy: ['CUSTOMER'], orderBy: { field: 'AMOUNT' }, first: 10 },
  ],
  [
    'by customer, the first ten of each week',
    { ...MEASURED, by: 'WEEK', groupBy: ['CUSTOMER'], orderBy: { field: 'AMOUNT' }, firstPerPeriod: 10 },
  ],
  [
    'the ten largest merchants of a day',
    { ...SHORT, by: 'DAY', groupBy: ['MERCHANT'], orderBy: { field: 'AMOUNT' }, first: 10 },
  ],
  [
    'the ten largest merchants of a day, of everything',
    { by: 'DAY', groupBy: ['MERCHANT'], orderBy: { field: 'AMOUNT' }, first: 10 },
  ],
  ['by category', { ...ADDED, by: 'ALL', groupBy: ['CATEGORY'] }],
  ['by category and month', { ...lastOf(700_000), by: 'MONTH', groupBy: ['CATEGORY'] }],
  ['by product', { ...ADDED, by: 'ALL', groupBy: ['PRODUCT'] }],
  ['by hour of the day', { ...ADDED, by: 'HOUR_OF_DAY' }],
  ['by hour of the day and kind', { ...ADDED, by: 'HOUR_OF_DAY', groupBy: ['KIND'] }],
  ['different customers', { ...MEASURED, by: 'ALL' }, ['customers']],
  ['different customers by kind and week', { ...MEASURED, by: 'WEEK', groupBy: ['KIND'] }, ['customers']],
  ['largest amounts by kind', { ...MEASURED, by: 'ALL', groupBy: ['KIND'] }, ['max']],
  ['percentiles of amounts by kind', { ...MEASURED, by: 'ALL', groupBy: ['KIND'] }, ['p50', 'p95']],
  ['time to settle by kind', { ...MEASURED, by: 'ALL', groupBy: ['KIND'] }, ['settledP50Ms', 'settledP95Ms']],
  ['all measures by kind', { ...MEASURED, by: 'ALL', groupBy: ['KIND'] }, [...MEASURES]],
  ['by customer, of everything', { by: 'ALL', groupBy: ['CUSTOMER'], first: 10 }],
  ['by category, of everything', { by: 'ALL', groupBy: ['CATEGORY'] }],
  ['by hour of the day, of everything', { by: 'HOUR_OF_DAY' }],
  ['percentiles, of everything', { by: 'ALL' }, ['p50']],
  ['percentiles, of a merchant', { by: 'ALL', merchant: 'Merchant 7' }, ['p50', 'p95']],
  ['different customers, of a rare partner', { by: 'ALL', postedBy: RARE.client }, ['customers']],
]

const context = { caller: { principal: { role: 'analyst' } } } as GraphContext

/** Rows of a summary, or that it was refused. */
const rowsOf = async (read: () => Promise<unknown[]>) => {
  try {
    return `${(await read()).length} rows`
  } catch (error) {
    if (!(error instanceof ServiceError) || error.extensions['reason'] !== 'TOO_MANY') throw error
    return 'refused'
  }
}

for (const [name, args, measures] of [...SUMMARIES, ...QUESTIONS]) {
  const query = summaryQuery(config, kinds, context, args, measures)
  const read = () => readSummary(db, query)
  const found = await rowsOf(read)
  console.log(`summary  ${name.padEnd(44)} ${await timed(() => rowsOf(read))}   ${found}`)
}
await database.close()
await look.query(`ALTER DATABASE "${look.database}" RESET max_parallel_workers_per_gather`)
await look.end()
