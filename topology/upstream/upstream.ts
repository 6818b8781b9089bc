/** One subgraph that runs as processes of its own: one or more instances, used in turn. */

import { failureOf, toUpstreamError, unreachable } from './failures.ts'
import type { HttpInstance, Instance, OpenResponse, UpstreamRequest, UpstreamResponse } from './instance.ts'

/** Instances of a subgraph that do not answer. */
export interface SilentInstances {
  /** Number of instances. */
  readonly all: number
  /** The addresses of those that do not answer. */
  readonly silent: readonly string[]
  /** Last of their first failures, as requests met them; undefined where requests met none. */
  readonly since?: Date
}

export interface Upstream {
  readonly name: string
  readonly instances: readonly HttpInstance[]
  /**
   * The next instance in turn that may be used.
   * @throws ServiceError SERVICE_UNAVAILABLE naming the subgraph, when none may.
   */
  pick(): Instance
  /**
   * Sends a request to the next instance. A read is sent once more where the connection broke or the instance is too
   * busy; a write only where it is certain that nothing was sent.
   * @throws ServiceError SERVICE_UNAVAILABLE or REQUEST_TIMEOUT_EXCEEDED.
   */
  request(request: UpstreamRequest): Promise<UpstreamResponse>
  /**
   * Sends a request whose response is read as it comes; it is sent once.
   * @throws ServiceError SERVICE_UNAVAILABLE or REQUEST_TIMEOUT_EXCEEDED, until the response has begun.
   */
  open(request: UpstreamRequest): Promise<OpenResponse>
  /** Probes each instance. */
  silent(): Promise<SilentInstances>
  close(): Promise<void>
}

/** Status of an overload, or of a database that is away: the instance lives, and another may do better. */
const BUSY = 503

export class HttpUpstream implements Upstream {
  readonly name: string
  readonly instances: readonly HttpInstance[]
  readonly #written: () => void
  #turn = 0

  /** @param written called when a write has ended, successfully or not. */
  constructor(name: string, instances: readonly HttpInstance[], written: () => void) {
    this.name = name
    this.instances = instances
    this.#written = written
  }

  pick(): Instance {
    return this.#first()
  }

  async request(request: UpstreamRequest): Promise<UpstreamResponse> {
    try {
      return await this.#requestTwice(request)
    } catch (error) {
      throw toUpstreamError(this.name, error, request)
    } finally {
      if (!request.isRead) this.#written()
    }
  }

  async open(request: UpstreamRequest): Promise<OpenResponse> {
    try {
      return await this.#first().open(request)
    } catch (error) {
      throw toUpstreamError(this.name, error, request)
    }
  }

  async silent(): Promise<SilentInstances> {
    const alive = await Promise.all(this.instances.map(instance => instance.isAlive()))
    const silent = this.instances.filter((_, index) => !alive[index])
    const times = silent.flatMap(({ failingSince }) => failingSince?.getTime() ?? [])
    return {
      all: alive.length,
      silent: silent.map(({ origin }) => origin),
      since: times.length > 0 ? new Date(Math.max(...times)) : undefined,
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.instances.map(instance => instance.close()))
  }

  #first(): HttpInstance {
    const instance = this.#next()
    if (!instance) throw unreachable(this.name)
    return instance
  }

  #next(except?: HttpInstance): HttpInstance | undefined {
    const count = this.instances.length
    for (let step = 0; step < count; step++) {
      const instance = this.instances[this.#turn++ % count]!
      if (instance !== except && instance.claim()) return instance
    }
    return undefined
  }

  async #requestTwice(request: UpstreamRequest): Promise<UpstreamResponse> {
    const first = this.#first()
    try {
      const response = await first.send(request)
      const other = request.isRead && response.status === BUSY ? this.#next(first) : undefined
      // Where the second try fails too, the first response stands.
      return other ? await other.send(request).catch(() => response) : response
    } catch (error) {
      const second = this.#second(first, error, request)
      if (!second) throw error
      return second.send(request)
    }
  }

  /** The instance for a second try: the same one only for a read whose standing connection ended, which may have been stale. */
  #second(
    first: HttpInstance,
    error: unknown,
    { isRead, signal }: UpstreamRequest,
  ): HttpInstance | undefined {
    const failure = failureOf(error, signal)
    if (failure === 'unsent') return this.#next(first)
    if (failure !== 'broken' || !isRead) return undefined
    return this.#next(first) ?? (first.claim() ? first : undefined)
  }
}
