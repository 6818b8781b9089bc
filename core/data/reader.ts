/**
 * Hot reads: statements given to the driver as they are, and their rows decoded as Prisma decodes them. Prisma's own
 * way compiles a plan for each statement and turns rows over twice, which costs more than most statements do.
 */
import type { PGlite } from '@electric-sql/pglite'
import type { Pool, QueryConfig, QueryResult } from 'pg'
import { Prisma } from '#prisma/generated/client.ts'
import { onceMore } from './database-errors.ts'
import { DECODERS, decoderOf } from './decoding.ts'
import { readFailure } from './read-failure.ts'
import { createStatementNames } from './statement-names.ts'
import { runTogether } from './together.ts'

/**
 * What a read asks: as much of Prisma's client as it needs, so that one function reads the hot way, by Prisma's, and
 * inside of a transaction, with the same rows.
 */
export interface Reader {
  /** @throws what `fromDatabase` and `isRefusedInput` know, whichever way it is. */
  $queryRaw<Rows = unknown>(statement: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<Rows>
  /** Reads likewise, but only what is little whatever is asked for: those of one turn go together (`data/together.ts`). Absent where they would not. */
  readonly lookups?: Reader
}

/** The reader for what is little. */
export const lookupsOf = (reader: Reader): Reader => reader.lookups ?? reader

/** Beside those of Prisma, so that no selection of a client takes the names of the statements that write. */
const MAX_NAMED_STATEMENTS = 250

/** What a statement came to. */
interface Outcome {
  readonly rows: unknown[]
  /** How many it read or wrote. */
  readonly count: number
}

/** Gives a statement to the driver. */
export type Run = (text: string, values: unknown[]) => Promise<Outcome>

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

/** A template as the statement it is. */
export const statementOf = (statement: TemplateStringsArray | Prisma.Sql, values: unknown[]): Prisma.Sql =>
  'raw' in statement ? Prisma.sql(statement, ...values) : statement

/** A reader by whatever runs statements, with what it sends them by. */
export const createReader = (run: Run): Reader & { send(statement: Prisma.Sql): Promise<Outcome> } => {
  const send = async ({ text, values }: Prisma.Sql) => {
    try {
      return await run(text, values.map(parameterOf))
    } catch (error) {
      throw readFailure(error)
    }
  }
  return {
    send,
    async $queryRaw<Rows>(statement: TemplateStringsArray | Prisma.Sql, ...given: unknown[]): Promise<Rows> {
      return (await send(statementOf(statement, given))).rows as Rows
    },
  }
}

const types = { getTypeParser: decoderOf }

/** Runs statements by whatever sends them, prepared under the names they are given. */
export const preparedRun =
  (send: (config: QueryConfig) => Promise<QueryResult>, nameOf: (text: string) => string | undefined): Run =>
  async (text, values) => {
    const { rows, rowCount } = await send({ name: nameOf(text), text, values, types })
    return { rows, count: rowCount ?? 0 }
  }

const parsers = { ...DECODERS }

/** Runs statements in the database of this process. */
export const embeddedRun =
  (pglite: Pick<PGlite, 'query'>): Run =>
  async (text, values) => {
    const { rows, fields, affectedRows = 0 } = await pglite.query(text, values, { parsers })
    // What has no decoder was left as text.
    for (const { dataTypeID } of fields) if (!DECODERS[dataTypeID]) decoderOf(dataTypeID)('')
    return { rows, count: affectedRows }
  }

/** Reads once more where the connection was lost on the way: a read changes nothing. */
const again = ({ $queryRaw }: Reader): Reader => ({
  $queryRaw: (statement, ...values) => onceMore(() => $queryRaw(statement, ...values)),
})

/** Reads over the connections of a pool. */
export const poolReader = (pool: Pool): Reader => {
  const nameOf = createStatementNames(MAX_NAMED_STATEMENTS)
  return {
    ...again(createReader(preparedRun(config => pool.query(config), nameOf))),
    lookups: again(createReader(preparedRun(runTogether(pool), nameOf))),
  }
}

/** Reads from the database in this process. */
export const embeddedReader = (pglite: Pick<PGlite, 'query'>): Reader => createReader(embeddedRun(pglite))
