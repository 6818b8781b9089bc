/** Timelines and summaries of made-up histories, held against what looking at every transaction gives. */
import { describe, expect, it } from 'vitest'
import type { Graph } from './graph.ts'
import { inOrder, outcomeOf, PARTNERS, pick, reasonOf, type Written } from './history.ts'
import { HOUR, idOf, inner, SCOPES, useHistory, ZONES } from './made-up.ts'
import { type Group, MEASURE_FIELDS, type Period, SUMMARY_FIELDS, sorted, summarise } from './sums.ts'

describe.each(ZONES)('in %s', (zone, seed) => {
  const stage = useHistory(zone, seed)
  const { random, ask } = stage

  it.each(SCOPES)(
    'ACT-01 the timeline of %s has every entry once, paged either way',
    async (_, wrap, isIn) => {
      const wanted = inOrder(stage.history.filter(isIn))
      for (const [order, rows] of [
        ['NEWEST_FIRST', wanted],
        ['OLDEST_FIRST', wanted.toReversed()],
        ['LARGEST_AMOUNT_FIRST', byAmount(wanted)],
        ['SMALLEST_AMOUNT_FIRST', byAmount(wanted).toReversed()],
      ] as const) {
        const forward = await pages(ask('analyst'), wrap, inner, order, 'first')
        const backward = await pages(ask('analyst'), wrap, inner, order, 'last')
        expect(forward).toEqual(rows.map(row => [row.id, outcomeOf(row), row.createdAt.toISOString()]))
        expect(backward).toEqual(forward)
      }
    },
  )

  it.each(PARTNERS)('ACT-02 %s sees its own alone, in timelines and sums', async id => {
    for (const [, wrap, isIn] of SCOPES) {
      const mine = inOrder(stage.history.filter(row => isIn(row) && row.clientId === id))
      const query = `{ ${wrap(`timeline(first: 200) { totalCount nodes { transaction { id } } }
        summary(groupBy: [PARTNER]) { ${SUMMARY_FIELDS} }`)} }`
      const { timeline, summary } = inner(await ask(id)(query))
      expect(timeline.totalCount).toBe(mine.length)
      expect(timeline.nodes.map((node: never) => idOf(node))).toEqual(mine.map(row => row.id))
      expect(sorted(summary)).toEqual(sorted(summarise(mine, ['PARTNER'], 'MONTH', zone)))
    }
  })

  const SUMMARIES: [Period, Group[]][] = [
    ['DAY', []],
    ['DAY', ['KIND', 'OUTCOME']],
    ['WEEK', []],
    ['WEEK', ['CURRENCY', 'CHANNEL']],
    ['MONTH', ['KIND']],
    ['MONTH', ['MERCHANT', 'CHANNEL', 'PARTNER']],
    ['MONTH', ['KIND', 'OUTCOME', 'CHANNEL', 'MERCHANT', 'CURRENCY', 'PARTNER']],
    ['WEEK', ['REASON', 'OUTCOME']],
    ['ALL', []],
    ['ALL', ['MERCHANT', 'REASON']],
  ]

  it.each(SUMMARIES)('ACT-03 the sums by %s and %j are those of the entries', async (by, groupBy) => {
    const argument = `by: ${by}, groupBy: [${groupBy}]`
    for (const [, wrap, isIn] of SCOPES) {
      const { summary } = inner(
        await ask('analyst')(`{ ${wrap(`summary(${argument}) { ${SUMMARY_FIELDS} }`)} }`),
      )
      expect(sorted(summary)).toEqual(sorted(summarise(stage.history.filter(isIn), groupBy, by, zone)))
      const periods = summary.map(({ period }: { period: string }) => period)
      expect(periods).toEqual(periods.toSorted())
    }
  })

  it('ACT-04 sums from one instant to another are exact, whatever the hour', async () => {
    const edges = stage.history.map(row => row.createdAt.getTime())
    for (let round = 0; round < 40; round++) {
      const around = () => pick(random, edges) + pick(random, [-1, 0, 1, HOUR])
      const [from, to] = [around(), around()].sort((a, b) => a - b) as [number, number]
      const [by, groupBy] = pick(random, SUMMARIES)
      const [, wrap, isIn] = pick(random, SCOPES)
      const span = `from: "${new Date(from).toISOString()}", to: "${new Date(to).toISOString()}"`
      const query = `{ ${wrap(`summary(${span}, by: ${by}, groupBy: [${groupBy}]) { ${SUMMARY_FIELDS} }`)} }`
      const { summary } = inner(await ask('analyst')(query))
      const within = stage.history.filter(
        row => isIn(row) && row.createdAt.getTime() >= from && row.createdAt.getTime() <= to,
      )
      expect(sorted(summary), query).toEqual(sorted(summarise(within, groupBy, by, zone, new Date(from))))
    }
  })

  const MEASURED: [Period, Group[], string?, ((row: Written) => boolean)?][] = [
    ['ALL', []],
    ['QUARTER', ['CURRENCY']],
    ['YEAR', ['KIND', 'CURRENCY']],
    ['HOUR_OF_DAY', ['CURRENCY']],
    ['DAY_OF_WEEK', ['OUTCOME']],
    ['MONTH', ['CUSTOMER', 'CURRENCY']],
    ['ALL', ['CATEGORY', 'CURRENCY']],
    ['ALL', ['PARTNER', 'MERCHANT']],
    ['DAY', ['PRODUCT']],
    ['WEEK', ['PAYMENT_METHOD', 'CURRENCY']],
    ['ALL', ['CURRENCY', 'REASON'], 'customers: ["700001", "700003"]', ofCustomers],
    ['ALL', ['CUSTOMER'], 'merchants: ["Nizwa Mart", ""], channels: ["Web"]', ofMerchants],
    ['DAY_OF_WEEK', ['KIND'], 'reasons: ["No answer of …"]', row => reasonOf(row) === 'No answer of …'],
  ]
  /** Fields by which the database reads sums, sums of customers, or entries. */
  const DETAILS = [
    SUMMARY_FIELDS,
    `${SUMMARY_FIELDS} average { currency value }`,
    `${SUMMARY_FIELDS} customers`,
  ]

  it.each(MEASURED)('ACT-14 measures by %s and %j %s are those of the entries', async (...asked) => {
    const [by, groupBy, narrowed = '', holds = () => true] = asked
    const times = stage.history.map(({ createdAt }) => createdAt.getTime())
    const [from, to] = [times[20]! + 1, times.at(-20)! - 1]
    const span = `from: "${new Date(from).toISOString()}", to: "${new Date(to).toISOString()}"`
    const isWithin = ({ createdAt }: Written) => createdAt.getTime() >= from && createdAt.getTime() <= to
    for (const [, wrap, isIn] of SCOPES)
      for (const fields of [pick(random, DETAILS), `${SUMMARY_FIELDS} ${MEASURE_FIELDS}`]) {
        const bounded = random() < 0.5
        const argument = `by: ${by}, groupBy: [${groupBy}] ${narrowed} ${bounded ? span : ''}`
        const { summary } = inner(await ask('analyst')(`{ ${wrap(`summary(${argument}) { ${fields} }`)} }`))
        const rows = stage.history.filter(row => isIn(row) && holds(row) && (!bounded || isWithin(row)))
        const wanted = summarise(rows, groupBy, by, zone, bounded ? new Date(from) : undefined)
        expect(sorted(summary, fields), argument).toEqual(sorted(wanted, fields))
      }
  })

  it('ACT-15 the first rows of each period are the first of those of the period', async () => {
    const order = 'orderBy: { field: COUNT }, firstPerPeriod: 2'
    const query = (more: string) =>
      `{ summary(by: WEEK, groupBy: [MERCHANT], ${order} ${more}) { ${SUMMARY_FIELDS} } }`
    const { summary } = await ask('analyst')(query(''))
    const all = Map.groupBy(summarise(stage.history, ['MERCHANT'], 'WEEK', zone), ({ period }) => period)
    const wanted = [...all]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([period, rows]) =>
        rows
          .map(({ count }) => count)
          .sort((a, b) => b - a)
          .slice(0, 2)
          .map(count => [period, count]),
      )
    expect(summary.map(({ period, count }: { period: string; count: number }) => [period, count])).toEqual(
      wanted,
    )
    const { summary: three } = await ask('analyst')(query(', first: 3'))
    expect(three).toEqual(summary.slice(0, 3))
  })

  it('ACT-09 sums of what one client posted are its own, for every reader', async () => {
    for (const [, wrap, isIn] of SCOPES) {
      const query = (by: string) =>
        `{ ${wrap(`summary(postedBy: "${by}", groupBy: [KIND, CHANNEL]) { ${SUMMARY_FIELDS} }`)} }`
      const mine = stage.history.filter(row => isIn(row) && row.clientId === 'act-shop')
      const wanted = sorted(summarise(mine, ['KIND', 'CHANNEL'], 'MONTH', zone))
      expect(sorted(inner(await ask('analyst')(query('act-shop'))).summary)).toEqual(wanted)
      expect(sorted(inner(await ask('act-shop')(query('act-shop'))).summary)).toEqual(wanted)
      expect(inner(await ask('act-bank')(query('act-shop'))).summary).toEqual([])
    }
  })

  const MEASURES: [string, (row: SumRow) => number][] = [
    ['COUNT', row => row.count],
    ['FAILED', row => row.failed],
    ['POINTS', row => row.points ?? 0],
    ['AMOUNT', row => row.amounts.reduce((sum, { value }) => sum + value, 0)],
  ]

  it.each(MEASURES)(
    'ACT-10 the first rows by %s are those of the whole, narrowed or not',
    async (field, of) => {
      for (const [, wrap, isIn] of SCOPES)
        for (const [narrowed, holds] of NARROWED)
          for (const direction of ['ASC', 'DESC']) {
            const order = `orderBy: { field: ${field}, direction: ${direction} }`
            const query = `{ ${wrap(`summary(by: WEEK, groupBy: [MERCHANT, CURRENCY], first: 5, ${order}${narrowed}) { ${SUMMARY_FIELDS} }`)} }`
            const { summary } = inner(await ask('analyst')(query))
            const rows = stage.history.filter(row => isIn(row) && holds(row))
            const all = summarise(rows, ['MERCHANT', 'CURRENCY'], 'WEEK', zone)
            const wanted = all
              .map(row => of(row as SumRow))
              .sort((a, b) => (direction === 'ASC' ? a - b : b - a))
            expect(summary.map(of), query).toEqual(wanted.slice(0, 5))
            const known = new Set(sorted(all))
            expect(sorted(summary).every(row => known.has(row))).toBe(true)
          }
    },
  )

  it('ACT-11 the last periods are first on request', async () => {
    const query = (order: string) => `{ summary(by: DAY, groupBy: [KIND], ${order}) { ${SUMMARY_FIELDS} } }`
    const { summary } = await ask('analyst')(query('orderBy: { field: PERIOD }, first: 7'))
    const days = summarise(stage.history, ['KIND'], 'DAY', zone).map(({ period }) => period)
    expect(summary.map(({ period }: { period: string }) => period)).toEqual(days.sort().reverse().slice(0, 7))
  })
})

const ofCustomers = ({ accountNumber }: Written) => ['700001', '700003'].includes(accountNumber)
const ofMerchants = ({ merchant, channel }: Written) =>
  ['Nizwa Mart', ''].includes(merchant) && channel === 'Web'

/** Stable, so that what is alike stays newest first. */
const byAmount = (rows: readonly Written[]): Written[] =>
  rows.toSorted((a, b) => Number(b.amount ?? 0) - Number(a.amount ?? 0))

type SumRow = ReturnType<typeof summarise>[number] & {
  points: number | null
  amounts: { value: number }[]
}

const NARROWED: [string, (row: Written) => boolean][] = [
  ['', () => true],
  [
    ', kinds: [PAYMENT, REWARD], merchant: "Nizwa Mart", postedBy: "act-bank"',
    ({ code, merchant, clientId }) =>
      (code === 0 || code === 3) && merchant === 'Nizwa Mart' && clientId === 'act-bank',
  ],
]

/** Everything, page by page, from the start or from the end. */
async function pages(
  ask: Graph,
  wrap: (fields: string) => string,
  // biome-ignore lint/suspicious/noExplicitAny: a response of any shape
  inner: (data: any) => any,
  orderBy: string,
  direction: 'first' | 'last',
): Promise<unknown[]> {
  const all: unknown[] = []
  let cursor: string | null = null
  for (;;) {
    const at: string = cursor ? `, ${direction === 'first' ? 'after' : 'before'}: "${cursor}"` : ''
    const query: string = `{ ${wrap(`timeline(${direction}: 37, orderBy: ${orderBy}${at}) {
      nodes { outcome occurredAt transaction { id } }
      pageInfo { startCursor endCursor hasNextPage hasPreviousPage } }`)} }`
    const { nodes, pageInfo } = inner(await ask(query)).timeline
    const page = nodes.map((node: { outcome: string; occurredAt: string; transaction: { id: string } }) => [
      node.transaction.id,
      node.outcome,
      node.occurredAt,
    ])
    if (direction === 'first') all.push(...page)
    else all.unshift(...page)
    cursor = direction === 'first' ? pageInfo.endCursor : pageInfo.startCursor
    if (!(direction === 'first' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) return all
  }
}
