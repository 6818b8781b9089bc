/** The migration that gives each table its sequence: nothing of it is lost, and earlier versions go on with one table. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { expect, it } from 'vitest'
import { applyMigrations } from '#core/data/apply-migrations.ts'
import { migrationNames, onPglite, readMigration } from '#core/data/migrations.ts'
import { loadKinds } from '#subgraphs/load.ts'

const PAGE = join(import.meta.dirname, '../../docs/adding-a-service.md')
const BOOKS = '20261125120000_books_beside_tables'

const openBefore = async () => {
  const pglite = await PGlite.create()
  const names = migrationNames().filter(name => name < BOOKS)
  await applyMigrations(onPglite(pglite), { source: { names, read: readMigration } })
  return pglite
}

it('BOOKS-01 each sequence goes beside its table as it was, and those of other services are kept', {
  timeout: 60_000,
}, async () => {
  await using pglite = await openBefore()
  await pglite.exec(`INSERT INTO books.book (name, client_id, position, written_at) VALUES
    ('payment', '', 7, '2026-11-25T10:00:00Z'), ('payment', 'shop', 5, '2026-11-25T10:00:00Z'), ('event', '', 9, now()), ('ticket', '', 3, now())`)
  await applyMigrations(onPglite(pglite))
  const { rows } = await pglite.query(
    'SELECT client_id AS client, position::int, written_at AS at FROM postpaid.book ORDER BY 1',
  )
  const at = new Date('2026-11-25T10:00:00Z')
  expect(rows).toEqual([
    { client: '', position: 7, at },
    { client: 'shop', position: 5, at },
  ])
  expect((await pglite.query('SELECT position::int FROM events.book')).rows).toEqual([{ position: 9 }])
  expect((await pglite.query('SELECT name, position::int FROM books.other')).rows).toEqual([
    { name: 'ticket', position: 3 },
  ])
})

it('BOOKS-02 an earlier version and this one count on with the same rows', { timeout: 60_000 }, async () => {
  await using pglite = await openBefore()
  await applyMigrations(onPglite(pglite))
  for (const { schema, table } of await loadKinds()) {
    await pglite.query(`INSERT INTO "${schema}".book (name, client_id, position) VALUES ($1, '', 1)`, [table])
    await pglite.query(
      `INSERT INTO books.book (name, client_id, position) VALUES ($1, '', 2)
       ON CONFLICT (name, client_id) DO UPDATE SET position = excluded.position`,
      [table],
    )
    await pglite.query(`SELECT position FROM books.book WHERE name = $1 AND client_id = '' FOR UPDATE`, [
      table,
    ])
    const { rows } = await pglite.query(`SELECT position::int FROM "${schema}".book WHERE name = $1`, [table])
    expect(rows).toEqual([{ position: 2 }])
  }
})

it('BOOKS-03 a service that was there already gets its sequence by what docs/adding-a-service.md says', {
  timeout: 60_000,
}, async () => {
  await using pglite = await openBefore()
  await pglite.exec(
    `CREATE SCHEMA parking; INSERT INTO books.book (name, client_id, position) VALUES ('ticket', '', 3)`,
  )
  await applyMigrations(onPglite(pglite))
  const [, sql] = /```sql\n(CREATE TABLE "parking"."book" .*?)```/s.exec(readFileSync(PAGE, 'utf8'))!
  await pglite.exec(sql!)
  await pglite.exec(`UPDATE books.book SET position = position + 1 WHERE name = 'ticket'`)
  expect((await pglite.query('SELECT position::int FROM parking.book')).rows).toEqual([{ position: 4 }])
})
