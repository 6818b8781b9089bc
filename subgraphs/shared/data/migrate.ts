/**
 * Migrations: Prisma's own files, applied by Prisma's own schema engine in its WebAssembly build, which needs
 * no native binary and works over the same driver adapters as the client.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import type { PrismaClient } from '../../../prisma/generated/client.ts'

const ROOT = join(import.meta.dirname, '../../../prisma')
const MIGRATIONS = join(ROOT, 'migrations')
const SCHEMA = join(ROOT, 'schema')
const EVERYTHING = { externalTables: [], externalEnums: [] }

/** The names of the migrations this version of the program brings, oldest first. */
export const migrationNames = (): string[] =>
  readdirSync(MIGRATIONS, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .sort()

const readMigration = (name: string) => ({
  path: name,
  migrationFile: {
    path: 'migration.sql',
    content: { tag: 'ok' as const, value: readFileSync(join(MIGRATIONS, name, 'migration.sql'), 'utf8') },
  },
})

const migrationsList = () => ({
  baseDir: MIGRATIONS,
  lockfile: {
    path: 'migration_lock.toml',
    content: readFileSync(join(MIGRATIONS, 'migration_lock.toml'), 'utf8'),
  },
  shadowDbInitScript: '',
  migrationDirectories: migrationNames().map(readMigration),
})

const schemaFiles = (folder = SCHEMA) =>
  readdirSync(folder).map(name => ({ path: name, content: readFileSync(join(folder, name), 'utf8') }))

/** Loaded when there is something to do: most starts find the schema as it should be, and the engine is large. */
const startEngine = async (adapter: SqlMigrationAwareDriverAdapterFactory): Promise<SchemaEngine> => {
  const { SchemaEngine } = await import('@prisma/schema-engine-wasm')
  const datamodels = schemaFiles().map(({ path, content }): [string, string] => [path, content])
  const silent = () => undefined
  return SchemaEngine.new({ datamodels }, silent, bindMigrationAwareSqlAdapterFactory(adapter))
}

/** Applies what is missing, in order; returns the names applied. Several processes at once take turns. */
export async function applyMigrations(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<string[]> {
  using engine = await startEngine(adapter)
  const result = await engine.applyMigrations({ migrationsList: migrationsList(), filters: EVERYTHING })
  return result.appliedMigrationNames
}

/**
 * The SQL that leads from a database to what the files of a schema say; empty when they agree.
 * @param adapter of a database with all migrations and nothing else, which is read alone.
 * @param folder where the files are; `prisma/schema` unless given.
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

/** How a database stands to this version of the program. */
export interface SchemaState {
  /** The migrations it has not finished yet; all of them when it is empty. */
  readonly pending: readonly string[]
  /** Those it has and this version does not know, oldest first. */
  readonly unknown: readonly string[]
}

const readApplied = async (prisma: PrismaClient): Promise<string[]> => {
  const [table] = await prisma.$queryRaw<{ name: string | null }[]>`
    SELECT to_regclass('public._prisma_migrations')::text AS name`
  if (!table?.name) return []
  const done = await prisma.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM public._prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`
  return done.map(({ name }) => name).sort()
}

/** Which migrations the database and this version of the program do not share. */
export async function schemaState(prisma: PrismaClient): Promise<SchemaState> {
  const [applied, known] = [new Set(await readApplied(prisma)), new Set(migrationNames())]
  return { pending: [...known.difference(applied)], unknown: [...applied.difference(known)] }
}
