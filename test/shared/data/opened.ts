/** A database for tests of reading: embedded, or one of its own on PostgreSQL. */
import { readConfig } from '../../../subgraphs/shared/config/config.ts'
import { type Database, openDatabase } from '../../../subgraphs/shared/data/db.ts'
import { openEmpty } from '../../support/embedded.ts'
import { createScratch, SECRETS_KEY } from '../../support/postgres.ts'

export const onPostgres = process.env['TEST_DATABASE'] === 'postgres'

/** @param env settings beside those that say which database it is. */
export async function openForReading(
  env: Readonly<Record<string, string>> = {},
): Promise<Database & { url: string }> {
  if (!onPostgres) return { ...(await openEmpty()), url: '' }
  const { url, drop } = await createScratch()
  const database = await openDatabase(readConfig({ ...env, DATABASE_URL: url, SECRETS_KEY }))
  const close = () => database.close().finally(drop)
  return { ...database, url, close }
}
