/** Prepared statements: as many reads as there may be, and all writes. */
import type { Pool } from 'pg'
import { expect, it } from 'vitest'
import { Prisma } from '#core/data/db.ts'
import { poolStatements, StatementNames } from '#core/data/statements.ts'

it('NAMES-01 what writes is prepared, however many selections were read before', async () => {
  const names: (string | undefined)[] = []
  const query = async ({ name }: { name?: string }) => {
    names.push(name)
    return { rows: [], rowCount: 0 }
  }
  const pool = { query } as unknown as Pool
  const { $queryRaw, $executeRaw } = poolStatements(pool, new StatementNames())
  for (let column = 0; column < 300; column++) await $queryRaw(Prisma.raw(`SELECT ${column}`))
  expect(names.filter(Boolean)).toHaveLength(250)
  names.length = 0
  await $executeRaw`UPDATE events.delivery SET status = ${'DEAD'}`
  expect(names.filter(Boolean)).toHaveLength(1)
})
