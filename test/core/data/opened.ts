/** A database for tests of reading: embedded, or one of its own on PostgreSQL. */
import { readConfig } from '#core/config/config.ts'
import { type Database, openDatabase } from '#core/data/db.ts'
import { openEmpty } from '#test/support/embedded.ts'
import { createScratch, SECRETS_KEY, withServer } from '#test/support/postgres.ts'

export const onPostgres = process.env['TEST_DATABASE'] === 'postgres'

/**
 * @param env settings beside those that say which database it is.
 * @param timezone of the server.
 */
export async function openForReading(
  env: Readonly<Record<string, string>> = {},
  timezone = 'UTC',
): Promise<Database & { url: string }> {
  if (!onPostgres) return { ...(await openEmpty()), url: '' }
  const { url, drop } = await createScratch()
  const name = new URL(url).pathname.slice(1)
  await withServer(server => server.query(`ALTER DATABASE ${name} SET timezone = '${timezone}'`))
  const database = await openDatabase(readConfig({ ...env, DATABASE_URL: url, SECRETS_KEY }))
  const close = () => database.close().finally(drop)
  return { ...database, url, close }
}
