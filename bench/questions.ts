/**
 * `node bench/questions.ts [entries] [runs]`: how long each of the analyst's questions takes over a history of 1,000,000
 * entries, by what is everywhere and by what is nearly nowhere: the median of five runs. A table; no peer, and so no part
 * of `npm run bench`.
 */

import { readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import { isByAmount, type Order, parseKeyset } from '#core/paging/keyset.ts'
import { Decimal } from '#core/values/money.ts'
import { type SummaryArgs, summaryQuery } from '#subgraphs/activity/summary/query.ts'
import { readSummary } from '#subgraphs/activity/summary/read.ts'
import { timelineOrder } from '#subgraphs/activity/timeline/entry.ts'
import type { TimelineFilter } from '#subgraphs/activity/timeline/filter.ts'
import { readTimeline } from '#subgraphs/activity/timeline/read.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { median } from './lib/compare.ts'
import { fillTimeline, RARE } from './lib/fill-timeline.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'

const entries = Number(process.argv[2] ?? 1_000_000)
const runs = Number(process.argv[3] ?? 5)
await using scratch = await createScratch()
await fillTimeline(scratch.client, entries)
const config = readConfig({ DATABASE_URL: scratch.url, SECRETS_KEY })
const database = await openDatabase(config)
const kinds = await loadKinds()
const db = database.db

const timed = async (work: () => Promise<unknown>) => {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return `${median(times).toFixed(1).padStart(8)} ms`
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
for (const [name, filter, orderBy, clientId] of TIMELINES) {
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

const context = { caller: { principal: { role: 'analyst' } } } as GraphContext
for (const [name, args] of SUMMARIES) {
  const query = summaryQuery(config, kinds, context, args)
  const rows = await readSummary(db, query)
  console.log(
    `summary  ${name.padEnd(44)} ${await timed(() => readSummary(db, query))}   ${rows.length} rows`,
  )
}
await database.close()
