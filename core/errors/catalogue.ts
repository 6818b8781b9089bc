/** The error catalogue: every code a client can meet, and the only two shapes in which it meets one. */

import { GraphQLError, type GraphQLFormattedError } from 'graphql'
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

/** HTTP status of an idempotency key that was used for another request: INVALID_ARGUMENT, told apart from a 400. */
export const KEY_REUSED_STATUS = 422

/** The status of an error of the graph: that of its code, unless its reason has one of its own. */
export const statusIn = (code: ErrorCode, { reason }: Readonly<Record<string, unknown>> = {}): number =>
  reason === ('IDEMPOTENCY_KEY_REUSED' satisfies Reason) ? KEY_REUSED_STATUS : STATUS_OF[code]

/** Whether a code is one of the catalogue. */
export const isCatalogued = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(STATUS_OF, code)

/** Limit of a value, for programs such as forms that check it before they post. */
export interface Limit {
  /** Minimum: of a number its value, of a text its characters, of a list its items. */
  readonly min?: number
  /** Maximum, likewise. */
  readonly max?: number
  /** Most characters of a text, or decimals of a number. */
  readonly length?: number
  /** All permitted values. */
  readonly allowed?: readonly unknown[]
}

/** Details beside a code: another HTTP status (405), response headers (`Location`), more for the graph. */
export interface ErrorDetails {
  status?: number
  headers?: Record<string, string>
  /** Path in the input, with which the message begins, e.g. `paymentTransaction.referenceCode`. */
  field?: string
  /** Reason of the refusal; by default that of the code (`REASON_OF`). */
  reason?: Reason
  limit?: Limit
  /** Message for people, without paths; by default made of the message. */
  sentence?: string
  /** Other fields that the fault depends on. */
  dependsOn?: readonly string[]
  extensions?: Record<string, unknown>
  cause?: unknown
}

/** `<path> must be …` as `This must be ….` */
const sentenceOf = (message: string, field: string | undefined): string => {
  const isAbout = field !== undefined && message.startsWith(`${field} `)
  const said = isAbout ? `This ${message.slice(field.length + 1)}` : message
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? '' : '.'}`
}

/** A failure that the contract foresees. Any other error is a bug, and answered as SERVER_ERROR. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly headers: Record<string, string>
  readonly field: string | undefined
  readonly dependsOn: readonly string[]
  /** Extensions in the graph beside code and status: `reason`, `sentence`, and where known `field` and others. */
  readonly extensions: Record<string, unknown>

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    const { status, headers, field, reason = REASON_OF[code], limit, extensions, cause } = details
    const { sentence = sentenceOf(message, field), dependsOn = [] } = details
    super(message, { cause })
    this.name = 'ServiceError'
    this.code = code
    this.status = status ?? STATUS_OF[code]
    this.headers = headers ?? {}
    this.field = field
    this.dependsOn = dependsOn
    this.extensions = {
      ...(field !== undefined && { field }),
      reason,
      sentence,
      ...(limit && { limit }),
      ...extensions,
    }
  }
}

/** 400 INVALID_ARGUMENT. The message starts with the path of its field. */
export const invalid = (message: string, details?: ErrorDetails) =>
  new ServiceError('INVALID_ARGUMENT', message, details)

/** 400 INVALID_ARGUMENT for one field: `<path> <what is wrong>`. */
export const invalidField = (
  field: string,
  reason: Reason,
  what: string,
  details?: Pick<ErrorDetails, 'limit' | 'sentence' | 'dependsOn'>,
) => invalid(`${field} ${what}`, { field, reason, ...details })

/** 404 NOT_FOUND: absent, or another client's, which must look the same. */
export const notFound = (what: string) => new ServiceError('NOT_FOUND', `${what} not found`)

/** Details of a 503. */
interface UnavailableDetails {
  cause?: unknown
  /** Seconds until another attempt makes sense; 2 by default. */
  retryAfterSeconds?: number
  headers?: Record<string, string>
}

/** Makes errors without their stacks, for what is told to a client by the thousand and logged nowhere. */
export const withoutStack = <T>(make: () => T): T => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return make()
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** 503 SERVICE_UNAVAILABLE with `retry-after`. */
export const unavailable = (message: string, details: UnavailableDetails = {}): ServiceError => {
  const { cause, retryAfterSeconds = 2, headers } = details
  const make = () =>
    new ServiceError('SERVICE_UNAVAILABLE', message, {
      headers: { 'retry-after': String(retryAfterSeconds), ...headers },
      cause,
    })
  return cause === undefined ? withoutStack(make) : make()
}

/** 503 of a process with `READ_ONLY=1`. */
export const readsOnly = (details: UnavailableDetails = {}) =>
  unavailable('This server only reads (READ_ONLY=1): send changes to one that writes', {
    retryAfterSeconds: 60,
    ...details,
  })

const MASKED = new ServiceError(
  'SERVER_ERROR',
  'The request could not be served; quote x-correlator to support',
)

/** Translates any error into a failure of the contract; a bug is masked, so that no internals reach a client. */
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

/** Translates any failure into an error of the graph, and masks bugs. */
export const toGraphQLError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError ? error : toGraphQL(asServiceError(error))

/** Turns a formatted error into one that can be thrown. */
export const fromFormatted = ({ message, path, extensions }: GraphQLFormattedError): GraphQLError =>
  new GraphQLError(message, { path, extensions })

/** A fault of the installation that its operator can correct: reported in one sentence, without a stack. */
export class SetupError extends Error {}
