/** The table of the sixth service's kind, by the very migration that `npm run db:migrate -- create` writes for it. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '#core/context/app.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { createMigration } from '#prisma/create-migration.ts'
import { withTemplate } from '#prisma/diff-schema.ts'

const PRISMA = join(import.meta.dirname, '../../../prisma')

/** Files that the command writes, beside a copy of the existing ones. */
export interface Written {
  /** The migration's folder, and its SQL. */
  readonly name: string
  readonly sql: string
  /** The file of `prisma/schema` that it added. */
  readonly model: string
}

/** Runs the command's function in a folder of its own. */
export async function writeMigration(
  kinds: readonly TransactionKind[],
  { service }: TransactionKind,
): Promise<Written> {
  const folder = mkdtempSync(join(tmpdir(), 'sixth-'))
  try {
    for (const part of ['schema', 'migrations'])
      cpSync(join(PRISMA, part), join(folder, part), { recursive: true })
    const file = await withTemplate(adapter => createMigration(service, { adapter, kinds, folder }))
    return {
      name: file!.split('/').at(-2)!,
      sql: readFileSync(file!, 'utf8'),
      model: readFileSync(join(folder, 'schema', `${service}.prisma`), 'utf8'),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Applies it, statement by statement. */
export async function applyMigration({ db }: App, { sql }: Written): Promise<void> {
  for (const statement of sql.split(/;$/m)) if (statement.trim()) await db.$executeRawUnsafe(statement)
}
