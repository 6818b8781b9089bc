/** One subgraph that runs as a process of its own, or as several behind a balancer: requests to it, and their failures. */
import type {
  ClaimedCall,
  OpenRequest,
  OpenResponse,
  UpstreamConnections,
  UpstreamRequest,
  UpstreamResponse,
} from './connections.ts'
import { failureOf, toUpstreamError, unreachable } from './failures.ts'

export interface Upstream {
  readonly name: string
  readonly connections: UpstreamConnections
  /** @throws ServiceError SERVICE_UNAVAILABLE naming the subgraph, while it fails. */
  claim(): ClaimedCall
  /**
   * Sends a request. A read whose connection broke is sent once more: behind a balancer another process takes it.
   * @throws ServiceError SERVICE_UNAVAILABLE or REQUEST_TIMEOUT_EXCEEDED.
   */
  request(request: UpstreamRequest): Promise<UpstreamResponse>
  /**
   * Sends a request whose response is read as it comes; it is sent once.
   * @throws ServiceError SERVICE_UNAVAILABLE or REQUEST_TIMEOUT_EXCEEDED, until the response has begun.
   */
  open(request: OpenRequest): Promise<OpenResponse>
}

export class HttpUpstream implements Upstream {
  readonly name: string
  readonly connections: UpstreamConnections
  readonly #written: () => void

  /** @param written called when a write has ended, successfully or not. */
  constructor(name: string, connections: UpstreamConnections, written: () => void) {
    this.name = name
    this.connections = connections
    this.#written = written
  }

  claim(): ClaimedCall {
    if (!this.connections.claim()) throw unreachable(this.name)
    return this.connections
  }

  async request(request: UpstreamRequest): Promise<UpstreamResponse> {
    try {
      this.claim()
      try {
        return await this.connections.send(request)
      } catch (error) {
        const isRepeated = request.isRead && failureOf(error, request.signal) === 'broken'
        if (!isRepeated || !this.connections.claim()) throw error
      }
      return await this.connections.send(request)
    } catch (error) {
      throw toUpstreamError(this.name, error, request)
    } finally {
      if (!request.isRead) this.#written()
    }
  }

  async open(request: OpenRequest): Promise<OpenResponse> {
    try {
      this.claim()
      return await this.connections.open(request)
    } catch (error) {
      throw toUpstreamError(this.name, error, request)
    }
  }
}
