/**
 * Failures of calls to a subgraph: their kind decides whether a call is retried, and which error its client gets. A
 * write has an extended deadline, since the service alone knows whether it wrote something and so reports a timeout.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Ending } from '#core/async/deadline.ts'
import { ServiceError, unavailable } from '#core/errors/catalogue.ts'

/**
 * `unsent`: certain, no connection was made. `broken`: the connection ended before the response did. `late`: the time
 * was up. `faulty`: the request could not be sent as it was, which says nothing about the service.
 */
export type TransportFailure = 'unsent' | 'broken' | 'late' | 'faulty'

/** Statuses with which a balancer before the service answers itself (RFC 9110 §15.6), and what it says by them. */
const OF_BALANCER: Readonly<Record<number, TransportFailure>> = { 502: 'broken', 503: 'unsent', 504: 'late' }

/** An answer of a balancer, which could not reach a process of the service or lost it. */
export class BalancerFailure extends Error {
  override readonly name = 'BalancerFailure'
  readonly failure: TransportFailure

  constructor(status: number) {
    super(`A balancer before the service answered with status ${status}`)
    this.failure = OF_BALANCER[status]!
  }

  /** Tells a page of a balancer from a response of a service, whose failures are JSON. */
  static isSeen({ status, headers }: { status: number; headers: IncomingHttpHeaders }): boolean {
    return status in OF_BALANCER && !/\bjson\b|\+json/.test(String(headers['content-type']))
  }
}

/** System calls whose failure proves that nothing was sent. */
const BEFORE_SENDING = new Set(['connect', 'getaddrinfo'])

const FAILURE_OF: Readonly<Record<string, TransportFailure>> = {
  UND_ERR_CONNECT_TIMEOUT: 'unsent',
  UND_ERR_CLOSED: 'unsent',
  UND_ERR_HEADERS_TIMEOUT: 'late',
  UND_ERR_BODY_TIMEOUT: 'late',
  UPSTREAM_SILENT: 'late',
  UPSTREAM_INVALID: 'faulty',
  UND_ERR_INVALID_ARG: 'faulty',
  UND_ERR_NOT_SUPPORTED: 'faulty',
}

const wasUnsent = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.every(wasUnsent)
    : BEFORE_SENDING.has(String((error as NodeJS.ErrnoException).syscall))

/** Finds the kind of an error of the HTTP client; an aborted signal means that the time was up. */
export const failureOf = (error: unknown, signal: Ending): TransportFailure => {
  if (signal.aborted) return 'late'
  if (error instanceof BalancerFailure) return error.failure
  if (wasUnsent(error)) return 'unsent'
  return FAILURE_OF[String((error as NodeJS.ErrnoException).code)] ?? 'broken'
}

/** Makes the 503 for a subgraph that may not be called or was not reached. */
export const unreachable = (name: string, cause?: unknown): ServiceError =>
  unavailable(`The subgraph ${name} cannot be reached`, { cause })

const late = (name: string, cause: unknown): ServiceError =>
  new ServiceError('REQUEST_TIMEOUT_EXCEEDED', `The subgraph ${name} did not answer in time`, { cause })

/** Makes the 503 for a connection that broke: a write that was sent may have been executed. */
const broken = (name: string, isRead: boolean, cause: unknown): ServiceError =>
  isRead
    ? unreachable(name, cause)
    : unavailable(`The connection to the subgraph ${name} broke; the request may have been executed`, {
        cause,
      })

/**
 * Translates a failure into the catalogue's codes, a deadline's own reason included; an error of this program stays as
 * it is.
 */
export function toUpstreamError(
  name: string,
  error: unknown,
  request: { isRead: boolean; signal: Ending },
): unknown {
  if (error instanceof ServiceError) return error
  const failure = failureOf(error, request.signal)
  if (failure === 'faulty') return error
  if (failure === 'unsent') return unreachable(name, error)
  if (failure === 'broken') return broken(name, request.isRead, error)
  return late(name, error)
}

/** Time that a write is waited for beyond its own deadline, in milliseconds: then the response is the service's. */
export const WRITE_EXTENSION_MS = 1_000

/** Makes the 503 for an unknown outcome, since 504 would say that nothing was written. */
export const undecided = () =>
  unavailable('The service did not answer in time; the request may have been executed')

/**
 * Runs `work` with a signal that is aborted a moment after the request's own.
 * @throws the signal's reason when the time is up already; SERVICE_UNAVAILABLE when the service does not report either.
 */
export async function withExtendedDeadline<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => controller.abort(undecided()), WRITE_EXTENSION_MS)
  }
  signal.addEventListener('abort', wait, { once: true })
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', wait)
  }
}
