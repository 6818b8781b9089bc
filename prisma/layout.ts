/** `npm run db:layout -- citus`: lays the tables of `DATABASE_URL` out over the nodes of Citus, schema by schema. */
import { ConfigError, readConfig } from '#core/config/config.ts'
import { faultText } from '#core/data/database-errors.ts'
import { layOutPostgres } from './citus-layout.ts'

const USAGE = `npm run db:layout -- citus     lays the tables of DATABASE_URL, the coordinator of Citus, out over its nodes`

const run = async (words: readonly string[]): Promise<void> => {
  if (words.length !== 1 || words[0] !== 'citus') throw new Error(USAGE)
  const config = readConfig()
  if (!config.databaseUrl)
    throw new ConfigError(['DATABASE_URL must be set: the embedded database is one process'])
  if (config.readOnly) throw new ConfigError(['READ_ONLY must not be 1: the layout changes the database'])
  await layOutPostgres(config, console.log)
}

const words = process.argv.slice(2)
try {
  if (words.some(word => word === '--help' || word === '-h')) console.log(USAGE)
  else await run(words)
} catch (error) {
  console.error(faultText(error) ?? (error instanceof Error ? error.message : error))
  process.exitCode = 1
}
