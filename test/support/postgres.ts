/** Scratch databases on the PostgreSQL of `TEST_DATABASE_URL`, one a test file, dropped at its end. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { copyOnCitus } from './citus.ts'

/** Whether the tests run on three nodes with Citus, the coordinator of which is at `CITUS_DATABASE_URL`. */
export const ON_CITUS = process.env['TEST_DATABASE'] === 'postgres' && process.env['TEST_CITUS'] === '1'

export const SECRETS_KEY = randomBytes(32).toString('base64')

const server = () => {
  const url = process.env['TEST_DATABASE_URL']
  if (!url) throw new Error('TEST_DATABASE_URL is not set')
  return url
}

/** The address of a database on the server. */
export const databaseUrl = (name: string): string => {
  const url = new URL(server())
  url.pathname = `/${name}`
  return url.toString()
}

/** Runs something on the server's own database. */
export async function withServer<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server() })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database that scratch databases are copies of; one a run, so that runs do not disturb each other. */
    template: string
    /** The same with the demo. */
    demoTemplate: string
  }
}

/** A database of its own; `drop` takes it away. */
export interface Scratch {
  readonly url: string
  drop(): Promise<void>
}

const create = async (options: string): Promise<Scratch> => {
  const name = `partner_graph_${randomBytes(6).toString('hex')}`
  await withServer(client => client.query(`CREATE DATABASE ${name} ${options}`))
  return {
    url: databaseUrl(name),
    drop: () =>
      withServer(client => client.query(`DROP DATABASE ${name} WITH (FORCE)`)).then(() => undefined),
  }
}

/** One that is migrated; laid out over the nodes, where the tests run on Citus. */
export const createScratch = (): Promise<Scratch> =>
  ON_CITUS ? copyOnCitus(inject('template')) : createMigrated()

/** One with the demo; on Citus servers write it themselves. */
export const createWithDemo = (): Promise<Scratch> =>
  ON_CITUS ? createScratch() : create(`TEMPLATE ${inject('demoTemplate')}`)

/** One that is migrated, on one server. */
export const createMigrated = (): Promise<Scratch> => create(`TEMPLATE ${inject('template')}`)

/** One without any tables. */
export const createEmpty = (): Promise<Scratch> => create('')
