/**
 * Failures of the PostgreSQL driver as they are passed on. A failure of the connection gets a SQLSTATE and a severity like
 * those of the database, so that `database-errors.ts` tells both apart alike, whether they come through Prisma or not.
 */

/** `connection_failure`: of a transaction whose commit was not sent yet nothing remains. */
const LOST = '08006'
/** `transaction_resolution_unknown`: the commit was sent, and no response came. */
export const OUTCOME_UNKNOWN = '08007'
/** `query_canceled`. */
const CANCELED = '57014'

class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly severity = 'FATAL'
  readonly code: string

  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** A connection that was given up, since no response came over it. */
export const connectionLost = (message: string): Error => new ConnectionLost(message, LOST)

/** `sqlclient_unable_to_establish_sqlconnection`. */
const NO_SERVER = '08001'

/** The failure of a connection for which none of several servers serves. */
export const noServer = (message: string): Error => new ConnectionLost(message, NO_SERVER)

/** Whether a server answered that it does not let this user in, or has no such database: others would say the same. */
export const isRefusedUser = (error: unknown): boolean =>
  /^(28|3D)/.test(String((error as { code?: unknown }).code ?? ''))

/** `read_only_sql_transaction`. */
const ONLY_READS = '25006'

/** Whether a server refused a statement since it only reads. */
export const isReadOnlyRefusal = (error: Error): boolean => 'code' in error && error.code === ONLY_READS

/** Whether the connection was lost before anything of the transaction was committed. */
export const isLost = (state: string | undefined): boolean => state === LOST

const isConnectionFailure = (code: unknown) => /^08/.test(String(code))

/**
 * The failure of a statement as it is passed on: the outcome of a commit that was not refused is unknown. A commit that timed
 * out was not refused: it says nothing certain. Nor does one for which Citus lost the connection to a node, which may have
 * committed.
 * @param isGone whether the connection went with it.
 */
export const statementFailure = (text: string, error: Error, isGone: boolean): Error => {
  const { severity, code } = error as Error & { severity?: unknown; code?: unknown }
  if (text === 'COMMIT' && (severity !== 'ERROR' || code === CANCELED || isConnectionFailure(code)))
    return new ConnectionLost(`The commit was not answered: ${error.message}`, OUTCOME_UNKNOWN, error)
  return isGone && !('severity' in error) ? new ConnectionLost(error.message, LOST, error) : error
}

/** `internal_error`: Citus gives it to whatever a node refused of the rows that it copied there. */
const INTERNAL = 'XX000'

/** The SQLSTATEs that such refusals have on the node, by their words; these are English on every node (`lc_messages`). */
const REFUSALS: readonly (readonly [words: RegExp, state: string])[] = [
  [/violates unique constraint/, '23505'],
  [/violates not-null constraint/, '23502'],
  [/violates check constraint/, '23514'],
  [/violates foreign key constraint/, '23503'],
  [/^index row (size|requires)|^row is too big/, '54000'],
  [/field overflow|out of range/, '22003'],
  [/^invalid byte sequence for encoding/, '22021'],
]

const stateOf = (code: string, message: string): string =>
  code === INTERNAL ? (REFUSALS.find(([words]) => words.test(message))?.[1] ?? code) : code

/** The database's words with their SQLSTATE, and no more: the rest of a driver's error may quote rows. */
class ReadFailure extends Error {
  override readonly name = 'ReadFailure'
  /** The place where Prisma's errors have the code of the database. */
  readonly meta: { readonly code: string }

  constructor(message: string, code: string) {
    super(message)
    this.meta = { code }
  }
}

/**
 * The failure of a statement outside of Prisma as it is passed on: an error of the database without the rows that it may
 * quote. A failure of the connection, and a bug, stay as they are; neither has a severity.
 */
export const readFailure = (thrown: unknown): unknown => {
  // A connection that was tried at several addresses fails without words of its own.
  const first = thrown instanceof AggregateError && thrown.errors.length > 0 ? thrown.errors[0] : thrown
  return first instanceof Error && 'severity' in first && 'code' in first && typeof first.code === 'string'
    ? new ReadFailure(first.message, stateOf(first.code, first.message))
    : first
}
