/**
 * Hot reads: statements given to the driver as they are, and their rows decoded as Prisma decodes them. Prisma's own
 * way compiles a plan for each statement and turns rows over twice, which costs more than most statements do.
 */
import type { PGlite } from '@electric-sql/pglite'
import type { Pool } from 'pg'
import { Prisma } from '../../../prisma/generated/client.ts'
import { DECODERS, decoderOf } from './decoding.ts'
import { readFailure } from './read-failure.ts'
import { createStatementNames } from './statement-names.ts'

/**
 * What a read asks: as much of Prisma's client as it needs, so that one function reads the hot way, by Prisma's, and
 * inside of a transaction, with the same rows.
 */
export interface Reader {
  /** @throws what `fromDatabase` and `isRefusedInput` know, whichever way it is. */
  $queryRaw<Rows = unknown>(statement: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<Rows>
}

/** Beside those of Prisma, so that no selection of a client takes the names of the statements that write. */
const MAX_NAMED_STATEMENTS = 250

type Run = (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>

/** An instant by its UTC digits: neither what the process nor what the session has for a time zone counts. */
const momentText = (moment: Date): string => {
  const [whole, rest] = moment.toISOString().split('T')
  const year = whole!.startsWith('+') ? whole!.replace(/^\+0*/, '') : whole
  return `${year} ${rest}`
}

const parameterOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(parameterOf)
  if (value instanceof Date) return momentText(value)
  return typeof value === 'bigint' || Prisma.Decimal.isDecimal(value) ? String(value) : value
}

const statementOf = (statement: TemplateStringsArray | Prisma.Sql, values: unknown[]): Prisma.Sql =>
  'raw' in statement ? Prisma.sql(statement, ...values) : statement

const createReader = (run: Run): Reader => ({
  async $queryRaw<Rows>(statement: TemplateStringsArray | Prisma.Sql, ...given: unknown[]): Promise<Rows> {
    const { text, values } = statementOf(statement, given)
    try {
      const { rows } = await run(text, values.map(parameterOf))
      return rows as Rows
    } catch (error) {
      throw readFailure(error)
    }
  },
})

/** Reads over the connections of a pool; the statements are prepared. */
export const poolReader = (pool: Pool): Reader => {
  const nameOf = createStatementNames(MAX_NAMED_STATEMENTS)
  const types = { getTypeParser: decoderOf }
  return createReader((text, values) => pool.query({ name: nameOf(text), text, values, types }))
}

/** Reads from the database in this process. */
export const embeddedReader = (pglite: Pick<PGlite, 'query'>): Reader => {
  const parsers = { ...DECODERS }
  return createReader(async (text, values) => {
    const { rows, fields } = await pglite.query(text, values, { parsers })
    // What has no decoder was left as text.
    for (const { dataTypeID } of fields) if (!DECODERS[dataTypeID]) decoderOf(dataTypeID)('')
    return { rows }
  })
}
