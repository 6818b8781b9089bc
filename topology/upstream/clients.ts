/**
 * HTTP clients of one service: one for the requests of the graph, one for everything else, and one for probes, since all
 * connections of the others may be waiting.
 */
import { type Dispatcher, Pool } from 'undici'
import type { Ending } from '#core/async/deadline.ts'
import type { ServiceAddress } from './address.ts'
import { exchange, type WholeResponse } from './exchange.ts'
import { PlainClient } from './plain-client.ts'

const CONNECT_TIMEOUT_MS = 2_000
/** Longest time for the answer to a probe, in milliseconds. */
const ALIVE_TIMEOUT_MS = 1_500
/** Margin of the HTTP client's own timeouts after any request's deadline: a backstop. */
const BACKSTOP_MS = 5_000

export interface ClientsOptions {
  readonly address: ServiceAddress
  /** Longest time of a request, in milliseconds. */
  readonly timeoutMs: number
  /** The most connections for requests. */
  readonly connections: number
}

/** Request to the service. */
interface Sent {
  readonly method: string
  /** A path of the service, with its query; absent for the graph. */
  readonly path?: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body?: string | Buffer
  /** Whether sending it twice does no harm. */
  readonly isRead?: boolean
}

export class ServiceClients {
  readonly #address: ServiceAddress
  readonly #pool: Pool
  /** Absent where a service is reached by TLS. */
  readonly #plain: PlainClient | undefined
  readonly #probes: Pool

  constructor({ address, timeoutMs, connections }: ClientsOptions) {
    const { origin } = address
    const silenceMs = timeoutMs + BACKSTOP_MS
    this.#address = address
    this.#pool = new Pool(origin, {
      connections,
      pipelining: 1,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    })
    if (origin.startsWith('http:'))
      this.#plain = new PlainClient({ origin, connectTimeoutMs: CONNECT_TIMEOUT_MS, silenceMs })
    this.#probes = new Pool(origin, { connections: 2, connect: { timeout: ALIVE_TIMEOUT_MS } })
  }

  /**
   * Sends a request and reads the whole response.
   * @param ending comes when no request waits any longer.
   * @throws an error of the client, or the reason of the end.
   */
  exchange(sent: Sent, ending: Ending): Promise<WholeResponse> {
    const { method, path, headers, body, isRead = false } = sent
    if (this.#plain && path === undefined && typeof body === 'string')
      return this.#plain.send({ method, path: this.#address.graphPath, headers, body, isRead }, ending)
    return exchange(this.#pool, this.#toOptions(sent), ending)
  }

  /** Sends a request whose response is read as it comes. @throws an error of the client. */
  open(sent: Sent, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    return this.#pool.request({ ...this.#toOptions(sent), signal })
  }

  /** Asks beside the requests of clients; undefined where the service does not answer soon. */
  probe(path: string, headers: Sent['headers'] = {}): Promise<WholeResponse | undefined> {
    const request = this.#toOptions({ method: 'GET', path, headers })
    return exchange(this.#probes, request, AbortSignal.timeout(ALIVE_TIMEOUT_MS)).catch(() => undefined)
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#plain?.close(), this.#probes.destroy()])
  }

  #toOptions({ method, path, headers, body }: Sent) {
    const { basePath, graphPath } = this.#address
    return { method: method as 'GET', path: path === undefined ? graphPath : basePath + path, headers, body }
  }
}
