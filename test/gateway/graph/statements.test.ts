/** What the analyst's query costs the database: the depth of the query, not the number of rows. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadServices } from '../../../gateway/load-services.ts'
import type { App } from '../../../subgraphs/shared/context/app.ts'
import { createDirectory } from '../../../subgraphs/shared/directory/directory.ts'
import { createGraph } from '../../support/graph.ts'
import { noting } from '../../support/noting.ts'
import { SEPARATE, startStack } from '../../support/stack.ts'

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

it('GRAPH-SQL-01 MUST take as many statements for many rows as for one', async () => {
  const statements: string[] = []
  const parts = async (app: App) => {
    const db = noting(app.db, statements)
    const reader = noting(app.reader, statements)
    return { services: await loadServices({ ...app, db, reader, directory: createDirectory(reader) }) }
  }
  await using stack = await startStack({ parts })
  await stack.settled()
  const token = await stack.token('demo-analyst')
  const ask = createGraph(stack.address)
  const counts = []
  for (const size of [1, 40]) {
    statements.length = 0
    const { data, errors } = await ask(withPages(size), { token, variables: { n: '+96891000001' } })
    expect(errors).toEqual([])
    counts.push({
      rows: data.subscriber.timeline.edges.length,
      statements: statements.filter(isReading).length,
    })
  }
  expect(counts[0]!.rows).toBe(1)
  expect(counts[1]!.rows).toBeGreaterThan(15)
  expect(counts[1]!.statements).toBeLessThanOrEqual(counts[0]!.statements + PER_KIND)
})

it.skipIf(SEPARATE)(
  'GRAPH-SQL-02 MUST look up an account and a line once, however many subgraphs need them',
  async () => {
    const statements: string[] = []
    const parts = async (app: App) => {
      const reader = noting(app.reader, statements)
      return { services: await loadServices({ ...app, reader, directory: createDirectory(reader) }) }
    }
    await using stack = await startStack({ parts })
    await stack.settled()
    const token = await stack.token('demo-analyst')
    statements.length = 0
    await createGraph(stack.address)(QUERY, { token, variables: { n: '+96891000001' } })
    const reading = (table: string) => statements.filter(text => text.includes(`JOIN ${table} ON`)).length
    expect([reading('directory.account'), reading('directory.line'), reading('ledger.balance')]).toEqual([
      1, 1, 2,
    ])
  },
)

/** What settlers, the projector and the deliverer look for now and then is not the query's. */
const isReading = (text: string) =>
  !/FOR UPDATE|activity\.progress|charging\.|events\.delivery|clock_timestamp/.test(text)

/**
 * One entry is of one kind, many are of up to five, each resolved by its owner with two statements, of which one says who
 * posted; and where fetches are requests of their own, whose loaders do not remember each other's rows, with one more for
 * what they have in common.
 */
const PER_KIND = SEPARATE ? 12 : 8
