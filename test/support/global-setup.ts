/** Before all tests: the embedded template exists, and PostgreSQL has a migrated database to copy. */
import { readConfig } from '../../subgraphs/shared/config.ts'
import { migratePostgres } from '../../subgraphs/shared/data/db.ts'
import { loadTemplate } from '../../subgraphs/shared/data/template.ts'
import { databaseUrl, SECRETS_KEY, TEMPLATE, withServer } from './postgres.ts'

export default async function setup({ config }: { config: { env: Record<string, unknown> } }) {
  await loadTemplate()
  if (config.env['TEST_DATABASE'] !== 'postgres') return
  await withServer(async server => {
    await server.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`)
    await server.query(`CREATE DATABASE ${TEMPLATE}`)
  })
  await migratePostgres(readConfig({ DATABASE_URL: databaseUrl(TEMPLATE), SECRETS_KEY }))
  return () =>
    withServer(server => server.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`)).then(
      () => undefined,
    )
}
