/** The difference between a database and a schema, by Prisma's schema engine in its WebAssembly build, which needs no native binary. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import { SchemaEngine } from '@prisma/schema-engine-wasm'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { loadTemplate } from '#core/data/embedded.ts'

const SCHEMA = join(import.meta.dirname, 'schema')
const EVERYTHING = { externalTables: [], externalEnums: [] }

const schemaFiles = (folder: string) =>
  readdirSync(folder).map(name => ({ path: name, content: readFileSync(join(folder, name), 'utf8') }))

const startEngine = (adapter: SqlMigrationAwareDriverAdapterFactory): Promise<SchemaEngine> => {
  const datamodels = schemaFiles(SCHEMA).map(({ path, content }): [string, string] => [path, content])
  const silent = () => undefined
  return SchemaEngine.new({ datamodels }, silent, bindMigrationAwareSqlAdapterFactory(adapter))
}

/**
 * Writes the SQL that changes a database to what the files of a schema declare; empty when they agree.
 * @param adapter of a database with all migrations and nothing else; it is only read.
 * @param folder of the files; `prisma/schema` unless given.
 */
export async function diffSchema(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  folder = SCHEMA,
): Promise<string> {
  using engine = await startEngine(adapter)
  const { stdout } = await engine.diff({
    from: { tag: 'schemaDatasource', files: schemaFiles(folder), configDir: folder },
    to: { tag: 'schemaDatamodel', files: schemaFiles(folder) },
    script: true,
    exitCode: null,
    filters: EVERYTHING,
  })
  return stdout?.includes('empty migration') ? '' : (stdout ?? '')
}

/** Calls `run` with the adapter of a database that has all migrations and is deleted afterwards. */
export async function withTemplate<T>(run: (adapter: PrismaPGlite) => Promise<T>): Promise<T> {
  await using pglite = await PGlite.create({ loadDataDir: await loadTemplate() })
  return await run(new PrismaPGlite(pglite))
}
