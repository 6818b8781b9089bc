/** Before all tests: the embedded template exists, and PostgreSQL has a migrated database to copy. */
import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { readConfig } from '#core/config/config.ts'
import { migratePostgres } from '#core/data/db.ts'
import { loadTemplate } from '#core/data/embedded.ts'
import { databaseUrl, SECRETS_KEY, withServer } from './postgres.ts'

export default async function setup(project: TestProject) {
  await loadTemplate()
  if (project.config.env['TEST_DATABASE'] !== 'postgres') return
  const template = `partner_graph_template_${randomBytes(6).toString('hex')}`
  await withServer(server => server.query(`CREATE DATABASE ${template}`))
  await migratePostgres(readConfig({ DATABASE_URL: databaseUrl(template), SECRETS_KEY }))
  project.provide('template', template)
  return async () => {
    await withServer(server => server.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`))
  }
}
