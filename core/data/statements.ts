/**
 * Raw statements of the client, given to the driver as they are. Their rows are decoded once, as Prisma decodes them.
 * Prisma's own way compiles a plan for each statement and turns rows over twice, which costs more than most statements do.
 */

import { createHash } from 'node:crypto'
import type { PGlite } from '@electric-sql/pglite'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { Prisma } from '#prisma/generated/client.ts'
import { currentSink, recordStatement } from '../observability/explanation.ts'
import { currentFacts } from '../observability/request-facts.ts'
import { tracing } from '../observability/tracing.ts'
import { onceMore } from './database-errors.ts'
import { readFailure } from './driver-errors.ts'
import { DECODERS, decoderOf } from './sql.ts'
import { traceStatement } from './statement-spans.ts'

type Statement = TemplateStringsArray | Prisma.Sql

/** Raw statements, over the connections of a process or inside of a transaction. All throw what `fromDatabase` knows. */
export interface Statements {
  /** Sends a statement and returns its rows. Outside of a transaction one that only reads is sent once more after a lost connection. */
  $queryRaw<Rows = unknown>(statement: Statement, ...values: unknown[]): Promise<Rows>
  /** Sends a statement and returns how many rows it wrote. */
  $executeRaw(statement: Statement, ...values: unknown[]): Promise<number>
  /**
   * Reads as `$queryRaw`, pipelined with the others of the same turn of the event loop (`createPipeline`): for reads that
   * are small, whatever is selected.
   */
  $lookUp<Rows = unknown>(statement: Statement, ...values: unknown[]): Promise<Rows>
}

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
const sqlOf = (statement: Statement, values: unknown[]): Prisma.Sql =>
  'raw' in statement ? Prisma.sql(statement, ...values) : statement

type Send = (statement: Statement, values: unknown[]) => Promise<Outcome>

const sendBy =
  (run: Run): Send =>
  async (statement, given) => {
    const { text, values } = sqlOf(statement, given)
    const waiting = currentFacts()?.database
    waiting?.begin()
    const sink = currentSink()
    const began = sink ? performance.now() : 0
    const execute = () => run(text, values.map(parameterOf))
    try {
      const outcome = await (tracing ? traceStatement(tracing, text, execute) : execute())
      if (sink) recordStatement(sink, text, outcome.rows.length || outcome.count, began)
      return outcome
    } catch (error) {
      throw readFailure(error)
    } finally {
      waiting?.end()
    }
  }

const statementsOf = (send: Send, lookUp = send): Statements => ({
  async $queryRaw<Rows>(statement: Statement, ...values: unknown[]) {
    return (await send(statement, values)).rows as Rows
  },
  async $executeRaw(statement, ...values) {
    return (await send(statement, values)).count
  },
  async $lookUp<Rows>(statement: Statement, ...values: unknown[]) {
    return (await lookUp(statement, values)).rows as Rows
  },
})

/** Statements by whatever runs them: each is sent once. */
export const createStatements = (run: Run): Statements => statementsOf(sendBy(run))

const types = { getTypeParser: decoderOf }

/** Names a statement by its text; undefined where it is to have no name. */
export type NameOf = (text: string) => string | undefined

/** Runs statements by whatever sends them, prepared under the names they are given. */
export const preparedRun =
  (send: (config: QueryConfig) => Promise<QueryResult>, nameOf: NameOf): Run =>
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
    // Values without a decoder were left as text.
    for (const { dataTypeID } of fields) if (!DECODERS[dataTypeID]) decoderOf(dataTypeID)('')
    return { rows, count: affectedRows }
  }

const MAX_NAMED_STATEMENTS = 250

/** Also true of a read with one of these words in a literal: its only loss is that it is not sent once more. */
const isWriting = (text: string): boolean => /\b(INSERT|UPDATE|DELETE|MERGE)\b/i.test(text)

/**
 * Names of statements by their texts: a statement that has a name is parsed and planned once for each connection. No more
 * than 250 reads and 250 writes are named, since a connection keeps them for as long as it lasts; each has names of its own,
 * so that no selection of a client takes those of the statements that write.
 */
export class StatementNames {
  readonly #reads = new Map<string, string>()
  readonly #writes = new Map<string, string>()

  /** The name of a statement; undefined once there are too many. */
  readonly of: NameOf = text =>
    this.#reads.get(text) ??
    this.#writes.get(text) ??
    this.#add(isWriting(text) ? this.#writes : this.#reads, text)

  /** The name of a statement that writes, or reads for one that does. */
  readonly ofWrite: NameOf = text => this.#writes.get(text) ?? this.#add(this.#writes, text)

  #add(names: Map<string, string>, text: string): string | undefined {
    if (names.size >= MAX_NAMED_STATEMENTS) return undefined
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

/** Sends once more what gave way to others, since it changed nothing, and what only reads where the connection was lost. */
const again =
  (send: Send): Send =>
  (statement, values) =>
    onceMore(
      () => send(statement, values),
      () => !isWriting(sqlOf(statement, values).text),
    )

/** Statements over the connections of a pool, each a transaction of its own. */
export const poolStatements = (pool: Pool, { of }: StatementNames): Statements =>
  statementsOf(
    again(sendBy(preparedRun(config => pool.query(config), of))),
    again(sendBy(preparedRun(createPipeline(pool), of))),
  )

/** Statements to the database in this process. */
export const embeddedStatements = (pglite: Pick<PGlite, 'query'>): Statements =>
  createStatements(embeddedRun(pglite))
