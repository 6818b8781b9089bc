/** Why a call got no response: it decides whether the call is retried, and what the client is told. */
import { ServiceError, unavailable } from '#core/errors/catalogue.ts'

/**
 * `unsent`: certain, no connection was made. `broken`: the connection ended before the response did. `late`: the time
 * was up. `faulty`: the request could not be sent as it was, which says nothing about the instance.
 */
export type TransportFailure = 'unsent' | 'broken' | 'late' | 'faulty'

/** Operations of the system before which nothing can have been sent. */
const BEFORE_SENDING = new Set(['connect', 'getaddrinfo'])

const FAILURE_OF: Readonly<Record<string, TransportFailure>> = {
  UND_ERR_CONNECT_TIMEOUT: 'unsent',
  UND_ERR_CLOSED: 'unsent',
  UND_ERR_HEADERS_TIMEOUT: 'late',
  UND_ERR_BODY_TIMEOUT: 'late',
  UND_ERR_INVALID_ARG: 'faulty',
  UND_ERR_NOT_SUPPORTED: 'faulty',
}

const wasUnsent = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.every(wasUnsent)
    : BEFORE_SENDING.has(String((error as NodeJS.ErrnoException).syscall))

/** Sorts an error of the HTTP client; an aborted signal means that the time was up. */
export const failureOf = (error: unknown, signal: AbortSignal): TransportFailure => {
  if (signal.aborted) return 'late'
  if (wasUnsent(error)) return 'unsent'
  return FAILURE_OF[String((error as NodeJS.ErrnoException).code)] ?? 'broken'
}

/** 503 for a subgraph of which no instance may be asked, or none was reached. */
export const unreachable = (name: string, cause?: unknown): ServiceError =>
  unavailable(`The subgraph ${name} cannot be reached`, { cause })

const late = (name: string, cause: unknown): ServiceError =>
  new ServiceError('REQUEST_TIMEOUT_EXCEEDED', `The subgraph ${name} did not answer in time`, { cause })

/** Whether a write was done cannot be known once it was sent. */
const broken = (name: string, isRead: boolean, cause: unknown): ServiceError =>
  isRead
    ? unreachable(name, cause)
    : unavailable(`The connection to the subgraph ${name} broke; what was asked may have been done`, {
        cause,
      })

/** The failure in the catalogue's codes, a deadline's own reason included; what is a bug stays as it is. */
export function toServiceError(
  name: string,
  error: unknown,
  request: { isRead: boolean; signal: AbortSignal },
): unknown {
  if (error instanceof ServiceError) return error
  const failure = failureOf(error, request.signal)
  if (failure === 'faulty') return error
  if (failure === 'unsent') return unreachable(name, error)
  if (failure === 'broken') return broken(name, request.isRead, error)
  return late(name, error)
}
