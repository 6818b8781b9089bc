/** The meaning of a failure of the database to a client: try again (503), took too long (504), or a bug. */
import { asServiceError, invalid, ServiceError, SetupError, unavailable } from '../errors/catalogue.ts'
import { isLost, OUTCOME_UNKNOWN, readFailure } from './driver-errors.ts'

/** Prisma's codes for "not reachable", "closed", "no connection free in time". */
const UNREACHABLE = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1003',
  'P1008',
  'P1010',
  'P1011',
  'P1017',
  'P2024',
  'P2037',
])
/** Prisma's code for an interactive transaction that ran out of time. */
const TRANSACTION_EXPIRED = 'P2028'
/** SQLSTATE classes: connection exception, insufficient resources, operator intervention (restart). */
const UNREACHABLE_STATES = /^(08|53|57P|58)/
/** The driver adapters' words for the same, which raw statements carry instead of a code. */
const UNREACHABLE_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
])
const SOCKET_FAILURES =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|Connection terminated|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end|Can't reach database|connection.{0,40}closed|closed the connection|not queryable|not support SSL connections|establishing an SSL connection|terminating connection|the database system is (starting up|shutting down)/i
/** Node's codes of certificates that are not trusted. */
const TLS_FAILURES = /^(UNABLE_TO|CERT|CRL|DEPTH_ZERO|SELF_SIGNED|ERROR_IN_C|HOSTNAME_MISMATCH|ERR_TLS_CERT)/
const QUERY_CANCELED = '57014'
const LOCK_TIMEOUT = '55P03'
/** A replica, or a server that is just being changed for another. */
const READ_ONLY = '25006'
/** `disk_full`. */
const NO_SPACE = '53100'
/** Two transactions stood in each other's way, and this one was taken back: a deadlock, or a serialization failure. */
const CONFLICTS = new Set(['40001', '40P01'])
/** Prisma's code for the same. */
const CONFLICT = 'P2034'
/** A text that PostgreSQL cannot hold: U+0000, half a surrogate pair, or too long for an index. */
const UNFIT_TEXT = new Set(['22021', '22P05', '22P02', '54000'])
/** SQLSTATE classes that blame the values: data exception, integrity violation. */
const REFUSED_STATES = /^(2[23]|54)/

interface AdapterCause {
  originalCode?: string
  kind?: string
  code?: string
}

interface DatabaseError {
  code?: string
  message?: string
  name?: string
  meta?: {
    code?: string
    driverAdapterError?: { cause?: AdapterCause }
  }
  cause?: unknown
}

/** Statements carry the adapter's failure inside Prisma's; the begin and the end of a transaction are the adapter's itself. */
const adapterCauseOf = (error: DatabaseError): AdapterCause | undefined =>
  error.meta?.driverAdapterError?.cause ??
  (error.name === 'DriverAdapterError' ? (error.cause as AdapterCause) : undefined)

/** The SQLSTATE of a failure of the database, or the driver's code. */
export const stateOf = (error: DatabaseError): string | undefined => {
  const cause = adapterCauseOf(error)
  return cause?.originalCode ?? cause?.code ?? error.meta?.code
}

const isTimeout = (error: DatabaseError, state: string | undefined) =>
  state === QUERY_CANCELED || state === LOCK_TIMEOUT || error.code === TRANSACTION_EXPIRED

const isUnreachable = (error: DatabaseError, state: string | undefined): boolean =>
  UNREACHABLE.has(error.code ?? '') ||
  UNREACHABLE_STATES.test(state ?? '') ||
  UNREACHABLE_KINDS.has(adapterCauseOf(error)?.kind ?? '') ||
  error.name === 'PrismaClientInitializationError' ||
  SOCKET_FAILURES.test(error.message ?? '') ||
  TLS_FAILURES.test(error.code ?? '')

/** Whether the values of a statement were refused, so that other statements may well succeed. */
export const isRefusedInput = (error: unknown): boolean =>
  REFUSED_STATES.test(stateOf(error as DatabaseError) ?? '')

const isConflict = (error: DatabaseError, state: string | undefined): boolean =>
  CONFLICTS.has(state ?? '') || error.code === CONFLICT

/** Does work once more that was rolled back as a whole since others stood in its way; the second failure counts. */
export const onceMoreAfterConflict = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!isConflict(error as DatabaseError, stateOf(error as DatabaseError))) throw error
    return work()
  }
}

/**
 * The same, also where the connection was lost. Only for what reads, or commits by a statement that was not sent yet when
 * the connection was lost.
 * @param isHarmless asked then: whether the work may be done twice.
 */
export const onceMore = <T>(work: () => Promise<T>, isHarmless = () => true): Promise<T> =>
  onceMoreAfterConflict(async () => {
    try {
      return await work()
    } catch (error) {
      if (!isLost(stateOf(error as DatabaseError)) || !isHarmless()) throw error
      return work()
    }
  })

/** Why the database takes nothing at the moment. */
const refusalOf = (error: DatabaseError, state: string | undefined): string | undefined => {
  if (state === NO_SPACE) return 'The database has no space left to write; try again later'
  if (state === OUTCOME_UNKNOWN)
    return 'The database did not say whether it was written: send the same clientCorrelatorId again, which tells'
  if (isConflict(error, state)) return 'Others were changing the same at that moment; try again shortly'
  if (state === READ_ONLY)
    return 'Nothing can be changed here: the database, or this process (READ_ONLY=1), only reads'
  return isUnreachable(error, state) ? 'The database cannot be reached; try again shortly' : undefined
}

/** The contract's failure for a failure of the database; undefined when it is neither time nor reach. */
export function fromDatabase(error: unknown): ServiceError | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const failure = error as DatabaseError
  const state = stateOf(failure)
  if (isTimeout(failure, state)) {
    return new ServiceError('REQUEST_TIMEOUT_EXCEEDED', 'The request took too long and was rolled back', {
      cause: error,
    })
  }
  const refusal = refusalOf(failure, state)
  if (refusal) return unavailable(refusal, { cause: error })
  if (UNFIT_TEXT.has(state ?? ''))
    return invalid('a text of the request has characters that cannot be kept, or too many')
  return undefined
}

/** A failure that may be everyone's, since the database is away or takes nothing. */
export interface OutageFailure {
  readonly state: string | undefined
  /** No answer came, or none in time. */
  readonly isUnanswered: boolean
}

const REFUSED_TO_ALL = new Set([NO_SPACE, READ_ONLY])

/** The failure of the database that another was made of: errors of requests and of the graph have theirs inside. */
const rootOf = (error: unknown): unknown => {
  const { originalError, cause } = error as { originalError?: unknown; cause?: unknown }
  const inner = originalError ?? (error instanceof ServiceError ? cause : undefined)
  return inner === undefined ? readFailure(error) : rootOf(inner)
}

/**
 * The failure as far as an outage may be its cause; undefined when another is. A request whose time is up may have waited for
 * the database.
 */
export const outageFailureOf = (error: unknown): OutageFailure | undefined => {
  const failure = typeof error === 'object' && error !== null ? rootOf(error) : undefined
  if (typeof failure !== 'object' || failure === null) return undefined
  if (failure instanceof ServiceError)
    return failure.code === 'REQUEST_TIMEOUT_EXCEEDED' ? { state: undefined, isUnanswered: true } : undefined
  const state = stateOf(failure)
  if (REFUSED_TO_ALL.has(state ?? '')) return { state, isUnanswered: false }
  return isUnreachable(failure, state) || isTimeout(failure, state)
    ? { state, isUnanswered: true }
    : undefined
}

/** Whether the database takes nothing from anyone at the moment, of which readiness tells. */
export const isOutage = (error: unknown): boolean => fromDatabase(error)?.code === 'SERVICE_UNAVAILABLE'

/** Any failure as the catalogue knows it, one of the database included; a bug is masked. */
export const toServiceError = (error: unknown): ServiceError =>
  error instanceof ServiceError ? error : (fromDatabase(error) ?? asServiceError(error))

/** SQLSTATE classes that blame `DATABASE_URL`: its user is not let in, or there is no such database. */
const REFUSED_CONNECTIONS = /^(28|3D)/

/** A connection that was tried at several addresses fails without a message of its own. */
const firstOf = (error: Error): Error =>
  error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error

/** Prisma puts the call and its source before the reason, which stands on the last line. */
export const lastLine = ({ message, name }: Error): string => message.trim().split('\n').at(-1) || name

/** A raw statement's failure has the database's own words between backticks. */
const reasonOf = (error: Error) => {
  const [, words] = lastLine(error).split('Message: `')
  return words?.slice(0, -1) ?? lastLine(error)
}

const codeOf = (error: Error) => stateOf(error) ?? ('code' in error ? String(error.code) : '')

const isOfDatabase = (error: Error) =>
  fromDatabase(error)?.code === 'SERVICE_UNAVAILABLE' || REFUSED_CONNECTIONS.test(codeOf(error))

/** The remedy for an operator, whom it does not help to try again. */
const takesNoWrites = (setting: string) =>
  'The database takes no writes, since READ_ONLY=1 is set, it is a standby, or default_transaction_read_only is on: ' +
  `leave READ_ONLY away and name the primary in ${setting} (a server that is only to read starts with READ_ONLY=1)`

/**
 * The sentence for a fault of the installation, which keeps a program from starting; undefined for a bug.
 * @param setting the name of the setting or option with the address of the database.
 */
export function faultText(error: unknown, setting = 'DATABASE_URL'): string | undefined {
  if (error instanceof SetupError) return error.message
  // A client cannot mend it, so that its message leaves the remedy out.
  if (error instanceof ServiceError) return faultText(error.cause, setting)
  if (!(error instanceof Error)) return undefined
  const first = firstOf(error)
  if (stateOf(first) === READ_ONLY) return takesNoWrites(setting)
  return isOfDatabase(first) ? `The database of ${setting} cannot be used: ${reasonOf(first)}` : undefined
}
