/** One process of a service: its own connections, kept alive, and whether it may be asked. */
import { Pool } from 'undici'
import { Breaker } from '../../subgraphs/shared/async/breaker.ts'
import type { Logger } from '../../subgraphs/shared/observability/log.ts'
import type { InstanceAddress } from './address.ts'
import { exchange, type WholeResponse } from './exchange.ts'
import { failureOf } from './transport-errors.ts'

/** So many connections to one instance; what comes beyond waits for one, as long as its time lasts. */
const MAX_CONNECTIONS = 128
const CONNECT_TIMEOUT_MS = 2_000
/** Time-outs of the client itself come after any caller's own deadline: a backstop. */
const BACKSTOP_MS = 5_000

/** An instance as other users of it see it, such as the WebSocket event source. */
export interface Instance {
  /** `http://127.0.0.1:4001`. */
  readonly origin: string
  /** `/graphql`. */
  readonly graphPath: string
  /** Reported by other users of the instance: it responded. */
  succeeded(): void
  /** Reported by other users of the instance: it could not be reached. */
  failed(): void
  /** Reported by whoever did not use it in the end. */
  abandoned(): void
}

export interface UpstreamRequest {
  readonly method: string
  /** A path of the service, with its query; absent for the graph. */
  readonly path?: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body?: string | Buffer
  /** Aborted when nobody waits any longer. */
  readonly signal: AbortSignal
  /** Whether asking twice does no harm. */
  readonly isRead: boolean
  /** Whether a response shows that the instance, or what stands before it, is out of order. */
  isFault?(response: UpstreamResponse): boolean
}

export type UpstreamResponse = WholeResponse

/** A response of which the body is still to be read. */
export interface OpenResponse extends Omit<UpstreamResponse, 'body'> {
  readonly body: AsyncIterable<Uint8Array>
}

export interface InstanceOptions {
  readonly subgraph: string
  readonly address: InstanceAddress
  readonly log: Logger
  /** How long a request may take, in milliseconds. */
  readonly timeoutMs: number
  readonly now: () => number
}

const createPool = ({ address, timeoutMs }: InstanceOptions) =>
  new Pool(address.origin, {
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: timeoutMs + BACKSTOP_MS,
    bodyTimeout: timeoutMs + BACKSTOP_MS,
  })

export class HttpInstance implements Instance {
  readonly origin: string
  readonly graphPath: string
  readonly #options: InstanceOptions
  readonly #pool: Pool
  readonly #breaker: Breaker

  constructor(options: InstanceOptions) {
    this.origin = options.address.origin
    this.graphPath = options.address.graphPath
    this.#options = options
    this.#pool = createPool(options)
    this.#breaker = new Breaker({ probeMs: options.timeoutMs, now: options.now })
  }

  /** Whether a request may go to it now; who gets a yes sends one. */
  claim(): boolean {
    return this.#breaker.claim()
  }

  succeeded(): void {
    const { subgraph, log } = this.#options
    if (this.#breaker.succeeded()) log.info({ subgraph, origin: this.origin }, 'instance back in rotation')
  }

  failed(): void {
    const { subgraph, log } = this.#options
    if (this.#breaker.failed()) log.warn({ subgraph, origin: this.origin }, 'instance ejected')
  }

  abandoned(): void {
    this.#breaker.abandoned()
  }

  /** Sends a request and reads the whole response. @throws what the HTTP client throws. */
  send(request: UpstreamRequest): Promise<UpstreamResponse> {
    return this.#noting(request, async () => {
      const response = await exchange(this.#pool, this.#toOptions(request), request.signal)
      if (request.isFault?.(response)) this.failed()
      else this.succeeded()
      return response
    })
  }

  /** Sends a request whose response is read as it comes. @throws what the HTTP client throws. */
  open(request: UpstreamRequest): Promise<OpenResponse> {
    return this.#noting(request, async () => {
      const { signal } = request
      const options = { ...this.#toOptions(request), signal }
      const { statusCode: status, headers, body } = await this.#pool.request(options)
      this.succeeded()
      return { status, headers, body }
    })
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #noting<T>({ signal }: UpstreamRequest, work: () => Promise<T>): Promise<T> {
    const began = this.#options.now()
    try {
      return await work()
    } catch (error) {
      this.#note(error, signal, began)
      throw error
    }
  }

  #toOptions({ method, path, headers, body }: UpstreamRequest) {
    const { basePath, graphPath } = this.#options.address
    return { method: method as 'GET', path: path === undefined ? graphPath : basePath + path, headers, body }
  }

  /** A request whose time was nearly up when it came here says nothing about the instance by ending late. */
  #note(error: unknown, signal: AbortSignal, began: number): void {
    const failure = failureOf(error, signal)
    if (failure === 'faulty') return
    const { now, timeoutMs } = this.#options
    if (failure === 'late' && now() - began < timeoutMs / 2) return
    this.failed()
  }
}
