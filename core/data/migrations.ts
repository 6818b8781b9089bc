/** The migrations of this version of the program: their SQL, and the ones that a database lacks. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { projectPath } from '../config/project-files.ts'
import { latestOf } from './served-from.ts'
import type { Statements } from './statements.ts'

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

/** The migrations to apply: those of this version, unless a test brings others. */
export interface MigrationSource {
  /** Oldest first. */
  readonly names: readonly string[]
  /** Reads the SQL of one. */
  read(name: string): string
}

/** The migrations of this version. */
export const ownMigrations = (): MigrationSource => ({ names: migrationNames(), read: readMigration })

/**
 * Tells from a migration's head whether each of its statements commits by itself: indexes are made while clients write
 * (`CONCURRENTLY`, which no transaction allows), and rows are written a batch at a time.
 */
export const isInSteps = (sql: string): boolean => /^(--[^\n]*\n)*-- in steps\n/.test(sql)

/** The SQL as a transaction allows it, in which nobody else uses the tables. */
export const inOneTransaction = (sql: string): string =>
  isInSteps(sql) ? sql.replace(/\bCONCURRENTLY\b/g, '') : sql

/** Stands for a semicolon that ends no statement; no migration has this character. */
const KEPT_SEMICOLON = '\0'

/** Bodies of functions, comments and texts, in which a semicolon ends nothing. */
const UNDIVIDED = /\$\$.*?\$\$|--[^\n]*|\/\*.*?\*\/|'(?:[^']|'')*'/gs

/** Parts SQL into its statements, as Prisma's adapter for PostgreSQL does, and leaves functions, comments and texts whole. */
export const statementsOf = (sql: string): string[] =>
  sql
    .replace(UNDIVIDED, part => part.replaceAll(';', KEPT_SEMICOLON))
    .split(';')
    .map(statement => statement.trim().replaceAll(KEPT_SEMICOLON, ';'))
    .filter(Boolean)

/** A statement without its comments, texts, names in quotes and bodies of functions: the words that PostgreSQL acts on. */
export const wordsOf = (statement: string): string =>
  statement.replace(UNDIVIDED, ' ').replace(/"[^"]*"/g, ' ')

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
  /** The earliest version of the program that can serve the database; undefined where nothing has been taken away. */
  readonly servedFrom?: string
}

const readApplied = async (db: Pick<Statements, '$queryRaw'>): Promise<string[]> => {
  const [table] = await db.$queryRaw<{ name: string | null }[]>`
    SELECT to_regclass('public._prisma_migrations')::text AS name`
  if (!table?.name) return []
  const done = await db.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM public._prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`
  return done.map(({ name }) => name).sort()
}

const readServedFrom = async (db: Pick<Statements, '$queryRaw'>): Promise<string | undefined> => {
  const [table] = await db.$queryRaw<{ name: string | null }[]>`
    SELECT to_regclass('access.served_from')::text AS name`
  if (!table?.name) return undefined
  const rows = await db.$queryRaw<{ version: string }[]>`SELECT version FROM access.served_from`
  return latestOf(rows.map(({ version }) => version))
}

/** Reads the migrations of the database, and compares them with those of this version. */
export async function schemaState(db: Pick<Statements, '$queryRaw'>): Promise<SchemaState> {
  const [applied, known] = [new Set(await readApplied(db)), new Set(migrationNames())]
  const servedFrom = await readServedFrom(db)
  return {
    pending: [...known.difference(applied)],
    unknown: [...applied.difference(known)],
    ...(servedFrom !== undefined && { servedFrom }),
  }
}
