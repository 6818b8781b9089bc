/** Timelines and summaries of made-up histories, held against what looking at every transaction gives. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rebuild } from '../../../subgraphs/activity/projection/rebuild.ts'
import type { TimelineFilter } from '../../../subgraphs/activity/timeline/filter.ts'
import { readTimeline, type TimelinePage } from '../../../subgraphs/activity/timeline/read.ts'
import { Decimal } from '../../../subgraphs/shared/values/decimal.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { type Graph, graphOf } from './graph.ts'
import {
  ACCOUNTS,
  ALL_KINDS,
  createRandom,
  fillDirectory,
  inOrder,
  isOpen,
  outcomeOf,
  PARTNERS,
  pick,
  post,
  settle,
  unsettled,
  type Written,
} from './history.ts'
import { type Group, type Period, SUMMARY_FIELDS, sorted, summarise } from './sums.ts'

const HOUR = 3_600_000

/** The times of a history: hours apart, and now and then on the very edge of a day. */
const timesFrom = (start: number, count: number, random: () => number) => {
  let time = start
  return Array.from({ length: count }, () => {
    time += Math.floor(random() * 5 * HOUR)
    const day = 24 * HOUR
    const edges = [-1, 0].map(ms => Math.ceil(time / day) * day + pick(random, [-4, 4, 5]) * HOUR + ms)
    if (random() < 0.15) time = Math.max(time, pick(random, edges))
    return new Date(time)
  })
}

describe.each([
  ['Asia/Muscat', 11],
  ['America/New_York', 12],
] as const)('in %s', (zone, seed) => {
  const random = createRandom(seed)
  let stack: Stack
  let history: Written[]
  const tokens: Record<string, string> = {}
  const ask = (who: string): Graph => graphOf(stack, tokens[who]!)

  const settleSome = async () => {
    await settle(
      stack.app,
      random,
      history.filter(row => isOpen(row) && random() < 0.6),
    )
    await stack.settled()
  }

  beforeAll(async () => {
    stack = await startStack({ env: { DEMO: '0', OPERATOR_TIMEZONE: zone }, parts: unsettled })
    await fillDirectory(stack.app)
    for (const id of PARTNERS) tokens[id] = await stack.token({ id, role: 'partner' })
    tokens['analyst'] = await stack.token({ id: 'act-analyst', role: 'analyst' })
    const times = timesFrom(Date.parse('2026-10-24T00:00:00Z'), 240, random)
    history = await post(stack.app, random, times.slice(0, 80))
    await stack.settled()
    await settleSome()
    history.push(...(await post(stack.app, random, times.slice(80))))
    await settleSome()
    await settleSome()
  })
  afterAll(() => stack[Symbol.asyncDispose]())

  const SCOPES: [string, (fields: string) => string, (row: Written) => boolean][] = [
    ['everything', fields => fields, () => true],
    ...Object.entries(ACCOUNTS).map(
      ([account, numbers]) =>
        [
          `account ${account}`,
          (fields: string) => `customer(customerAccountNumber: "${account}") { ${fields} }`,
          (row: Written) =>
            row.accountNumber === account || numbers.some(number => number === row.mobileNumber),
        ] as [string, (fields: string) => string, (row: Written) => boolean],
    ),
    [
      'a number',
      fields => `subscriber(mobileNumber: "+96897000001") { ${fields} }`,
      row => row.mobileNumber === '96897000001',
    ],
  ]

  // biome-ignore lint/suspicious/noExplicitAny: a response of any shape
  const inner = (data: any) => data.customer ?? data.subscriber ?? data

  it.each(SCOPES)(
    'ACT-01 the timeline of %s has every entry once, paged either way',
    async (_, wrap, isIn) => {
      const wanted = inOrder(history.filter(isIn))
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
      const mine = inOrder(history.filter(row => isIn(row) && row.clientId === id))
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
      expect(sorted(summary)).toEqual(sorted(summarise(history.filter(isIn), groupBy, by, zone)))
      const periods = summary.map(({ period }: { period: string }) => period)
      expect(periods).toEqual(periods.toSorted())
    }
  })

  it('ACT-04 sums from one instant to another are exact, whatever the hour', async () => {
    const edges = history.map(row => row.createdAt.getTime())
    for (let round = 0; round < 40; round++) {
      const around = () => pick(random, edges) + pick(random, [-1, 0, 1, HOUR])
      const [from, to] = [around(), around()].sort((a, b) => a - b) as [number, number]
      const [by, groupBy] = pick(random, SUMMARIES)
      const [, wrap, isIn] = pick(random, SCOPES)
      const span = `from: "${new Date(from).toISOString()}", to: "${new Date(to).toISOString()}"`
      const query = `{ ${wrap(`summary(${span}, by: ${by}, groupBy: [${groupBy}]) { ${SUMMARY_FIELDS} }`)} }`
      const { summary } = inner(await ask('analyst')(query))
      const within = history.filter(
        row => isIn(row) && row.createdAt.getTime() >= from && row.createdAt.getTime() <= to,
      )
      expect(sorted(summary), query).toEqual(sorted(summarise(within, groupBy, by, zone, new Date(from))))
    }
  })

  it('ACT-09 sums of what one client posted are its own, to whoever asks', async () => {
    for (const [, wrap, isIn] of SCOPES) {
      const query = (by: string) =>
        `{ ${wrap(`summary(postedBy: "${by}", groupBy: [KIND, CHANNEL]) { ${SUMMARY_FIELDS} }`)} }`
      const mine = history.filter(row => isIn(row) && row.clientId === 'act-shop')
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
            const rows = history.filter(row => isIn(row) && holds(row))
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

  it('ACT-11 the last periods are first when asked for', async () => {
    const query = (order: string) => `{ summary(by: DAY, groupBy: [KIND], ${order}) { ${SUMMARY_FIELDS} } }`
    const { summary } = await ask('analyst')(query('orderBy: { field: PERIOD }, first: 7'))
    const days = summarise(history, ['KIND'], 'DAY', zone).map(({ period }) => period)
    expect(summary.map(({ period }: { period: string }) => period)).toEqual(days.sort().reverse().slice(0, 7))
  })

  const beginsWord = (word: string) => (row: Written) =>
    `${row.text} ${row.merchant} ${row.channel} R ${row.position} ${row.accountNumber} ${row.mobileNumber}`
      .toLowerCase()
      .split(/[\s\-']+/)
      .some(one => one.startsWith(word))

  const FILTERS: [string, (row: Written) => boolean][] = [
    ['{ kinds: [PAYMENT, MESSAGE] }', row => ['PAYMENT', 'MESSAGE'].includes(row.kind.name)],
    ['{ kinds: [] }', () => false],
    ['{ outcomes: [FAILED, REVERSED] }', row => ['FAILED', 'REVERSED'].includes(outcomeOf(row))],
    ['{ minAmount: 25.5 }', row => Number(row.amount ?? 0) >= 25.5],
    [
      '{ maxAmount: 25.5, minAmount: 10 }',
      ({ amount }) => amount !== null && Number(amount) <= 25.5 && Number(amount) >= 10,
    ],
    ['{ maxAmount: -1 }', () => false],
    ['{ minAmount: -1 }', row => row.amount !== null],
    ['{ outcomes: [PENDING] }', row => outcomeOf(row) === 'PENDING'],
    [`{ merchant: "O'Brien  & Söhne" }`, row => row.merchant.startsWith('O')],
    ['{ merchant: "" }', row => row.merchant === ''],
    [
      '{ merchant: "Nizwa Mart", postedBy: "act-shop", outcomes: [FAILED] }',
      row => row.merchant === 'Nizwa Mart' && row.clientId === 'act-shop' && outcomeOf(row) === 'FAILED',
    ],
    ['{ text: "REQ-" }', row => row.correlator !== null],
    ['{ text: "own" }', row => row.clientCorrelatorId !== null],
    ['{ postedBy: "act-shop", kinds: [REWARD] }', row => row.clientId === 'act-shop' && row.code === 3],
    ['{ text: "nIz" }', beginsWord('niz')],
    ['{ text: "mart web" }', row => beginsWord('mart')(row) && beginsWord('web')(row)],
    ['{ text: "söhne brien" }', row => row.merchant.startsWith('O')],
    ['{ text: "مطرح" }', row => row.merchant.startsWith('سوق')],
    ['{ text: "96897000004" }', row => row.mobileNumber === '96897000004'],
    ['{ text: "nothing of the kind" }', () => false],
    [`{ text: " '&|!:* " }`, () => true],
    [
      '{ from: "2026-10-30T00:00:00Z", to: "2026-11-02T03:59:59.999Z" }',
      ({ createdAt }) =>
        createdAt >= new Date('2026-10-30T00:00:00Z') && createdAt <= new Date('2026-11-02T03:59:59.999Z'),
    ],
  ]

  it.each(FILTERS)('ACT-05 the filter %s finds what it says', async (filter, holds) => {
    for (const [, wrap, isIn] of SCOPES) {
      const query = `{ ${wrap(`timeline(first: 200, filter: ${filter}) { totalCount nodes { transaction { id } } }`)} }`
      const { timeline } = inner(await ask('analyst')(query))
      const wanted = inOrder(history.filter(row => isIn(row) && holds(row)))
      expect(timeline.totalCount).toBe(wanted.length)
      expect(timeline.nodes.map((node: never) => idOf(node))).toEqual(wanted.slice(0, 200).map(row => row.id))
    }
  })

  it('ACT-12 a transaction is found by either correlator, and by the beginning of it', async () => {
    const find = async (filter: string) => {
      const query = `{ timeline(filter: ${filter}) { nodes { transaction { id correlator clientCorrelatorId } } } }`
      return (await ask('analyst')(query)).timeline.nodes
    }
    const row = history.find(one => one.correlator && one.clientCorrelatorId)!
    const { id, correlator, clientCorrelatorId } = row
    const wanted = [{ transaction: { id, correlator, clientCorrelatorId } }]
    expect(await find(`{ correlator: "${correlator}" }`)).toEqual(wanted)
    const texts = [correlator!, correlator!.slice(0, -3), clientCorrelatorId!, correlator!.toUpperCase()]
    for (const text of texts) expect(await find(`{ text: "${text}" }`), text).toEqual(wanted)
    for (const other of [correlator!.slice(1), correlator!.slice(0, -1), correlator!.toUpperCase()])
      expect(await find(`{ correlator: "${other}" }`)).toEqual([])
    expect(await find(`{ text: "${correlator!.slice(1)}" }`)).toEqual([])
  })

  it('ACT-13 what is rare is found by its index as what is near is found by looking', async () => {
    const filters: TimelineFilter[] = [
      { outcomes: ['FAILED', 'CANCELLED'] },
      { outcomes: ['PENDING', 'FAILED'], kinds: ['PAYMENT', 'REWARD'] },
      { kinds: ['REDEMPTION'], minAmount: null },
      { minAmount: new Decimal('20.00005'), maxAmount: new Decimal(30) },
      { text: 'nizwa', merchant: 'Nizwa Mart', postedBy: 'act-shop' },
    ]
    for (const filter of filters)
      for (const byAmount of [false, true])
        for (const descending of [false, true]) {
          const keyset = { size: 7, descending, backward: false }
          const query = { clientId: undefined, filter, byAmount, keyset }
          const pages = [1_000, 0].map(near => readTimeline(stack.app.db, query, near))
          const [looked, found] = await Promise.all(pages)
          const ids = (page: TimelinePage) => page.edges.map(({ cursor, node }) => [cursor, node.id])
          expect(ids(found!)).toEqual(ids(looked!))
          expect(looked!.edges.length).toBeGreaterThan(0)
        }
  })

  it('ACT-06 paging on while new ones arrive repeats none and misses none of the old', async () => {
    const before = inOrder(history).map(row => row.id)
    const seen: string[] = []
    let after: string | null = null
    do {
      const query: string = `{ timeline(first: 40${after ? `, after: "${after}"` : ''}) {
        nodes { transaction { id } } pageInfo { endCursor hasNextPage } } }`
      const { timeline } = await ask('analyst')(query)
      seen.push(...timeline.nodes.map((node: never) => idOf(node)))
      after = timeline.pageInfo.hasNextPage ? timeline.pageInfo.endCursor : null
      const latest = Math.max(...history.map(row => row.createdAt.getTime()))
      history.push(...(await post(stack.app, random, timesFrom(latest, 5, random))))
      await stack.settled()
    } while (after)
    expect(seen).toEqual(before)
  })

  it('ACT-07 a rebuild gives the same rows', async () => {
    const tables = ['entry', 'holder_day', 'client_day', 'total_day', 'progress']
    const read = () =>
      Promise.all(
        tables.map(table =>
          stack.app.db.$queryRawUnsafe(`SELECT t::text AS row FROM activity.${table} t ORDER BY t::text`),
        ),
      )
    const before = await read()
    expect(await rebuild({ ...stack.app, kinds: ALL_KINDS })).toBe(history.length)
    expect(await read()).toEqual(before)
  })

  it('ACT-08 no sum counts nothing', async () => {
    for (const table of ['holder_day', 'client_day', 'total_day']) {
      const rows = await stack.app.db.$queryRawUnsafe(`SELECT * FROM activity.${table} WHERE entries <= 0`)
      expect(rows).toEqual([])
    }
  })
})

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

const idOf = ({ transaction: { id } }: { transaction: { id: string } }) => id

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
