/** The error catalogue: every code a client can meet, and the only two shapes in which it meets one. */
import { GraphQLError } from 'graphql'
import type { Reason } from './reasons.ts'

/** The contract's codes with the HTTP status each belongs to (contract documents 1 to 3, "ErrorInfo"). */
export const STATUS_OF = {
  INVALID_ARGUMENT: 400,
  OUT_OF_RANGE: 400,
  UNAUTHORIZED: 401,
  PERMISSION_DENIED: 403,
  'CARRIER_BILLING.PHONE_NUMBER_REQUIRED': 403,
  'CARRIER_BILLING.INVALID_TOKEN_CONTEXT': 403,
  'CARRIER_BILLING.UNAUTHORIZED_AMOUNT': 403,
  'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED': 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  REQUEST_TIMEOUT_EXCEEDED: 504,
} as const

export type ErrorCode = keyof typeof STATUS_OF

/** The reason of a refusal that gives none of its own. */
export const REASON_OF: Readonly<Record<ErrorCode, Reason>> = {
  INVALID_ARGUMENT: 'INVALID_REQUEST',
  OUT_OF_RANGE: 'OUT_OF_RANGE',
  UNAUTHORIZED: 'TOKEN_NOT_ACCEPTED',
  PERMISSION_DENIED: 'ROLE_NOT_PERMITTED',
  'CARRIER_BILLING.PHONE_NUMBER_REQUIRED': 'PHONE_NUMBER_REQUIRED',
  'CARRIER_BILLING.INVALID_TOKEN_CONTEXT': 'OTHER_PHONE_NUMBER',
  'CARRIER_BILLING.UNAUTHORIZED_AMOUNT': 'ABOVE_MAXIMUM',
  'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED': 'ABOVE_MONTHLY_LIMIT',
  NOT_FOUND: 'NOT_FOUND',
  ALREADY_EXISTS: 'DUPLICATE_REFERENCE',
  SERVER_ERROR: 'UNEXPECTED',
  SERVICE_UNAVAILABLE: 'UNAVAILABLE',
  REQUEST_TIMEOUT_EXCEEDED: 'TIME_LIMIT',
}

/** Whether a code is one of the catalogue. */
export const isCatalogued = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(STATUS_OF, code)

/** What may stand beside a code: another HTTP status (405), response headers (`Location`), more for the graph. */
export interface ErrorDetails {
  status?: number
  headers?: Record<string, string>
  /** Where in the input: the path by which the message begins, e.g. `paymentTransaction.referenceCode`. */
  field?: string
  /** What is wrong with it; the code's own reason (`REASON_OF`) unless given. */
  reason?: Reason
  extensions?: Record<string, unknown>
  cause?: unknown
}

/** A failure the contract foresees. Anything else that is thrown is a bug and answered as SERVER_ERROR. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly headers: Record<string, string>
  /** What the graph tells beside code and status: `reason`, and where they are known `field` and others. */
  readonly extensions: Record<string, unknown>

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    const { status, headers, field, reason = REASON_OF[code], extensions, cause } = details
    super(message, { cause })
    this.name = 'ServiceError'
    this.code = code
    this.status = status ?? STATUS_OF[code]
    this.headers = headers ?? {}
    this.extensions = { ...(field !== undefined && { field }), reason, ...extensions }
  }
}

/** 400 INVALID_ARGUMENT. The message starts with the path of the field it is about. */
export const invalid = (message: string, details?: ErrorDetails) =>
  new ServiceError('INVALID_ARGUMENT', message, details)

/** 400 INVALID_ARGUMENT for one field: `<path> <what is wrong>`. */
export const invalidField = (field: string, reason: Reason, what: string) =>
  invalid(`${field} ${what}`, { field, reason })

/** 404 NOT_FOUND: absent, or another client's, which must look the same. */
export const notFound = (what: string) => new ServiceError('NOT_FOUND', `${what} not found`)

/** What may stand beside a 503. */
export interface UnavailableDetails {
  cause?: unknown
  /** After how many seconds another try makes sense; 2 unless said otherwise. */
  retryAfterSeconds?: number
  headers?: Record<string, string>
}

/** 503 SERVICE_UNAVAILABLE with `retry-after`. */
export const unavailable = (message: string, details: UnavailableDetails = {}) => {
  const { cause, retryAfterSeconds = 2, headers } = details
  return new ServiceError('SERVICE_UNAVAILABLE', message, {
    headers: { 'retry-after': String(retryAfterSeconds), ...headers },
    cause,
  })
}

const MASKED = new ServiceError(
  'SERVER_ERROR',
  'The request could not be served; quote x-correlator to support',
)

/** The failure as the contract knows it; a bug is masked, so that no internals reach a client. */
export const asServiceError = (error: unknown): ServiceError =>
  error instanceof ServiceError ? error : MASKED

/** The `ErrorInfo` envelope of REST (contract documents 1 to 3, "ErrorInfo"): all three fields, `status` as a string. */
export const toRest = (error: ServiceError) => ({
  code: error.code,
  status: String(error.status),
  message: error.message,
})

/** One failure in the graph: `extensions` with `code`, `http.status`, `reason`, and `field` where there is one. */
export const toGraphQL = (error: ServiceError): GraphQLError =>
  new GraphQLError(error.message, {
    extensions: { ...error.extensions, code: error.code, http: { status: error.status } },
    originalError: error,
  })
