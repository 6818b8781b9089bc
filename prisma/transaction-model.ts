/**
 * The table of a kind of transaction, as a model of `prisma/schema`. All have the same columns, so that one store serves
 * them: a new one is written as one that is there already.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TransactionKind } from '#core/transactions/kind.ts'

/** What a kind says of its table. */
export type TableOfKind = Pick<TransactionKind, 'typename' | 'description' | 'service' | 'schema' | 'table'>

/** The one that new ones are like: it has what all have, and nothing of its own. */
const PATTERN = { file: 'prepaid.prisma', typename: 'Recharge', table: 'recharge', schema: 'prepaid' }

const BASE = 'base.prisma'

/** The kinds that no file of the folder has a model for. */
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
    .replace(`@@schema("${PATTERN.schema}")`, `@@schema("${schema}")`)
    .replaceAll(PATTERN.table, table)

/** Adds a schema of PostgreSQL to those that Prisma looks at. */
const addSchema = (base: string, schema: string) =>
  base.includes(`"${schema}"`) ? base : base.replace(/^ {2}schemas {2}= \[/m, `$&"${schema}", `)

/** Writes a model for each kind that has none, into a file of its service's name. */
export function addModels(kinds: readonly TableOfKind[], folder: string): void {
  const pattern = readFileSync(join(folder, PATTERN.file), 'utf8')
  for (const kind of kindsWithoutModel(kinds, folder)) {
    writeFileSync(join(folder, `${kind.service}.prisma`), modelLike(pattern, kind))
    const base = readFileSync(join(folder, BASE), 'utf8')
    writeFileSync(join(folder, BASE), addSchema(base, kind.schema))
  }
}
