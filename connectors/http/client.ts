/** Requests to a charging system over HTTP. They are bounded in time and size, and follow no redirect. */
import { type Dispatcher, Pool } from 'undici'
import { NotSentError } from '#core/charging/charging.ts'
import { VERSION } from '#core/config/project-files.ts'
import { traceHeaders } from '#core/observability/tracing.ts'

/** Longest response that is read, in bytes: far longer than a state, or a page of the book. */
const MAX_RESPONSE_BYTES = 64 * 1024
const CONNECT_TIMEOUT_MS = 5_000

export interface HttpResponse {
  readonly status: number
  /** Parsed body; undefined where it is not JSON. */
  readonly body: unknown
  readonly retryAfterMs: number | undefined
}

export interface ChargingClientOptions {
  /** Base address, with or without a path. */
  readonly url: string
  readonly token: string
  readonly connections: number
  readonly timeoutMs: number
}

/** Codes of failures to connect: nothing was sent. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const codeOf = (error: unknown): string => {
  const { code, errors } = error as { code?: string; errors?: unknown[] }
  return code ?? (errors?.[0] ? codeOf(errors[0]) : 'UNKNOWN')
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const retryAfterOf = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,5}$/.test(header) ? Number(header) * 1_000 : undefined

/** Makes the error of a request that failed. Its message names no address. */
const toFailure = (error: unknown): Error => {
  const code = codeOf(error)
  if (NOT_CONNECTED.has(code))
    return new NotSentError(`no connection could be made (${code})`, { cause: error })
  return new Error(`no answer came (${code})`, { cause: error })
}

export class ChargingClient {
  readonly #pool: Pool
  readonly #base: string
  readonly #headers: Record<string, string>

  constructor({ url, token, connections, timeoutMs }: ChargingClientOptions) {
    const { origin, pathname } = new URL(url)
    this.#base = pathname.replace(/\/$/, '')
    this.#headers = { authorization: `Bearer ${token}`, 'user-agent': `partner-graph/${VERSION}` }
    this.#pool = new Pool(origin, {
      connections,
      pipelining: 1,
      connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
      // The caller's signal ends a request sooner.
      headersTimeout: 2 * timeoutMs,
      bodyTimeout: 2 * timeoutMs,
      maxResponseSize: MAX_RESPONSE_BYTES,
    })
  }

  /**
   * Sends a request and reads the whole response.
   * @param trace place in a trace that the system may continue.
   * @throws NotSentError where no connection could be made; any other Error leaves the outcome unknown.
   */
  async send(
    method: Dispatcher.HttpMethod,
    path: string,
    signal: AbortSignal,
    { body, trace }: { body?: string | undefined; trace?: string | undefined } = {},
  ): Promise<HttpResponse> {
    try {
      const headers = {
        ...this.#headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...traceHeaders(trace),
      }
      const response = await this.#pool.request({ method, path: this.#base + path, headers, body, signal })
      const text = await response.body.text()
      const retryAfterMs = retryAfterOf(response.headers['retry-after'])
      return { status: response.statusCode, body: parse(text), retryAfterMs }
    } catch (error) {
      throw signal.aborted ? signal.reason : toFailure(error)
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}
