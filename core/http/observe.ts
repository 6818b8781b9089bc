/** Observation of requests: their time so far, their facts and trace, and their logger. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { LogLine } from '../observability/log.ts'
import { RequestFacts, type Requests, type Way, withFacts } from '../observability/request-facts.ts'
import { beginRequestSpan } from '../observability/request-spans.ts'
import { traceIn, tracing } from '../observability/tracing.ts'
import type { HeadStep, HttpReply, HttpRequest } from './exchange.ts'

/** Whether a request's target is a path of health or metrics: never counted, never logged, answered under any load. */
export const isProbe = (url: string): boolean => url.startsWith('/health/') || /^\/metrics($|[/?])/.test(url)

/** The path of a request's target, without its query. */
export const targetPath = (url: string): string => {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Arrival of its headers, by the clock of `performance.now()`. */
    cameAt?: number
    /** Its facts, from its arrival on; absent where its path cannot be read. */
    facts?: RequestFacts
  }

  interface FastifyContextConfig {
    /** Way of the requests of this route; `PAGE` where none is given. */
    way?: Way
    /** Whether every 400 of the route is OUT_OF_RANGE. */
    isList?: boolean
    /** Name of the operation that the route serves. */
    operation?: string
  }
}

/** Facts of a request that has just arrived. */
const beginFacts = (request: HttpRequest): RequestFacts => {
  const { config, url: route } = request.routeOptions
  const { way = 'PAGE', operation } = config ?? {}
  const { id: correlator, method, url, headers } = request
  const path = targetPath(url)
  const sentTrace = headers['traceparent'] === undefined ? undefined : traceIn(headers)
  const facts = new RequestFacts({ correlator, method, path, way, route, operation, sentTrace })
  if (tracing) beginRequestSpan(tracing, facts, request)
  return facts
}

/** Size of a response's body; undefined where it is not known before it is sent. */
const sizeOf = ({ method }: HttpRequest, reply: HttpReply): number | undefined => {
  if (method === 'HEAD') return 0
  const length = reply.getHeader('content-length')
  return length === undefined ? undefined : Number(length)
}

/** Status of a request whose client left before it was answered, by nginx's convention: HTTP has none. */
const CLIENT_LEFT = { status: 499, code: 'CLIENT_LEFT' }

/** Completes the facts of a request whose response has ended, or whose client has left. */
const endFacts = (facts: RequestFacts, request: HttpRequest, reply: HttpReply): void => {
  const { raw } = reply
  facts.durationMs = timeSpent(request)
  if (raw.headersSent) {
    facts.status = raw.statusCode
    facts.bytes ??= sizeOf(request, reply)
  } else {
    facts.status = CLIENT_LEFT.status
    facts.code ??= CLIENT_LEFT.code
  }
}

/** Makes the step that records the arrival of each request, and reports its facts at its end. */
export const recordArrival =
  (requests: Requests): HeadStep =>
  (request, reply) => {
    request.cameAt ??= performance.now()
    if (isProbe(request.url)) return false
    const facts = beginFacts(request)
    request.facts = facts
    // Not `onResponse`, which is not called where the client leaves.
    reply.raw.on('close', () => {
      endFacts(facts, request, reply)
      requests.end(facts)
    })
    return false
  }

/**
 * Makes the facts of each request the current ones. The body is parsed outside: its bytes come in the context of their
 * connection.
 */
export function registerFacts(server: FastifyInstance): void {
  server.addHook('preValidation', ({ facts }, _, done) => withFacts(facts, done))
}

/**
 * Time since the headers of a request arrived, in milliseconds. All steps of a request share one limit,
 * `REQUEST_TIMEOUT_MS` (docs/decisions.md, "Failures").
 */
export const timeSpent = ({ cameAt }: Pick<HttpRequest, 'cameAt'>): number =>
  cameAt === undefined ? 0 : performance.now() - cameAt

/** The trace headers of a request (W3C Trace Context §3.2, §3.3), which are passed on with calls on its behalf. */
export function traceOf(headers: Record<string, unknown>): Record<string, string> {
  const trace: Record<string, string> = {}
  for (const name of ['traceparent', 'tracestate']) {
    const value = headers[name]
    if (typeof value === 'string') trace[name] = value
  }
  return trace
}

type ChildArgs = Parameters<FastifyBaseLogger['child']>

/** Logger of one request, made with its first line: most requests log nothing, and making a logger is expensive. */
class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger
  readonly #args: ChildArgs
  #made: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, args: ChildArgs) {
    this.#parent = parent
    this.#args = args
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(...this.#args)
    return this.#made
  }

  get level(): string {
    return this.#log.level
  }

  set level(level: string) {
    this.#log.level = level
  }

  get msgPrefix(): string | undefined {
    return undefined
  }

  fatal(...line: LogLine): void {
    this.#log.fatal(...line)
  }

  error(...line: LogLine): void {
    this.#log.error(...line)
  }

  warn(...line: LogLine): void {
    this.#log.warn(...line)
  }

  info(...line: LogLine): void {
    this.#log.info(...line)
  }

  debug(...line: LogLine): void {
    this.#log.debug(...line)
  }

  trace(...line: LogLine): void {
    this.#log.trace(...line)
  }

  silent(...line: LogLine): void {
    this.#log.silent(...line)
  }

  child(...args: ChildArgs): FastifyBaseLogger {
    return this.#log.child(...args)
  }
}

/** Makes the logger of a request, for Fastify's `childLoggerFactory`. */
export const createRequestLog = (parent: FastifyBaseLogger, ...args: ChildArgs): FastifyBaseLogger =>
  new RequestLog(parent, args)
