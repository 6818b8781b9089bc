/** `npm run db:migrate`: brings the PostgreSQL of `DATABASE_URL` to the schema this version needs. */
import { ConfigError, readConfig } from '../subgraphs/shared/config/config.ts'
import { migratePostgres } from '../subgraphs/shared/data/db.ts'

const migrate = async () => {
  const config = readConfig()
  if (!config.databaseUrl)
    throw new ConfigError(['DATABASE_URL must be set: the embedded database migrates itself'])
  const applied = await migratePostgres(config, () =>
    console.log('Waiting for another process that migrates'),
  )
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'Nothing to apply')
}

migrate().catch(error => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
