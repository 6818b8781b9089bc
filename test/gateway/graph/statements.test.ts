/** The analyst's query costs the database the depth of the query, not the number of rows. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '#core/context/app.ts'
import { createDirectory } from '#core/directory/directory.ts'
import { loadServices } from '#gateway/load-services.ts'
import { createGraph, SENDS_TWICE } from '../../support/graph.ts'
import { SEPARATE, type Stack, startStack } from '../../support/stack.ts'
import { noting } from '../../support/statements.ts'

const QUERY = readFileSync(
  join(import.meta.dirname, '../../../schema/operations/customer-360.graphql'),
  'utf8',
)

/** The same query with pages of this size, and with the customer of every transaction beside. */
const withPages = (size: number) =>
  QUERY.replaceAll(/first: \d+/g, `first: ${size}`).replace(
    /transaction \{/,
    'transaction { subscriber { kind customer { customerName totalDues } } postedBy { name }',
  )

const statements: string[] = []
const parts = async (app: App) => {
  const db = noting(app.db, statements)
  return { services: await loadServices({ ...app, db, directory: createDirectory(db) }) }
}

let stack: Stack
/** A test that counts what one request does, which cannot be sent twice. */
const counting = it.skipIf(SENDS_TWICE)

beforeAll(async () => {
  stack = await startStack({ parts })
  await stack.settled()
})
afterAll(() => stack[Symbol.asyncDispose]())

/** The response, and how many statements it took. */
const counted = async (query: string, variables: object) => {
  const token = await stack.token('demo-analyst')
  statements.length = 0
  const { data, errors } = await createGraph(stack.address)(query, { token, variables })
  expect(errors).toEqual([])
  return { data, count: statements.filter(isReading).length }
}

counting('GRAPH-SQL-01 MUST take as many statements for many rows as for one', async () => {
  const counts = []
  for (const size of [1, 40]) {
    const { data, count } = await counted(withPages(size), { n: '+96891000001' })
    counts.push({ rows: data.subscriber.timeline.edges.length, count })
  }
  expect(counts[0]!.rows).toBe(1)
  expect(counts[1]!.rows).toBeGreaterThan(15)
  expect(counts[1]!.count).toBeLessThanOrEqual(counts[0]!.count + PER_KIND)
})

it.skipIf(SEPARATE || SENDS_TWICE)(
  'GRAPH-SQL-02 MUST look up an account and a line once, however many subgraphs need them',
  async () => {
    await counted(QUERY, { n: '+96891000001' })
    const reading = (table: string) => statements.filter(text => text.includes(`JOIN ${table} ON`)).length
    expect([reading('directory.account'), reading('directory.line'), reading('ledger.balance')]).toEqual([
      1, 1, 2,
    ])
  },
)

const PAGE = `subscriber { mobileNumber payments(first: 5, include: $include) { totalCount nodes { id } }
  timeline(first: 5, include: $include) { totalCount nodes { kind } } summary(include: $include) { count } }`
const LINES = `query ($size: Int, $include: LineScope) {
  payments(first: $size) { nodes { ${PAGE} } } recharges(first: $size) { nodes { ${PAGE} } } }`

/**
 * Statements beyond those of one line. A server of its own answers the lines of payments and of recharges together or
 * apart: five fields and the lines themselves are then read twice. Where no scope is given, some lines stand with their
 * accounts and some alone, so each of the five fields has a statement for either scope as well.
 */
const APART = SEPARATE || process.env['TEST_DATABASE'] === 'postgres' ? 6 : 0
const EITHER_SCOPE = 10

counting.each([undefined, 'NUMBER', 'ACCOUNT'])(
  'GRAPH-SQL-03 MUST take as many statements for the pages of many lines as for one (include: %s)',
  async include => {
    const seen = []
    for (const size of [1, 40]) {
      const { data, count } = await counted(LINES, { size, include })
      const nodes: { subscriber: object | null }[] = [...data.payments.nodes, ...data.recharges.nodes]
      const lines = new Set(nodes.map(({ subscriber }) => JSON.stringify(subscriber)))
      seen.push({ lines: lines.size, count })
    }
    expect(seen[1]!.lines).toBeGreaterThan(seen[0]!.lines + 1)
    expect(seen[1]!.count).toBeLessThanOrEqual(seen[0]!.count + APART + (include ? 0 : EITHER_SCOPE))
  },
)

/** Statements that settlers, the projector and the deliverer send now and then; they are not the query's. */
const isReading = (text: string) =>
  !/FOR UPDATE|activity\.progress|charging\.|events\.delivery|clock_timestamp/.test(text)

/**
 * One entry is of one kind, many are of up to five, each resolved by its owner with two statements, of which one says who
 * posted; and where fetches are requests of their own, whose loaders do not remember each other's rows, with one more for
 * what they have in common.
 */
const PER_KIND = SEPARATE ? 12 : 8
