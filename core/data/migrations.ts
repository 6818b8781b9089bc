/** The migrations of this version of the program: their SQL, and the ones that a database lacks. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { PrismaClient } from '#prisma/generated/client.ts'
import { projectPath } from '../config/project-files.ts'

const MIGRATIONS = projectPath('prisma/migrations')

/** The names of the migrations, oldest first. */
export const migrationNames = (): string[] =>
  readdirSync(MIGRATIONS, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .sort()

/** The SQL of a migration. */
export const readMigration = (name: string): string =>
  readFileSync(join(MIGRATIONS, name, 'migration.sql'), 'utf8')

/** A statement ends where Prisma's adapter for PostgreSQL ended it. */
export const statementsOf = (sql: string): string[] =>
  sql
    .split(';')
    .map(statement => statement.trim())
    .filter(Boolean)

/** Runs SQL, several statements too, on one connection of either database; resolves with the rows of the last statement. */
export type RunSql = (sql: string) => Promise<readonly Record<string, unknown>[]>

/** Runs SQL on an instance of PGlite. */
export const onPglite =
  (pglite: PGlite): RunSql =>
  async sql =>
    (await pglite.exec(sql)).at(-1)?.rows ?? []

/** The difference between a database's migrations and this version's. */
export interface SchemaState {
  /** The migrations that the database has not finished yet; all of them when it is empty. */
  readonly pending: readonly string[]
  /** The migrations that the database has and this version does not know, oldest first. */
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

/** Reads the migrations of the database, and compares them with those of this version. */
export async function schemaState(prisma: PrismaClient): Promise<SchemaState> {
  const [applied, known] = [new Set(await readApplied(prisma)), new Set(migrationNames())]
  return { pending: [...known.difference(applied)], unknown: [...applied.difference(known)] }
}
