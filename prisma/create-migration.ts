/** `npm run db:migrate -- create <name>`: writes the migration to what the kinds and `prisma/schema` say. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { diffSchema } from './diff-schema.ts'
import { addModels, type TableOfKind } from './transaction-model.ts'

/** What a migration is made of. */
export interface MigrationSource {
  /** Of a database with all migrations there are. */
  readonly adapter: Parameters<typeof diffSchema>[0]
  /** Every kind of transaction; one that has no table yet gets one. */
  readonly kinds: readonly TableOfKind[]
  /** The folder with `schema/` and `migrations/`. */
  readonly folder: string
}

const NAME = /^[a-z][a-z0-9_]*$/

/** Prisma's form: seconds in digits, so that names stand in the order in which they are applied. */
const stampOf = (time: Date) => time.toISOString().replace(/\D/g, '').slice(0, 14)

/** Now, or where a clock was ahead, after the last one. */
const nextStamp = (folder: string) => {
  const stamps = readdirSync(folder).filter(name => /^\d{14}_/.test(name))
  const last = BigInt(stamps.toSorted().at(-1)?.slice(0, 14) ?? 0)
  const now = BigInt(stampOf(new Date()))
  return String(now > last ? now : last + 1n)
}

/** Room for the second form of each row, which Prisma has no word for: giving one its final status touches no index then. */
const roomFor = ({ schema, table }: TableOfKind) =>
  `ALTER TABLE "${schema}"."${table}" SET (fillfactor = 50);\n`

const roomForUpdates = (sql: string, kinds: readonly TableOfKind[]) => {
  const fresh = kinds.filter(({ schema, table }) => sql.includes(`CREATE TABLE "${schema}"."${table}"`))
  return fresh.length > 0
    ? `\n-- A page has room for the second form of its rows, which they get with their final status.\n${fresh.map(roomFor).join('')}`
    : ''
}

/**
 * Writes the models that kinds lack, and the migration; returns its file, or undefined where nothing is lacking.
 * @throws Error for a name that is none.
 */
export async function createMigration(name: string, source: MigrationSource): Promise<string | undefined> {
  if (!NAME.test(name))
    throw new Error(`${name} cannot name a migration: small letters, digits and underscores can`)
  const { adapter, kinds, folder } = source
  addModels(kinds, join(folder, 'schema'))
  const sql = await diffSchema(adapter, join(folder, 'schema'))
  if (sql === '') return undefined
  const migrations = join(folder, 'migrations')
  const place = join(migrations, `${nextStamp(migrations)}_${name}`)
  mkdirSync(place)
  const file = join(place, 'migration.sql')
  writeFileSync(file, sql + roomForUpdates(sql, kinds))
  return file
}
