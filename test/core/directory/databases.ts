/** The databases the directory is tested on: the embedded one, and a scratch database of TEST_DATABASE_URL. */
import { Client } from 'pg'
import { readConfig } from '#core/config/config.ts'
import { type Database, migratePostgres, openDatabase } from '#core/data/db.ts'
import { openEmpty } from '#test/support/embedded.ts'

const SERVER = process.env.TEST_DATABASE_URL
const SECRETS_KEY = Buffer.alloc(32).toString('base64')

export const DATABASES: readonly string[] = SERVER ? ['embedded', 'postgres'] : ['embedded']

const administer = async (sql: string) => {
  const client = new Client({ connectionString: SERVER })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

const openPostgres = async (): Promise<Database> => {
  const name = `partner_graph_directory_${process.pid}_${Date.now()}`
  await administer(`CREATE DATABASE ${name}`)
  const url = new URL(SERVER!)
  url.pathname = name
  const config = readConfig({ DATABASE_URL: url.href, SECRETS_KEY })
  await migratePostgres(config)
  const database = await openDatabase(config)
  const close = () => database.close().then(() => administer(`DROP DATABASE ${name} WITH (FORCE)`))
  return { ...database, close }
}

/** An empty database of this kind; closing a scratch database drops it. */
export const openScratch = (kind: string): Promise<Database> =>
  kind === 'postgres' ? openPostgres() : openEmpty()
