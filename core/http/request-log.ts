/** The log of requests: a line for each that was answered, and a logger of its own for each that has more to say. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Logger, type LogLine, withoutRedaction } from '../observability/log.ts'
import { isProbe, pathOf } from './probes.ts'

type ChildArgs = Parameters<FastifyBaseLogger['child']>

/** The logger of one request, made once something is logged: of most requests nothing is, and making one costs much. */
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

/** What Fastify makes the logger of a request by. */
export const createRequestLog = (parent: FastifyBaseLogger, ...args: ChildArgs): FastifyBaseLogger =>
  new RequestLog(parent, args)

/** Writes what was asked, what came of it, how long it took. Query strings and bodies are not logged. */
export function registerAccessLog(server: FastifyInstance, log: Logger): void {
  const lines = withoutRedaction(log)
  server.addHook('onResponse', (request, reply, done) => {
    if (!isProbe(request.url)) {
      const ms = Math.round(reply.elapsedTime * 10) / 10
      const { id: correlator, method, url } = request
      lines.info({ correlator, method, path: pathOf(url), status: reply.statusCode, ms }, 'request')
    }
    done()
  })
}
