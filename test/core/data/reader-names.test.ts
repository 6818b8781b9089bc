/** Prepared statements: as many reads as there may be, and all writes. */
import type { Pool } from 'pg'
import { expect, it } from 'vitest'
import { Prisma } from '#core/data/db.ts'
import { poolReader } from '#core/data/reader.ts'
import { poolWriter } from '#core/data/writer.ts'

it('NAMES-01 what writes is prepared, however many selections were read before', async () => {
  const names: (string | undefined)[] = []
  const query = async ({ name }: { name?: string }) => {
    names.push(name)
    return { rows: [], rowCount: 0 }
  }
  const pool = { query } as unknown as Pool
  const [reader, writer] = [poolReader(pool), poolWriter(pool)]
  for (let column = 0; column < 300; column++) await reader.$queryRaw(Prisma.raw(`SELECT ${column}`))
  expect(names.filter(Boolean)).toHaveLength(250)
  names.length = 0
  await writer.$queryRaw`UPDATE events.delivery SET status = ${'DEAD'}`
  expect(names.filter(Boolean)).toHaveLength(1)
})
