/** The migrations that this version of the program brings, and what of them a database has. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PrismaClient } from '#prisma/generated/client.ts'
import { projectPath } from '../config/project-folder.ts'

const MIGRATIONS = projectPath('prisma/migrations')

/** The names of the migrations this version of the program brings, oldest first. */
export const migrationNames = (): string[] =>
  readdirSync(MIGRATIONS, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .sort()

/** The SQL of a migration. */
export const readMigration = (name: string): string =>
  readFileSync(join(MIGRATIONS, name, 'migration.sql'), 'utf8')

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
