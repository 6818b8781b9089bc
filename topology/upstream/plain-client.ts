/**
 * Client of HTTP/1.1 for the requests of the graph to one service: a body of JSON out, a text in. A general client takes more time
 * for such an exchange than the exchange itself: it makes a stream of each response, and memory for each read.
 *
 * Reads of one turn of the event loop are written together where a connection takes several, which saves most of the kernel's part.
 */
import type { Ending } from '#core/async/deadline.ts'
import type { WholeResponse } from './exchange.ts'
import { type ConnectionOwner, ExchangeFailure, PlainConnection, PlainExchange } from './plain-connection.ts'
import { Heads } from './response-reader.ts'

export interface PlainClientOptions {
  /** `http://127.0.0.1:4001`, without TLS. */
  readonly origin: string
  /** Longest time for a connection, in milliseconds. */
  readonly connectTimeoutMs: number
  /** Longest silence of a service that has a request, in milliseconds. */
  readonly silenceMs: number
}

/** Request for a connection. */
export interface PlainRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** Whether sending it twice does no harm. */
  readonly isRead: boolean
}

/** Time between two looks at all connections, in milliseconds. */
const TICK_MS = 1_000
/** Most requests that are written to a connection together: more save little, and each waits for those before it. */
const MAX_TOGETHER = 8
/** Time between two looks at requests that were written together, in milliseconds; the second look finds them late. */
const PATIENCE_MS = 50
/** Time for which each request has a connection of its own again after others had to wait, in ticks. */
const PAUSE_TICKS = 10
/** Characters that cannot stand in a header (RFC 9110 §5.5). */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/

const headerLine = (name: string, value: string): string => {
  if (FORBIDDEN.test(value))
    throw new ExchangeFailure(`The header ${name} cannot be sent`, 'UPSTREAM_INVALID')
  return `${name}: ${value}\r\n`
}

const headLines = (headers: PlainRequest['headers']): string => {
  let lines = ''
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string') lines += headerLine(name, value)
    else if (value) for (const one of value) lines += headerLine(name, one)
  }
  return lines
}

/** Connections to one service. How many there are is limited by those who send. */
export class PlainClient implements ConnectionOwner {
  tick = 0
  readonly heads = new Heads()
  readonly #url: URL
  readonly #options: PlainClientOptions
  readonly #all = new Set<PlainConnection>()
  /** Connections without a request, the one that was used last at the end. */
  readonly #idle: PlainConnection[] = []
  /** Reads that wait for the end of the turn. */
  #turn: PlainExchange[] = []
  /** Connections with reads that were written together, and the number of looks since. */
  readonly #together = new Map<PlainConnection, number>()
  /** Whether a connection took several requests. */
  #takesSeveral = false
  /** Tick until which each request has a connection of its own. */
  #pausedUntil = 0
  #timer: NodeJS.Timeout | undefined
  #patience: NodeJS.Timeout | undefined
  #closing: PromiseWithResolvers<void> | undefined

  constructor(options: PlainClientOptions) {
    this.#url = new URL(options.origin)
    this.#options = options
  }

  /**
   * Sends a request and reads the whole response.
   * @param ending comes when no request waits any longer.
   * @throws ExchangeFailure, MalformedResponse, an error of the connection, or the reason of the end.
   */
  send({ method, path, headers, body, isRead }: PlainRequest, ending: Ending): Promise<WholeResponse> {
    return new Promise((resolve, reject) => {
      if (ending.aborted) return reject(ending.reason)
      if (this.#closing) return reject(new ExchangeFailure('The connections are closed', 'EPIPE', 'connect'))
      const head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\nconnection: keep-alive\r\n${headLines(headers)}`
      const exchange = new PlainExchange(head, body, ending, { resolve, reject })
      if (!isRead || !this.#takesSeveral || this.tick < this.#pausedUntil) this.#take().send([exchange])
      else if (this.#turn.push(exchange) === 1) setImmediate(() => this.#sendTurn())
    })
  }

  release(connection: PlainConnection): void {
    // It may have been ended while its last responses were read.
    if (!this.#all.has(connection)) return
    this.#together.delete(connection)
    if (connection.takesSeveral) this.#takesSeveral = true
    if (this.#closing) connection.destroy()
    else this.#idle.push(connection)
  }

  drop(connection: PlainConnection): void {
    if (!this.#all.delete(connection)) return
    this.#together.delete(connection)
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    if (this.#all.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#closing?.resolve()
  }

  sendAgain(exchanges: readonly PlainExchange[]): void {
    for (const exchange of exchanges) this.#take().send([exchange])
  }

  /** Waits for requests under way, and closes the connections. */
  async close(): Promise<void> {
    this.#closing ??= Promise.withResolvers<void>()
    this.#sendTurn()
    for (const one of [...this.#idle]) one.destroy()
    if (this.#all.size > 0) await this.#closing.promise
  }

  /** Takes the connection for a single request that was used last: the service has hardly begun to close it. */
  #take(): PlainConnection {
    return this.#idle.pop() ?? this.#open()
  }

  #open(): PlainConnection {
    const { connectTimeoutMs } = this.#options
    const connection = new PlainConnection(this, { url: this.#url, connectTimeoutMs })
    this.#all.add(connection)
    this.#timer ??= setInterval(() => this.#look(), TICK_MS).unref()
    return connection
  }

  #sendTurn(): void {
    const reads = this.#turn.filter(({ isOver }) => !isOver)
    this.#turn = []
    let sent = 0
    while (sent < reads.length) {
      // All processes behind an address get their part, since the connection that has rested longest comes first.
      const connection = this.#idle.shift() ?? this.#open()
      const together = reads.slice(sent, sent + (connection.takesSeveral ? MAX_TOGETHER : 1))
      connection.send(together)
      sent += together.length
      if (together.length > 1) this.#watch(connection)
    }
  }

  #watch(connection: PlainConnection): void {
    this.#together.set(connection, 0)
    // Responses that have come meanwhile are read before the look.
    this.#patience ??= setInterval(() => setImmediate(() => this.#endPatience()), PATIENCE_MS).unref()
  }

  /** Sends reads again that a slow one before them holds up, and writes none together for some time. */
  #endPatience(): void {
    for (const [connection, looks] of this.#together) {
      if (looks === 0) this.#together.set(connection, 1)
      else {
        this.#together.delete(connection)
        const others = connection.takeOthers()
        if (others.length > 0) this.#pausedUntil = this.tick + PAUSE_TICKS
        this.sendAgain(others)
      }
    }
    if (this.#together.size > 0) return
    clearInterval(this.#patience)
    this.#patience = undefined
  }

  /** Ends connections that were idle for long, and requests whose service is silent. */
  #look(): void {
    this.tick += 1
    const silentTicks = Math.ceil(this.#options.silenceMs / TICK_MS)
    for (const one of this.#all) {
      const ticks = this.tick - one.heardAt
      if (!one.isBusy && ticks >= one.idleTicks) one.destroy()
      if (one.isBusy && ticks > silentTicks)
        one.destroy(new ExchangeFailure('The service is silent', 'UPSTREAM_SILENT'))
    }
  }
}
