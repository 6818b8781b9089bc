/** Before all tests: the embedded template exists, and PostgreSQL has databases to copy, without the demo and with it. */
import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { type Config, readConfig } from '#core/config/config.ts'
import { migratePostgres, openDatabase } from '#core/data/db.ts'
import { loadTemplate } from '#core/data/embedded.ts'
import { writeDemo } from './demo.ts'
import { databaseUrl, SECRETS_KEY, withServer } from './postgres.ts'

/** Makes a database, which `fill` writes to; the returned function drops it. */
const makeTemplate = async (options: string, fill: (config: Config) => Promise<unknown>) => {
  const name = `partner_graph_template_${randomBytes(6).toString('hex')}`
  await withServer(server => server.query(`CREATE DATABASE ${name} ${options}`))
  await fill(readConfig({ DATABASE_URL: databaseUrl(name), SECRETS_KEY, DEMO: '1' }))
  const drop = async () => {
    await withServer(server => server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  }
  return { name, drop }
}

const openAndWriteDemo = async (config: Config) => {
  const database = await openDatabase(config)
  await writeDemo(database, config)
  await database.close()
}

export default async function setup(project: TestProject) {
  await loadTemplate()
  if (project.config.env['TEST_DATABASE'] !== 'postgres') return
  const template = await makeTemplate('', migratePostgres)
  const demo = await makeTemplate(`TEMPLATE ${template.name}`, openAndWriteDemo)
  project.provide('template', template.name)
  project.provide('demoTemplate', demo.name)
  return async () => {
    await demo.drop()
    await template.drop()
  }
}
