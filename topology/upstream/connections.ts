/**
 * Connections to the address of a service, kept alive: how many of them a client may hold, and whether the service may be
 * called. Calls that last by nature have connections apart, so that none waits behind them.
 */
import type { Ending } from '#core/async/deadline.ts'
import { FairSlots, type FreeSlot } from '#core/async/fair-slots.ts'
import { Breaker } from '#core/async/retry.ts'
import { unavailable } from '#core/errors/catalogue.ts'
import type { Logger } from '#core/observability/log.ts'
import type { ServiceAddress } from './address.ts'
import { ServiceClients } from './clients.ts'
import type { WholeResponse } from './exchange.ts'
import { BalancerFailure, failureOf } from './failures.ts'

/** Most short calls at once, half of them for a client that is alone; more wait until their deadline. */
const SHORT_CALLS = 256
/** Most exports and test events at once; more are refused, since those before them may last for minutes. */
const LONG_CALLS = 64
/** `Retry-After` for a client with as many long calls as it may have, in seconds. */
const LONG_RETRY_SECONDS = 5
/** A call that may be made, on which its user reports. */
export interface ClaimedCall {
  /** `http://127.0.0.1:4001`. */
  readonly origin: string
  /** `/graphql`. */
  readonly graphPath: string
  /** Reports that the service responded. */
  succeeded(): void
  /** Reports that it could not be reached. */
  failed(): void
  /** Reports that it was not used in the end. */
  abandoned(): void
}

export interface UpstreamRequest {
  readonly method: string
  /** A path of the service, with its query; absent for the graph. */
  readonly path?: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body?: string | Buffer
  /** The client on whose behalf it is sent, whose share of the connections it counts for. */
  readonly clientId: string
  /** Whether it lasts by nature, and not because the service is slow. */
  readonly isLong?: boolean
  /** Comes when no request waits any longer. */
  readonly signal: Ending
  /** Whether sending it twice does no harm. */
  readonly isRead: boolean
  /** Whether a response shows that the service is out of order. */
  isFault?(response: UpstreamResponse): boolean
}

/** Request whose response is read as it comes. */
export interface OpenRequest extends UpstreamRequest {
  readonly signal: AbortSignal
}

export type UpstreamResponse = WholeResponse

/** A response whose body is still to be read. */
export interface OpenResponse extends Omit<UpstreamResponse, 'body'> {
  readonly body: AsyncIterable<Uint8Array>
}

export interface ConnectionsOptions {
  readonly subgraph: string
  readonly address: ServiceAddress
  readonly log: Logger
  /** How long a request may take, in milliseconds. */
  readonly timeoutMs: number
  readonly now: () => number
}

export class UpstreamConnections implements ClaimedCall {
  readonly origin: string
  readonly graphPath: string
  readonly #options: ConnectionsOptions
  readonly #clients: ServiceClients
  readonly #breaker: Breaker
  readonly #short = new FairSlots(SHORT_CALLS)
  readonly #long = new FairSlots(LONG_CALLS)
  /** The time of its last sign of life. */
  #respondedAt = Number.NEGATIVE_INFINITY

  constructor(options: ConnectionsOptions) {
    this.origin = options.address.origin
    this.graphPath = options.address.graphPath
    this.#options = options
    this.#clients = new ServiceClients({ ...options, connections: SHORT_CALLS + LONG_CALLS })
    this.#breaker = new Breaker({ probeMs: options.timeoutMs, now: options.now })
  }

  /** Time of the first of its failures in a row; undefined while it answers. */
  get failingSince(): Date | undefined {
    return this.#breaker.failingSince
  }

  /** Claims a call: whether a request may go there now. A claim must be followed by a request. */
  claim(): boolean {
    return this.#breaker.claim()
  }

  succeeded(): void {
    const { subgraph, log, now } = this.#options
    this.#respondedAt = now()
    if (this.#breaker.succeeded()) log.info({ subgraph, origin: this.origin }, 'subgraph answers again')
  }

  failed(): void {
    const { subgraph, log } = this.#options
    if (this.#breaker.failed())
      log.warn({ subgraph, origin: this.origin }, 'subgraph fails; it is asked now and then')
  }

  abandoned(): void {
    this.#breaker.abandoned()
  }

  /**
   * Sends a request and reads the whole response.
   * @throws ServiceError SERVICE_UNAVAILABLE when the client has too many in flight, or an error of the HTTP client.
   */
  async send(request: UpstreamRequest): Promise<UpstreamResponse> {
    const free = this.#take(request) ?? (await this.#wait(request))
    const began = this.#options.now()
    try {
      const response = await this.#clients.exchange(request, request.signal)
      if (BalancerFailure.isSeen(response)) throw new BalancerFailure(response.status)
      if (request.isFault?.(response)) this.failed()
      else this.succeeded()
      return response
    } catch (error) {
      this.#record(error, request, began)
      throw error
    } finally {
      free()
    }
  }

  /**
   * Sends a request whose response is read as it comes; it counts for its client until it is read.
   * @throws ServiceError SERVICE_UNAVAILABLE when the client has too many in flight, or an error of the HTTP client.
   */
  async open(request: OpenRequest): Promise<OpenResponse> {
    const free = this.#take(request) ?? (await this.#wait(request))
    const began = this.#options.now()
    try {
      const { statusCode: status, headers, body } = await this.#clients.open(request, request.signal)
      if (BalancerFailure.isSeen({ status, headers })) {
        await body.dump()
        throw new BalancerFailure(status)
      }
      body.once('close', free)
      this.succeeded()
      return { status, headers, body }
    } catch (error) {
      this.#record(error, request, began)
      free()
      throw error
    }
  }

  /** Prefix of its paths. */
  get basePath(): string {
    return this.#options.address.basePath
  }

  /** Whether it answers at all. */
  async isAlive(): Promise<boolean> {
    const response = await this.probe('/health/live')
    return response !== undefined && !BalancerFailure.isSeen(response)
  }

  /** Asks it beside the requests of clients; undefined where it does not answer soon. */
  probe(path: string, headers?: Readonly<Record<string, string>>): Promise<WholeResponse | undefined> {
    return this.#clients.probe(path, headers)
  }

  async close(): Promise<void> {
    await this.#clients.close()
  }

  /** Takes a slot among the short or the long calls; undefined where the request has to wait for one. */
  #take({ clientId, isLong, signal }: UpstreamRequest): FreeSlot | undefined {
    if (isLong) return this.#long.take(clientId)
    return signal.aborted ? undefined : this.#short.take(clientId)
  }

  /** Waits for a slot among the short calls. A request without one was not sent, and says nothing about the service. */
  async #wait({ clientId, isLong, signal }: UpstreamRequest): Promise<FreeSlot> {
    const { subgraph } = this.#options
    const message = `Too many requests of this client to the subgraph ${subgraph} are under way; nothing was done`
    const retryAfterSeconds = isLong ? LONG_RETRY_SECONDS : undefined
    const tooMany = (cause?: unknown) => unavailable(message, { cause, retryAfterSeconds })
    if (isLong) {
      this.abandoned()
      throw tooMany()
    }
    try {
      return await this.#short.wait(clientId, signal)
    } catch (cause) {
      this.abandoned()
      throw tooMany(cause)
    }
  }

  #record(error: unknown, request: UpstreamRequest, began: number): void {
    const failure = failureOf(error, request.signal)
    if (failure === 'faulty') return
    if (failure === 'late' && !this.#isSlow(request, began)) return
    this.failed()
  }

  /**
   * Whether a request that ended late shows a slow service. It does not where the request lasts by nature or had little
   * time left when it came here, nor where the service has responded to others meanwhile: then the request is slow.
   */
  #isSlow({ isLong }: UpstreamRequest, began: number): boolean {
    const { now, timeoutMs } = this.#options
    return !isLong && this.#respondedAt < began && now() - began >= timeoutMs / 2
  }
}
