/** Partitions by day: each id in the partition of its day, days that can be dropped alone. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY_MS, dayOf, dropPartitions, firstIdOf, makePartitions } from '#core/data/day-partitions.ts'
import type { Database } from '#core/data/db.ts'
import { newId } from '#core/values/id.ts'
import { openForReading } from './opened.ts'

const TABLE = 'activity.request'
const FIRST = dayOf(Date.parse('2024-02-28'))

let database: Database
beforeAll(async () => {
  database = await openForReading()
})
afterAll(() => database.close())

const insertAt = (iso: string) => database.db.$executeRaw`
  INSERT INTO activity.request (id, at, via, status, duration_ms, correlator)
  VALUES (${newId(new Date(iso))}::uuid, ${iso}::timestamptz, 'REST', 200, 1, ${iso})`

const rows = async () => {
  const found = await database.db.$queryRaw<{ name: string; correlator: string }[]>`
    SELECT tableoid::regclass::text AS name, correlator FROM activity.request
    WHERE id < ${firstIdOf((FIRST + 9) * DAY_MS)}::uuid ORDER BY id`
  return found.map(({ name, correlator }) => `${name.split('_')[1]} ${correlator}`)
}

it('PART-01 MUST take each row into the partition of its day in UTC, to the millisecond', async () => {
  await Promise.all([
    makePartitions(database.db, TABLE, [FIRST, FIRST + 1]),
    makePartitions(database.db, TABLE, [FIRST + 1, FIRST + 2]),
  ])
  const at = ['2024-02-28T00:00:00.000Z', '2024-02-28T23:59:59.999Z', '2024-02-29T00:00:00.000Z']
  for (const one of [...at, '2024-03-01T12:00:00.000Z']) await insertAt(one)
  expect(await rows()).toEqual([
    `20240228 ${at[0]}`,
    `20240228 ${at[1]}`,
    `20240229 ${at[2]}`,
    '20240301 2024-03-01T12:00:00.000Z',
  ])
  await expect(insertAt('2024-03-02T00:00:00.000Z')).rejects.toThrow(/partition/)
})

it('PART-02 MUST drop the days before one, and no other', async () => {
  expect(await dropPartitions(database.db, TABLE, FIRST + 2)).toBe(2)
  expect(await rows()).toEqual(['20240301 2024-03-01T12:00:00.000Z'])
  expect(await dropPartitions(database.db, TABLE, FIRST + 2)).toBe(0)
})
