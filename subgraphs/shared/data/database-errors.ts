/** What a failure of the database means to a client: try again (503), took too long (504), or a bug. */
import { asServiceError, invalid, ServiceError, unavailable } from '../errors/catalogue.ts'

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
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|Connection terminated|timeout exceeded when trying to connect|Can't reach database|connection.{0,40}closed|closed the connection|not queryable|not support SSL connections|establishing an SSL connection|terminating connection|the database system is (starting up|shutting down)/i
/** Node's codes of certificates that are not trusted. */
const TLS_FAILURES = /^(UNABLE_TO|CERT|CRL|DEPTH_ZERO|SELF_SIGNED|ERROR_IN_C|HOSTNAME_MISMATCH|ERR_TLS_CERT)/
const QUERY_CANCELED = '57014'
const LOCK_TIMEOUT = '55P03'
/** A replica, or a server that is just being changed for another. */
const READ_ONLY = '25006'
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
  if (isUnreachable(failure, state))
    return unavailable('The database cannot be reached; try again shortly', { cause: error })
  if (state === READ_ONLY)
    return unavailable('Nothing can be changed here at the moment; try again shortly', { cause: error })
  if (UNFIT_TEXT.has(state ?? ''))
    return invalid('a text of the request has characters that cannot be kept, or too many')
  return undefined
}

/** Any failure as the catalogue knows it, one of the database included; a bug is masked. */
export const toServiceError = (error: unknown): ServiceError =>
  error instanceof ServiceError ? error : (fromDatabase(error) ?? asServiceError(error))
