/** Databases for a run, on the PostgreSQL of `BENCH_DATABASE_URL`: created, migrated, and dropped at its end. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { readConfig } from '#core/config/config.ts'
import { migratePostgres } from '#core/data/db.ts'

export const SECRETS_KEY = randomBytes(32).toString('base64')

const SERVER = process.env['BENCH_DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432/postgres'

export interface Scratch extends AsyncDisposable {
  readonly url: string
  /** A connection for filling and looking. */
  readonly client: pg.Client
}

const onServer = async (sql: string) => {
  const server = new pg.Client(SERVER)
  await server.connect()
  await server.query(sql).finally(() => server.end())
}

const migrateToOurs = async (url: string): Promise<unknown> =>
  migratePostgres(readConfig({ DATABASE_URL: url, SECRETS_KEY }))

/** A migrated database of its own. @param migrate brings it to a schema; to that of this checkout unless given. */
export async function createScratch(
  migrate: (url: string) => Promise<unknown> = migrateToOurs,
): Promise<Scratch> {
  const name = `partner_graph_bench_${randomBytes(4).toString('hex')}`
  await onServer(`CREATE DATABASE ${name}`)
  const address = new URL(SERVER)
  address.pathname = `/${name}`
  const url = address.toString()
  await migrate(url)
  const client = new pg.Client(url)
  await client.connect()
  return {
    url,
    client,
    async [Symbol.asyncDispose]() {
      await client.end()
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}
