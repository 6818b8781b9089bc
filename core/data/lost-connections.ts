/**
 * Errors of a connection to PostgreSQL that does not answer, in the words of the database: a SQLSTATE and a severity, so
 * that both ways to the database tell such a failure apart as they do its own.
 */

/** `connection_failure`: of a transaction whose commit was not sent yet nothing remains. */
const LOST = '08006'
/** `transaction_resolution_unknown`: the commit was sent, and what became of it was not heard. */
export const OUTCOME_UNKNOWN = '08007'

class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly severity = 'FATAL'
  readonly code: string

  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** A connection that was given up, since no answer came over it. */
export const connectionLost = (message: string): Error => new ConnectionLost(message, LOST)

interface Told {
  readonly severity?: unknown
  readonly code?: unknown
}

/** PostgreSQL's own refusal of a statement, after which the connection goes on. One that timed out tells nothing certain of a commit. */
const isRefusal = ({ severity, code }: Error & Told) => severity === 'ERROR' && code !== '57014'

/**
 * The failure of a statement as it is passed on: the outcome of a commit that was not refused is unknown.
 * @param isGone whether the connection went with it.
 */
export const statementFailure = (text: string, error: Error, isGone: boolean): Error => {
  if (text === 'COMMIT' && !isRefusal(error))
    return new ConnectionLost(`The commit was not answered: ${error.message}`, OUTCOME_UNKNOWN, error)
  return isGone && !('severity' in error) ? new ConnectionLost(error.message, LOST, error) : error
}

/** Whether the connection was lost before anything of the transaction was committed. */
export const isLost = (state: string | undefined): boolean => state === LOST
