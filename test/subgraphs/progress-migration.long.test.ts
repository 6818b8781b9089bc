/** A database from before progress was kept: what waited there is taken in, and nothing that has come to its end is read again. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { expect, it } from 'vitest'
import { migrationNames } from '#core/data/migrations.ts'

const NAME = '20261122170000_settle_in_place'

const sqlOf = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../prisma/migrations', name, 'migration.sql'), 'utf8')

const openBefore = async () => {
  const pglite = await PGlite.create()
  for (const name of migrationNames().filter(one => one < NAME)) await pglite.exec(sqlOf(name))
  return pglite
}

/** Rows of a table, numbered from one, with these statuses. */
const post = async (
  pglite: PGlite,
  [schema, table]: readonly [string, string],
  statuses: readonly string[],
) => {
  await pglite.query(
    `INSERT INTO ${schema}.${table} (id, position, client_id, client_position, created_at, status, body)
     SELECT gen_random_uuid(), n, 'before', n, now(), status, '{}'
     FROM unnest($1::text[]) WITH ORDINALITY AS s (status, n)`,
    [statuses],
  )
  await pglite.query(`INSERT INTO books.book (name, client_id, position) VALUES ($1, '', $2)`, [
    table,
    statuses.length,
  ])
}

it('PROGRESS-01 a kind goes on at the first that waits, after the last where none does, and where it was', async () => {
  const pglite = await openBefore()
  await post(
    pglite,
    ['postpaid', 'payment'],
    ['succeeded', 'succeeded', 'processing', 'denied', 'processing'],
  )
  await post(pglite, ['messaging', 'message'], ['accepted', 'sent'])
  await post(pglite, ['loyalty', 'reward'], ['success', 'success'])
  await post(pglite, ['redemption', 'redemption'], ['success', 'processing', 'processing'])
  await pglite.exec(`INSERT INTO charging.progress (kind, position) VALUES ('REDEMPTION', 2)`)
  await pglite.exec(sqlOf(NAME))
  const { rows } = await pglite.query('SELECT kind, position::int FROM charging.progress ORDER BY kind')
  expect(rows).toEqual([
    { kind: 'MESSAGE', position: 0 },
    { kind: 'PAYMENT', position: 2 },
    { kind: 'RECHARGE', position: 0 },
    { kind: 'REDEMPTION', position: 2 },
    { kind: 'REWARD', position: 2 },
  ])
  await pglite.close()
})
