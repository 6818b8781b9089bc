/** Timelines of made-up histories: what filters find, paging while new ones arrive, and a rebuild. */
import { describe, expect, it } from 'vitest'
import { Decimal } from '#core/values/money.ts'
import { rebuild } from '#subgraphs/activity/projection/project.ts'
import type { TimelineFilter } from '#subgraphs/activity/timeline/filter.ts'
import { readTimeline, type TimelinePage } from '#subgraphs/activity/timeline/read.ts'
import { ALL_KINDS, inOrder, outcomeOf, post, reasonOf, type Written } from './history.ts'
import { idOf, inner, SCOPES, timesFrom, useHistory, ZONES } from './made-up.ts'

describe.each(ZONES)('in %s', (zone, seed) => {
  const stage = useHistory(zone, seed)
  const { random, ask } = stage

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
    [
      '{ merchants: ["Nizwa Mart", "سوق  مطرح"], channels: ["Web"] }',
      row => ['Nizwa Mart', 'سوق مطرح'].includes(row.merchant) && row.channel === 'Web',
    ],
    ['{ merchants: [""], channels: ["", "Kiosk"] }', row => row.merchant === '' && row.channel !== 'Web'],
    ['{ reasons: ["No answer of …"] }', row => reasonOf(row) === 'No answer of …'],
    [
      '{ reasons: ["The points do not suffice", "None"], outcomes: [FAILED] }',
      row => reasonOf(row) === 'The points do not suffice' && outcomeOf(row) === 'FAILED',
    ],
    [
      '{ customers: ["700002", "700004", "x"], kinds: [PAYMENT] }',
      row => ['700002', '700004'].includes(row.accountNumber) && row.kind.name === 'PAYMENT',
    ],
    ['{ customers: [] }', () => false],
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
      const wanted = inOrder(stage.history.filter(row => isIn(row) && holds(row)))
      expect(timeline.totalCount).toBe(wanted.length)
      expect(timeline.nodes.map((node: never) => idOf(node))).toEqual(wanted.slice(0, 200).map(row => row.id))
    }
  })

  it('ACT-12 a transaction is found by either correlator, and by the beginning of it', async () => {
    const find = async (filter: string) => {
      const query = `{ timeline(filter: ${filter}) { nodes { transaction { id correlator clientCorrelatorId } } } }`
      return (await ask('analyst')(query)).timeline.nodes
    }
    const row = stage.history.find(one => one.correlator && one.clientCorrelatorId)!
    const { id, correlator, clientCorrelatorId } = row
    const wanted = [{ transaction: { id, correlator, clientCorrelatorId } }]
    expect(await find(`{ correlator: "${correlator}" }`)).toEqual(wanted)
    const texts = [correlator!, correlator!.slice(0, -3), clientCorrelatorId!, correlator!.toUpperCase()]
    for (const text of texts) expect(await find(`{ text: "${text}" }`), text).toEqual(wanted)
    for (const other of [correlator!.slice(1), correlator!.slice(0, -1), correlator!.toUpperCase(), ''])
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
      { channels: ['Web', 'Kiosk'], merchants: ['Nizwa Mart', "O'Brien & Söhne"] },
      { channels: ['', 'Web'] },
      { reasons: ['The points do not suffice'], outcomes: ['FAILED', 'CANCELLED', 'REVERSED'] },
      { reasons: ['No answer of …'] },
      { customers: ['700001', '700003'], postedBy: 'act-bank' },
    ]
    for (const filter of filters)
      for (const byAmount of [false, true])
        for (const descending of [false, true]) {
          const keyset = { size: 7, descending, backward: false }
          const query = { clientId: undefined, filter, byAmount, keyset }
          const pages = [1_000, 0].map(near => readTimeline(stage.stack.app.db, query, near))
          const [looked, found] = await Promise.all(pages)
          const ids = (page: TimelinePage) => page.edges.map(({ cursor, node }) => [cursor, node.id])
          expect(ids(found!)).toEqual(ids(looked!))
          expect(looked!.edges.length).toBeGreaterThan(0)
        }
  })

  it('ACT-06 paging on while new ones arrive repeats none and misses none of the old', async () => {
    const before = inOrder(stage.history).map(row => row.id)
    const seen: string[] = []
    let after: string | null = null
    do {
      const query: string = `{ timeline(first: 40${after ? `, after: "${after}"` : ''}) {
        nodes { transaction { id } } pageInfo { endCursor hasNextPage } } }`
      const { timeline } = await ask('analyst')(query)
      seen.push(...timeline.nodes.map((node: never) => idOf(node)))
      after = timeline.pageInfo.hasNextPage ? timeline.pageInfo.endCursor : null
      const latest = Math.max(...stage.history.map(row => row.createdAt.getTime()))
      stage.history.push(...(await post(stage.stack.app, random, timesFrom(latest, 5, random))))
      await stage.stack.settled()
    } while (after)
    expect(seen).toEqual(before)
  })

  it('ACT-07 a rebuild gives the same rows', async () => {
    const tables = ['entry', 'holder_day', 'client_day', 'total_day', 'progress']
    const read = () =>
      Promise.all(
        tables.map(table =>
          stage.stack.app.db.$queryRawUnsafe(
            `SELECT t::text AS row FROM activity.${table} t ORDER BY t::text`,
          ),
        ),
      )
    const before = await read()
    expect(await rebuild({ ...stage.stack.app, kinds: ALL_KINDS })).toBe(stage.history.length)
    expect(await read()).toEqual(before)
  })

  it('ACT-08 no sum counts nothing', async () => {
    for (const table of ['holder_day', 'client_day', 'total_day']) {
      const rows = await stage.stack.app.db.$queryRawUnsafe(
        `SELECT * FROM activity.${table} WHERE entries <= 0`,
      )
      expect(rows).toEqual([])
    }
  })
})
