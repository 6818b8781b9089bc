/** Views for BI tools: equal to the summary, rows of the reader alone, nothing that identifies a person, nothing to change. */

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectPath } from '#core/config/project-files.ts'
import { Prisma } from '#core/data/db.ts'
import { createGraph } from '#test/support/graph.ts'
import { notOnCitus } from '#test/support/not-on-citus.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

const suffix = randomBytes(4).toString('hex')
const [ALL, SHOP] = [`bi_all_${suffix}`, `bi_shop_${suffix}`]

let stack: Stack
const statements = (role: string, partner: string) =>
  readFileSync(projectPath('ops/analytics/reader.sql'), 'utf8')
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(':"role"', `"${role}"`)
    .replaceAll(":'role'", `'${role}'`)
    .replaceAll(":'partner'", `'${partner}'`)
    .split(';')
    .map(statement => statement.trim())
    .filter(Boolean)

beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
  for (const [role, partner] of [
    [ALL, ''],
    [SHOP, 'demo-kiosks'],
  ] as const)
    for (const statement of statements(role, partner)) await stack.app.db.$executeRawUnsafe(statement)
})
afterAll(async () => {
  for (const role of [ALL, SHOP]) {
    await stack.app.db.$executeRawUnsafe(`DROP OWNED BY "${role}"`)
    await stack.app.db.$executeRawUnsafe(`DROP ROLE "${role}"`)
  }
  await stack[Symbol.asyncDispose]()
})

/** Asks as a role of the database. */
const as = <Row>(role: string, sql: string): Promise<Row[]> =>
  stack.app.db.$transaction(async tx => {
    await tx.$executeRaw`${Prisma.raw(`SET LOCAL ROLE "${role}"`)}`
    return tx.$queryRaw<Row[]>`${Prisma.raw(sql)}`
  })

interface SumRow {
  readonly period: string
  readonly kind: string
  readonly partner: string
  readonly currency: string | null
  readonly count: number
  readonly amount: string
}

const SUMS = (from: string, transactions: string, day: string) => `
  SELECT date_trunc('month', ${day}::timestamp)::date::text AS period, kind, partner, currency, ${transactions}::int AS count,
    coalesce(sum(amount) FILTER (WHERE outcome = 'COMPLETED'), 0)::float8::text AS amount
  FROM analytics.${from} GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`

describe('the views', () => {
  it.skipIf(notOnCitus('a view that reads what its reader may not')).each([
    ['daily_v1', 'sum(transactions)', 'day'],
    ['daily_merchants_v1', 'sum(transactions)', 'day'],
    ['transactions_v1', 'count(*)', 'local_time'],
  ])('ANALYTICS-01 MUST add up as the summary does: %s', async (...view) => {
    const token = await stack.token('demo-analyst')
    const { data } = await createGraph(stack.address)(
      '{ summary(by: MONTH, groupBy: [KIND, PARTNER, CURRENCY]) { period kind partner { id } currency count amount { value } } }',
      { token },
    )
    // biome-ignore lint/suspicious/noExplicitAny: rows of a graph
    const wanted = data.summary.map((row: any) => ({
      period: row.period,
      kind: row.kind,
      partner: row.partner.id,
      currency: row.currency,
      count: row.count,
      amount: String(row.amount?.value ?? 0),
    }))
    const found = await as<SumRow>(ALL, SUMS(...view))
    const inOrder = (rows: readonly SumRow[]) => rows.map(row => JSON.stringify(row)).sort()
    expect(wanted.length).toBeGreaterThan(10)
    expect(inOrder(found)).toEqual(inOrder(wanted))
  })

  it.skipIf(notOnCitus('a view that reads what its reader may not'))(
    'ANALYTICS-02 MUST show a partner what it posted alone, and no customers',
    async () => {
      await stack.app.db.timelineEntry.updateMany({
        where: { kind: 'REWARD' },
        data: { clientId: 'demo-partner' },
      })
      await stack.app.db.totalDay.updateMany({
        where: { kind: 'REWARD' },
        data: { clientId: 'demo-partner' },
      })
      await stack.app.db.clientDay.updateMany({
        where: { kind: 'REWARD' },
        data: { clientId: 'demo-partner' },
      })
      for (const view of ['daily_v1', 'daily_merchants_v1', 'transactions_v1', 'partners_v1']) {
        const partners = `SELECT DISTINCT partner FROM analytics.${view} ORDER BY 1`
        expect(await as(SHOP, partners), view).toEqual([{ partner: 'demo-kiosks' }])
        expect((await as(ALL, partners)).length, view).toBeGreaterThan(1)
      }
      expect(await as(SHOP, 'SELECT customer FROM analytics.customers_v1')).toEqual([])
      expect(await as(ALL, 'SELECT customer FROM analytics.customers_v1')).toHaveLength(
        await stack.app.db.account.count(),
      )
    },
  )

  it.each([
    'SELECT * FROM activity.entry',
    'SELECT * FROM postpaid.payment',
    'SELECT * FROM access.client',
    'SELECT * FROM directory.account',
    'SELECT * FROM analytics.reader',
    'INSERT INTO analytics.reader VALUES (current_user, NULL)',
    'UPDATE analytics.daily_v1 SET transactions = 0',
    'CREATE TABLE analytics.mine (x int)',
  ])('ANALYTICS-03 MUST be all that a reader may use: %s', async sql => {
    await expect(as(SHOP, sql)).rejects.toThrow()
  })

  it('ANALYTICS-04 MUST have no column of a card, an address, a secret, a name or a number of a person', async () => {
    const rows = await stack.app.db.$queryRaw<{ name: string }[]>`
      SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'analytics' AND table_name <> 'reader'`
    expect(rows.length).toBeGreaterThan(40)
    const names = rows.map(({ name }) => name).filter(name => name !== 'partners_v1.name')
    expect(
      names.filter(name => /name$|addr|card|secret|token|url|mobile|phone|body|text|correlator/.test(name)),
    ).toEqual([])
  })

  it.skipIf(notOnCitus('a view that reads what its reader may not'))(
    'ANALYTICS-05 MUST show a role without a row nothing',
    async () => {
      await stack.app.db.$executeRawUnsafe(`DELETE FROM analytics.reader WHERE role_name = '${SHOP}'`)
      expect(await as(SHOP, 'SELECT * FROM analytics.daily_v1')).toEqual([])
      expect(await as(SHOP, 'SELECT * FROM analytics.transactions_v1')).toEqual([])
    },
  )
})
