/** `npm run db:migrate -- create <name>`: writes the migration to what the kinds and `prisma/schema` say. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { diffSchema } from './diff-schema.ts'

/** Part of a kind that describes its table. */
type TableOfKind = Pick<TransactionKind, 'typename' | 'description' | 'service' | 'schema' | 'table'>

/** The model that new ones are copied from: it has the columns that all have, and none of its own. */
const PATTERN = { file: 'prepaid.prisma', typename: 'Recharge', table: 'recharge', schema: 'prepaid' }

const BASE = 'base.prisma'

/** Finds the kinds that no file of the folder has a model for. */
export function kindsWithoutModel(kinds: readonly TableOfKind[], folder: string): TableOfKind[] {
  const models = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'))
  return kinds.filter(({ schema, table }) => {
    const lines = [`@@map("${table}")`, `@@schema("${schema}")`]
    return !models.some(text => lines.every(line => text.includes(line)))
  })
}

const modelLike = (pattern: string, { typename, table, schema, description }: TableOfKind) =>
  pattern
    .replace(/^\/\/\/ .*/, `/// ${description}`)
    .replaceAll(PATTERN.typename, typename)
    .replaceAll(`@@schema("${PATTERN.schema}")`, `@@schema("${schema}")`)
    .replaceAll(PATTERN.table, table)

/** Adds a schema of PostgreSQL to those that Prisma looks at. */
const addSchema = (base: string, schema: string) =>
  base.includes(`"${schema}"`) ? base : base.replace(/^ {2}schemas {2}= \[/m, `$&"${schema}", `)

/** Writes a model for each kind that has none, into a file of its service's name. */
function addModels(kinds: readonly TableOfKind[], folder: string): void {
  const pattern = readFileSync(join(folder, PATTERN.file), 'utf8')
  for (const kind of kindsWithoutModel(kinds, folder)) {
    writeFileSync(join(folder, `${kind.service}.prisma`), modelLike(pattern, kind))
    const base = readFileSync(join(folder, BASE), 'utf8')
    writeFileSync(join(folder, BASE), addSchema(base, kind.schema))
  }
}

/** The sources of a migration. */
interface MigrationSource {
  /** Adapter of a database with all migrations. */
  readonly adapter: Parameters<typeof diffSchema>[0]
  /** Every kind of transaction; one that has no table yet gets one. */
  readonly kinds: readonly TableOfKind[]
  /** The folder with `schema/` and `migrations/`. */
  readonly folder: string
}

const NAME = /^[a-z][a-z0-9_]*$/

/** Time stamp as Prisma writes it, so that names of migrations sort in the order of their application. */
const stampOf = (time: Date) => time.toISOString().replace(/\D/g, '').slice(0, 14)

/** Time stamp of the next migration: now, or just after the last one where a clock was ahead. */
const nextStamp = (folder: string) => {
  const stamps = readdirSync(folder).filter(name => /^\d{14}_/.test(name))
  const last = BigInt(stamps.toSorted().at(-1)?.slice(0, 14) ?? 0)
  const now = BigInt(stampOf(new Date()))
  return String(now > last ? now : last + 1n)
}

/**
 * Fill factor of a table, which Prisma cannot express: with half of each page free, a row that gets its final status
 * stays on its page, and no index is written.
 */
const roomFor = ({ schema, table }: TableOfKind) =>
  `ALTER TABLE "${schema}"."${table}" SET (fillfactor = 50);\n`

/** The table of the sequence that numbers a kind's rows, beside them; to Prisma it is a part of `books.book`, like its sisters. */
const bookFor = ({ schema, table }: TableOfKind) =>
  `CREATE TABLE "${schema}"."book" PARTITION OF "books"."book" FOR VALUES IN ('${table}') WITH (fillfactor = 50);\n`

/** The part of the migration that Prisma cannot express. */
const besideTables = (sql: string, kinds: readonly TableOfKind[]) => {
  const fresh = kinds.filter(({ schema, table }) => sql.includes(`CREATE TABLE "${schema}"."${table}"`))
  if (fresh.length === 0) return ''
  return `
-- A page has room for the second form of its rows, which they get with their final status.
${fresh.map(roomFor).join('')}
-- Each table has its sequence beside it.
${fresh.map(bookFor).join('')}`
}

/** The lines that every migration begins with; what only its author knows stands in angle brackets (docs/adr/0014-expand-and-contract.md). */
const head = (sql: string) => {
  const isNew = /^CREATE TABLE/m.test(sql) && !/^(ALTER|DROP)/m.test(sql)
  return `-- expand\n-- locks: ${isNew ? 'nothing that is there' : '<which tables, and why for moments only>'}\n`
}

/**
 * Writes the models that kinds lack, and the migration; returns its file, or undefined where nothing is lacking.
 * @throws Error for an invalid name.
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
  writeFileSync(file, head(sql) + sql + besideTables(sql, kinds))
  return file
}
