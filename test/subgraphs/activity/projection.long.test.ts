/**
 * How the services are projected into the timeline: promptly, exactly once, in whichever order it meets what
 * happened.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '#core/context/app.ts'
import { type TransactionKind, tableOf } from '#core/transactions/kind.ts'
import { loadServices } from '#gateway/load-services.ts'
import { checkKinds } from '#subgraphs/activity/kinds.ts'
import { changeEntries, createEntries } from '#subgraphs/activity/projection/entries.ts'
import { projectAll } from '#subgraphs/activity/projection/project.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { restOf } from '../../support/both-interfaces.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { noting } from '../../support/statements.ts'
import { type Graph, graphOf } from './graph.ts'
import {
  ALL_KINDS,
  createRandom,
  fillDirectory,
  isOpen,
  outcomeOf,
  post,
  settle,
  unsettled,
} from './history.ts'

const count = async ({ db }: App, table: string) =>
  Number((await db.$queryRawUnsafe<{ n: bigint }[]>(`SELECT count(*) AS n FROM activity.${table}`))[0]!.n)

const countOf = async ({ db }: App, kind: TransactionKind) =>
  Number((await db.$queryRaw<{ n: bigint }[]>`SELECT count(*) AS n FROM ${tableOf(kind)}`)[0]!.n)

describe('of the demo', () => {
  let stack: Stack
  let ask: Graph
  beforeAll(async () => {
    stack = await startStack()
    ask = graphOf(stack, await stack.token('demo-analyst'))
    await stack.settled()
  })
  afterAll(() => stack[Symbol.asyncDispose]())

  it('ACT-20 what was there before the first start is followed too', async () => {
    const counts = await Promise.all(ALL_KINDS.map(kind => countOf(stack.app, kind)))
    const posted = counts.reduce((sum, n) => sum + n, 0)
    expect((await ask('{ timeline { totalCount } }')).timeline.totalCount).toBe(posted)
    expect(await count(stack.app, 'entry')).toBe(posted)
  })

  it.each(FIXTURES)('ACT-21 a posted $kind appears at once, and then with its outcome', async fixture => {
    const token = await stack.token('demo-partner')
    const { body } = await restOf(stack)('POST', fixture.path, { token, body: fixture.body() })
    const read = async () =>
      (await ask('{ timeline(first: 1) { nodes { kind outcome description transaction { id } } } }')).timeline
        .nodes[0]
    const seen = await until(read, node => node.transaction.id === body[fixture.idField])
    expect(seen.kind).toBe(fixture.kind)
    expect(seen.description).not.toMatch(/null|undefined|\n/)
    await until(read, node => node.outcome === 'COMPLETED' || node.outcome === 'FAILED')
  })

  it('ACT-22 the number of statements does not grow with the number of owners', async () => {
    const statements: string[] = []
    const parts = async (app: App) => ({
      services: await loadServices({
        ...app,
        db: noting(app.db, statements),
      }),
    })
    await using noted = await startStack({ parts })
    await noted.settled()
    const analyst = graphOf(noted, await noted.token('demo-analyst'))
    const fields = `timeline(first: 2) { totalCount nodes { description } } summary(groupBy: [KIND]) { count }`
    const query = (first: number) => `{ timeline(first: ${first}) { nodes { transaction {
      subscriber { ${fields} } customer { ${fields} subscribers { ${fields} } } } } } }`
    const counts = []
    for (const first of [2, 40]) {
      statements.length = 0
      await analyst(query(first))
      counts.push(statements.filter(text => /activity\.(entry|holder_day)/.test(text)).length)
    }
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts[1]).toBe(counts[0])
  })
})

describe('of a history', () => {
  const random = createRandom(21)
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ env: { DEMO: '0' }, parts: unsettled })
    await fillDirectory(stack.app)
  })
  afterAll(() => stack[Symbol.asyncDispose]())

  const times = (from: string, many: number) =>
    Array.from({ length: many }, (_, index) => new Date(Date.parse(from) + index * 60_000))

  it('ACT-23 several projectors at once count each transaction once', async () => {
    const rows = await post(stack.app, random, times('2026-10-01T00:00:00Z', 60))
    await Promise.all(Array.from({ length: 4 }, () => projectAll({ ...stack.app, kinds: ALL_KINDS })))
    await settle(stack.app, random, rows)
    await Promise.all(Array.from({ length: 4 }, () => projectAll({ ...stack.app, kinds: ALL_KINDS })))
    expect(await count(stack.app, 'entry')).toBe(60)
    const [sums] = await stack.app.db.$queryRaw<{ n: bigint }[]>`
      SELECT sum(entries)::bigint AS n FROM activity.total_day WHERE outcome <> 'PENDING'`
    expect(Number(sums!.n)).toBe(rows.filter(row => outcomeOf(row) !== 'PENDING').length)
  })

  it('ACT-24 an event may be met before, with and after the creation it follows, and twice', async () => {
    const rows = await post(stack.app, random, times('2026-10-02T00:00:00Z', 20))
    await settle(stack.app, random, rows)
    await stack.settled()
    const log = await stack.app.db.event.findMany({ orderBy: { position: 'desc' }, take: 20 })
    const all = { from: 0n, to: log[0]!.position, timezone: 'Asia/Muscat' }
    await stack.app.db.$transaction(async tx => {
      await tx.$executeRaw`DELETE FROM activity.entry WHERE id = ANY (${rows.map(row => row.id)}::uuid[])`
      await tx.$executeRaw`TRUNCATE activity.holder_day, activity.client_day, activity.total_day`
      for (const kind of ALL_KINDS) await changeEntries(tx, kind, all)
      for (const row of rows) {
        const stretch = { ...all, from: row.position - 1n, to: row.position }
        await createEntries(tx, row.kind, stretch)
      }
      for (const kind of [...ALL_KINDS, ...ALL_KINDS]) await changeEntries(tx, kind, all)
    })
    const entries = await stack.app.db.timelineEntry.findMany({
      where: { id: { in: rows.map(row => row.id) } },
    })
    const byId = new Map(entries.map(entry => [entry.id, entry.outcome]))
    expect(rows.map(row => byId.get(row.id))).toEqual(rows.map(outcomeOf))
    const [sums] = await stack.app.db.$queryRaw<{ n: bigint }[]>`
      SELECT sum(entries)::bigint AS n FROM activity.total_day`
    expect(Number(sums!.n)).toBe(20)
  })

  it('ACT-25 what was carried out and then reversed no longer counts as carried out', async () => {
    const isReversible = (status: string) => ['success'].includes(status)
    const rows = await post(stack.app, random, times('2026-10-03T00:00:00Z', 80))
    for (let round = 0; round < 3; round++)
      await settle(
        stack.app,
        random,
        rows.filter(row => isOpen(row) && !isReversible(row.status)),
      )
    await stack.settled()
    const done = rows.filter(row => isReversible(row.status))
    expect(done.length).toBeGreaterThan(0)
    const completed = async () =>
      (await stack.app.db.totalDay.findMany({ where: { outcome: 'COMPLETED' } })).reduce(
        (sum, { entries }) => sum + Number(entries),
        0,
      )
    const before = await completed()
    await settle(stack.app, random, done)
    await stack.settled()
    expect(done.every(row => outcomeOf(row) === 'REVERSED')).toBe(true)
    expect(await completed()).toBe(before - done.length)
  })
})

describe('the kinds that the services describe', () => {
  it('ACT-26 are what is projected, each in its own place', async () => {
    expect(await loadKinds()).toEqual(ALL_KINDS)
    expect(ALL_KINDS.map(({ timeline }) => timeline.code)).toEqual([0, 1, 2, 3, 4])
    expect(() => checkKinds(ALL_KINDS)).not.toThrow()
  })

  const [payment, ...others] = ALL_KINDS
  const withTimeline = (change: object) => [
    ...others,
    { ...payment!, timeline: { ...payment!.timeline, ...change } },
  ]

  it.each([
    [{ code: 3 }, 'PAYMENT has the same code in the timeline as REWARD: 3'],
    [{ code: 8 }, 'PAYMENT has a code that the timeline has no place for: 8'],
    [{ phrase: 'Payment of {fee}' }, 'The phrase of PAYMENT has an unknown part: {fee}'],
  ])('ACT-28 stop the start when the timeline cannot show them: %j', (change, message) => {
    expect(() => checkKinds(withTimeline(change))).toThrow(message)
  })
})

it('ACT-27 a token bound to a number sees that number alone', async () => {
  await using stack = await startStack()
  await stack.settled()
  const bound = { role: 'portal' as const, phoneNumber: '96891000001' }
  const ask = graphOf(stack, await stack.token({ id: 'act-bound', ...bound }))
  const own = 'subscriber(mobileNumber: "+96891000001") { timeline { nodes { transaction { id } } } }'
  const { timeline, subscriber } = await ask(`{ timeline { nodes { transaction { id } } } ${own} }`)
  expect(timeline).toEqual(subscriber.timeline)
  const other = '{ customer(customerAccountNumber: "100001") { subscribers { timeline { totalCount } } } }'
  await expect(ask(other)).resolves.toBeTruthy()
})

/** Reads until it holds; the test's own time is the limit. */
async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (value !== undefined && holds(value)) return value
  }
}
