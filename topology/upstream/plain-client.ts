/**
 * Client of HTTP/1.1 for the requests of the graph to one service: a body of JSON out, a text in, one request at a time on a
 * connection. A general client takes more time for such an exchange than the exchange itself: it makes a stream of each
 * response, and memory for each read.
 */
import { connect, type Socket } from 'node:net'
import { type Ending, whenOver } from '#core/async/deadline.ts'
import type { WholeResponse } from './exchange.ts'
import { Heads, ResponseReader } from './response-reader.ts'

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
}

/** Failure of an exchange, by a code as the errors of Node.js have. */
export class ExchangeFailure extends Error {
  override readonly name = 'ExchangeFailure'
  readonly code: string
  readonly syscall: string | undefined

  constructor(message: string, code: string, syscall?: string) {
    super(message)
    this.code = code
    this.syscall = syscall
  }
}

/** Time between two looks at all connections, in milliseconds. */
const TICK_MS = 1_000
/** Memory into which every connection reads: a response is taken from it before the next read. */
const READ = Buffer.allocUnsafeSlow(64 * 1024)
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

interface Waiting {
  readonly resolve: (response: WholeResponse) => void
  readonly reject: (error: unknown) => void
  /** Stops waiting for the end. */
  readonly forget: () => void
}

/** One connection, and the request that has it. */
class Connection {
  readonly #socket: Socket
  readonly #client: PlainClient
  #reader: ResponseReader
  #waiting: Waiting | undefined
  /** Tick of its last sign of life. */
  heardAt: number
  /** Ticks for which it may be idle. */
  idleTicks = 0

  constructor(client: PlainClient, { hostname, port }: URL, connectTimeoutMs: number) {
    this.#client = client
    this.heardAt = client.tick
    this.#reader = new ResponseReader(client.heads)
    const onread = { buffer: READ, callback: (bytes: number) => this.#read(bytes) }
    // An address of IPv6 stands in brackets in a URL alone.
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, port: Number(port || 80), noDelay: true, onread })
    const timer = setTimeout(
      () => socket.destroy(new ExchangeFailure('No connection in time', 'ETIMEDOUT', 'connect')),
      connectTimeoutMs,
    )
    socket.once('connect', () => clearTimeout(timer))
    socket.on('error', error => this.#fail(error))
    socket.on('end', () => this.#end())
    socket.on('close', () => {
      clearTimeout(timer)
      this.#end()
    })
    this.#socket = socket
  }

  get isBusy(): boolean {
    return this.#waiting !== undefined
  }

  send(head: string, body: string, ending: Ending, promise: Pick<Waiting, 'resolve' | 'reject'>): void {
    const { resolve, reject } = promise
    const forget = whenOver(ending, () => {
      this.#fail(ending.reason)
      this.destroy()
    })
    this.#waiting = { resolve, reject, forget }
    this.heardAt = this.#client.tick
    const length = Buffer.byteLength(body)
    const start = `${head}content-length: ${length}\r\n\r\n`
    // Of ASCII alone, head and body are one text and one write.
    if (length === body.length) return void this.#socket.write(start + body, 'latin1')
    this.#socket.cork()
    this.#socket.write(start, 'latin1')
    this.#socket.write(body)
    this.#socket.uncork()
  }

  destroy(error?: Error): void {
    this.#client.drop(this)
    this.#socket.destroy(error)
  }

  #read(bytes: number): boolean {
    this.heardAt = this.#client.tick
    // A service that speaks without being asked, or says more than one response, is not used again.
    if (!this.#waiting) this.destroy()
    else
      try {
        const response = this.#reader.take(READ.subarray(0, bytes))
        if (response) this.#give(response)
      } catch (error) {
        this.#fail(error)
        this.destroy()
      }
    return true
  }

  #give(response: NonNullable<ReturnType<ResponseReader['take']>>): void {
    const { resolve, forget } = this.#waiting!
    this.#waiting = undefined
    this.#reader = new ResponseReader(this.#client.heads)
    this.idleTicks = response.idleSeconds
    forget()
    if (response.idleSeconds > 0 && this.#socket.writableLength === 0) this.#client.release(this)
    else this.destroy()
    resolve(response)
  }

  #end(): void {
    const response = this.#waiting && this.#reader.end()
    if (response) this.#give(response)
    else this.#fail(new ExchangeFailure('The service closed the connection', 'ECONNRESET'))
    this.destroy()
  }

  #fail(error: unknown): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.forget()
    this.#client.drop(this)
    waiting?.reject(error)
  }
}

/** Connections to one service. How many there are is limited by those who send. */
export class PlainClient {
  /** Number of the look at all connections that comes next: a clock that is read for nothing. */
  tick = 0
  readonly heads = new Heads()
  readonly #url: URL
  readonly #options: PlainClientOptions
  readonly #all = new Set<Connection>()
  /** Connections without a request; the one that was used last is used next. */
  readonly #idle: Connection[] = []
  #timer: NodeJS.Timeout | undefined
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
  send({ method, path, headers, body }: PlainRequest, ending: Ending): Promise<WholeResponse> {
    return new Promise((resolve, reject) => {
      if (ending.aborted) return reject(ending.reason)
      if (this.#closing) return reject(new ExchangeFailure('The connections are closed', 'EPIPE', 'connect'))
      const head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\nconnection: keep-alive\r\n${headLines(headers)}`
      const connection = this.#idle.pop() ?? this.#open()
      connection.send(head, body, ending, { resolve, reject })
    })
  }

  /** Takes a connection back that has its response. */
  release(connection: Connection): void {
    if (this.#closing) connection.destroy()
    else this.#idle.push(connection)
  }

  /** Forgets a connection. */
  drop(connection: Connection): void {
    if (!this.#all.delete(connection)) return
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    if (this.#all.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#closing?.resolve()
  }

  /** Waits for requests under way, and closes the connections. */
  async close(): Promise<void> {
    this.#closing ??= Promise.withResolvers<void>()
    for (const one of [...this.#idle]) one.destroy()
    if (this.#all.size > 0) await this.#closing.promise
  }

  #open(): Connection {
    const connection = new Connection(this, this.#url, this.#options.connectTimeoutMs)
    this.#all.add(connection)
    this.#timer ??= setInterval(() => this.#look(), TICK_MS).unref()
    return connection
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
