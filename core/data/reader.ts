/**
 * Hot reads: statements given to the driver as they are, and their rows decoded as Prisma decodes them. Prisma's own
 * way compiles a plan for each statement and turns rows over twice, which costs more than most statements do.
 */

import { createHash } from 'node:crypto'
import type { PGlite } from '@electric-sql/pglite'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { Prisma } from '#prisma/generated/client.ts'
import { onceMore } from './database-errors.ts'
import { DECODERS, decoderOf } from './decoding.ts'
import { readFailure } from './driver-errors.ts'

/**
 * The part of Prisma's client that a read needs, so that one function reads the hot way, by Prisma's, and inside of a
 * transaction, with the same rows.
 */
export interface Reader {
  /** @throws failures that `fromDatabase` and `isRefusedInput` know, by every way. */
  $queryRaw<Rows = unknown>(statement: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<Rows>
  /** Pipelines the reads of one turn (`createPipeline`): for small ones, whatever is selected. Absent where they are not pipelined. */
  readonly lookups?: Reader
}

/** The reader for small reads. */
export const lookupsOf = (reader: Reader): Reader => reader.lookups ?? reader

/** Beside those of Prisma, so that no selection of a client takes the names of the statements that write. */
const MAX_NAMED_STATEMENTS = 250

/** The outcome of a statement. */
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

/**
 * Makes the function that names statements by their text: a statement that has a name is parsed and planned once for each
 * connection. Undefined once so many are named, since a connection keeps them for as long as it lasts.
 */
export const createStatementNames = (most: number): ((text: string) => string | undefined) => {
  const names = new Map<string, string>()
  return text => {
    const known = names.get(text)
    if (known !== undefined || names.size >= most) return known
    const name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
    return name
  }
}

/** The most statements on one connection: beyond, to wait for each other would take longer than another connection does. */
const MAX_PIPELINED = 8

interface Pipelined extends PromiseWithResolvers<QueryResult> {
  readonly config: QueryConfig
}

/** Sends them, and gives the connection back with the last response; one that was lost is not used again. */
const sendAll = (client: PoolClient, statements: readonly Pipelined[]): void => {
  let left = statements.length
  let lost: Error | undefined
  const lose = (error: Error) => {
    lost ??= error
  }
  client.on('error', lose)
  const settled = () => {
    left -= 1
    if (left > 0) return
    client.off('error', lose)
    client.release(lost)
  }
  const { stream } = client.connection
  stream.cork()
  for (const { config, resolve, reject } of statements)
    client.query(config, (error: Error | null, result) => {
      if (error) reject(error)
      else resolve(result)
      settled()
    })
  stream.uncork()
}

/**
 * Makes the function that pipelines the statements of one turn of the event loop over one connection: all are sent before
 * the first response, so that they take one round trip and wake one process of the database. Each is a transaction of its
 * own, so that none fails for another. But each waits for those before it: only reads that are small, whatever is selected,
 * may go this way. The connections of the pool must send statements while others run (`pipeline`).
 */
const createPipeline = (pool: Pool): ((config: QueryConfig) => Promise<QueryResult>) => {
  let waiting: Pipelined[] = []
  const send = async (statements: readonly Pipelined[]): Promise<void> => {
    try {
      sendAll(await pool.connect(), statements)
    } catch (error) {
      for (const { reject } of statements) reject(error)
    }
  }
  const flush = () => {
    const statements = waiting
    waiting = []
    for (let at = 0; at < statements.length; at += MAX_PIPELINED)
      void send(statements.slice(at, at + MAX_PIPELINED))
  }
  return config => {
    const statement = { config, ...Promise.withResolvers<QueryResult>() }
    if (waiting.push(statement) === 1) process.nextTick(flush)
    return statement.promise
  }
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
    lookups: again(createReader(preparedRun(createPipeline(pool), nameOf))),
  }
}

/** Reads from the database in this process. */
export const embeddedReader = (pglite: Pick<PGlite, 'query'>): Reader => createReader(embeddedRun(pglite))
