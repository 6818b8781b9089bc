/** Whether a statement that was planned while its tables were empty reads all of them once they are full. */
import { expect } from 'vitest'
import type { Statements } from '#core/data/db.ts'
import { openTestApp } from './stack.ts'

/** How many rows there are, and how many of them a statement takes. */
export const FILLED = 10_000
export const TAKEN = 100
/** Each row that is taken is found, looked at, locked and written: far less than all there are, and than nothing at all. */
const MOST_READ = 40 * TAKEN

/** A statement: what it is called with when there is nothing yet, and what it does with `TAKEN` of many rows. */
export interface Case {
  /** With its schema, the table whose rows are counted. */
  readonly table: readonly [schema: string, name: string]
  plan(tx: Statements): Promise<unknown>
  fill(tx: Statements): Promise<unknown>
  act(tx: Statements): Promise<unknown>
}

const rowsRead = async (tx: Statements, [schema, name]: Case['table']) => {
  const [{ rows }] = await tx.$queryRaw<[{ rows: number }]>`
    SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS rows
    FROM pg_stat_xact_user_tables WHERE schemaname = ${schema} AND relname = ${name}`
  return rows
}

/** As the transactions that write have it, and as a connection keeps it once a statement has been called a few times. */
const keepPlans = (tx: Statements) => tx.$executeRaw`SET LOCAL plan_cache_mode = force_generic_plan`

const tryCase = async (tx: Statements, { table, plan, fill, act }: Case) => {
  await keepPlans(tx)
  await plan(tx)
  await fill(tx)
  const before = await rowsRead(tx, table)
  await act(tx)
  const read = (await rowsRead(tx, table)) - before
  expect(read).toBeGreaterThanOrEqual(TAKEN)
  expect(read).toBeLessThan(MOST_READ)
}

/** Expects of a case that it reads next to nothing beyond what it takes. */
export async function expectToReadLittle(one: Case): Promise<void> {
  await using opened = await openTestApp({ env: { DEMO: '0', LOG_LEVEL: 'silent' } })
  await opened.app.db.$transaction(tx => tryCase(tx, one), { timeout: 30_000 })
}
