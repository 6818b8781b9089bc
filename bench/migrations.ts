/**
 * `node bench/migrations.ts [rows] [last migration of the start]`: how long each migration takes on full tables, and how long
 * writers and readers of those tables wait for it. A table; no peer, and so no part of `npm run bench`.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type AppliedMigration, applyMigrations } from '#core/data/apply-migrations.ts'
import { ownMigrations, type RunSql } from '#core/data/migrations.ts'
import { type Bulk, fillInBulk } from './lib/bulk.ts'
import { growingTables, keyedTables } from './lib/fill-growing.ts'
import { createScratch } from './lib/scratch.ts'

const rows = Number(process.argv[2] ?? 10_000_000)
const { names, read } = ownMigrations()
const start = process.argv[3] ?? names[0]!
const PROBE_EACH_MS = 2

const connect = async (url: string) => {
  const client = new pg.Client(url)
  await client.connect()
  return client
}

const runOn =
  (client: pg.Client): RunSql =>
  async sql => {
    const results: pg.QueryResult | pg.QueryResult[] = await client.query(sql)
    return (Array.isArray(results) ? results.at(-1) : results)?.rows ?? []
  }

/** Applies the migrations up to one. */
const applyUpTo = async (url: string, last: string, onApplied?: (one: AppliedMigration) => void) => {
  const client = await connect(url)
  const source = { names: names.slice(0, names.indexOf(last) + 1), read }
  await applyMigrations(runOn(client), { source, ...(onApplied && { onApplied }) }).finally(() =>
    client.end(),
  )
}

/** Takes a lock again and again as a writer or a reader of the tables does; gives the longest wait in milliseconds. */
const probe = async (url: string, tables: readonly string[], mode: string) => {
  const client = await connect(url)
  const ending = new AbortController()
  let longest = 0
  const probing = (async () => {
    while (!ending.signal.aborted)
      for (const table of tables) {
        const began = performance.now()
        await client.query(`BEGIN; LOCK TABLE ${table} IN ${mode} MODE; COMMIT`)
        longest = Math.max(longest, performance.now() - began)
        await delay(PROBE_EACH_MS)
      }
  })()
  return async () => {
    ending.abort()
    await probing
    await client.end()
    return longest
  }
}

const sqlOfAll = names
  .slice(names.indexOf(start) + 1)
  .map(read)
  .join('\n')
const isNamed = ({ table }: Bulk) => sqlOfAll.includes(`"${table.replace('.', '"."')}"`)

/** Fills the tables that there are now and that were not there before, where a migration to come names them. */
const fillNew = async (url: string, filled: Set<string>) => {
  const client = await connect(url)
  const isNew = async ({ table }: Bulk) => {
    const { rows: found } = await client.query('SELECT to_regclass($1) IS NOT NULL AS there', [table])
    return found[0].there && !filled.has(table)
  }
  const bulks: Bulk[] = []
  for (const one of growingTables(rows).filter(isNamed)) if (await isNew(one)) bulks.push(one)
  for (const { table } of bulks) filled.add(table)
  await fillInBulk(url, bulks, { parallel: 2, unlogged: false })
  for (const one of keyedTables(rows).filter(isNamed))
    if (await isNew(one)) {
      filled.add(one.table)
      for (const statement of one.statements) await client.query(statement)
      await client.query(`VACUUM ANALYZE ${one.table}`)
    }
  await client.query('CHECKPOINT')
  await client.end()
}

const ms = (value: number) => Math.round(value).toLocaleString('en')

const measure = async (url: string, name: string, tables: readonly string[]) => {
  const stops = await Promise.all(['ROW EXCLUSIVE', 'ACCESS SHARE'].map(mode => probe(url, tables, mode)))
  let applied: AppliedMigration | undefined
  await applyUpTo(url, name, one => (applied = one))
  const [writer, reader] = await Promise.all(stops.map(stop => stop()))
  const { ms: took, locks, lockedMs } = applied!
  const cells = [took, lockedMs, writer!, reader!].map(ms)
  console.log(`| \`${name}\` | ${[...cells, locks.join(', ') || 'none'].join(' | ')} |`)
}

await using scratch = await createScratch(url => applyUpTo(url, start))
const filled = new Set<string>()
console.log(`${rows.toLocaleString('en')} rows, migrations after ${start}`)
console.log('| migration | ms | held its locks, ms | a writer waited, ms | a reader, ms | locked |')
console.log('|---|---|---|---|---|---|')
for (const name of names.slice(names.indexOf(start) + 1)) {
  await fillNew(scratch.url, filled)
  await measure(scratch.url, name, [...filled])
}
