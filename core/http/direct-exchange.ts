/** Request and reply of the direct way: small objects over those of Node.js, which behave as Fastify's do. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { TrustProxy } from '../config/addresses.ts'
import { limitWriteTime } from './bodies.ts'
import { type HttpReply, type HttpRequest, remoteAddress } from './exchange.ts'
import { createRequestLog } from './observe.ts'
import { requestCorrelator } from './pre-auth.ts'
import { compress, cut } from './responses.ts'

/** Surroundings of all requests to a route. */
export interface Surroundings extends Pick<HttpRequest, 'server' | 'routeOptions'> {
  readonly log: FastifyBaseLogger
  readonly trustProxy: TrustProxy
  /** Waits until the responses of this turn are written. */
  endOfTurn(): Promise<void>
}

/** Parameters of a request's path, and its query. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
}

export const NOTHING_ASKED: Asked = Object.freeze({ params: Object.freeze({}), query: Object.freeze({}) })

/** The last value counts where each proxy has added one. */
const lastOf = (value: string): string => value.slice(value.lastIndexOf(',') + 1).trim()

export class DirectRequest implements HttpRequest {
  readonly raw: IncomingMessage
  readonly id: string
  body: unknown = undefined
  readonly cameAt: number
  facts: HttpRequest['facts']
  held: HttpRequest['held']
  principal: HttpRequest['principal']
  stored: HttpRequest['stored']
  readonly #surroundings: Surroundings
  readonly #asked: Asked

  constructor(raw: IncomingMessage, cameAt: number, surroundings: Surroundings, asked: Asked) {
    this.raw = raw
    this.cameAt = cameAt
    this.#asked = asked
    this.id = requestCorrelator(raw)
    this.#surroundings = surroundings
  }

  get headers(): HttpRequest['headers'] {
    return this.raw.headers
  }

  get method(): string {
    return this.raw.method!
  }

  get url(): string {
    return this.raw.url!
  }

  get query(): unknown {
    return this.#asked.query
  }

  get params(): unknown {
    return this.#asked.params
  }

  get server(): FastifyInstance {
    return this.#surroundings.server
  }

  get routeOptions(): HttpRequest['routeOptions'] {
    return this.#surroundings.routeOptions
  }

  get log(): FastifyBaseLogger {
    return createRequestLog(this.#surroundings.log, { correlator: this.id }, {})
  }

  get ip(): string {
    return remoteAddress(this.raw, this.#surroundings.trustProxy)
  }

  get protocol(): 'http' | 'https' {
    const own = (this.raw.socket as Partial<TLSSocket>).encrypted ? 'https' : 'http'
    return (this.#forwarded('x-forwarded-proto') ?? own) as 'http' | 'https'
  }

  get hostname(): string {
    const host = this.#forwarded('x-forwarded-host') ?? this.raw.headers.host ?? ''
    return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.split(':', 1)[0]!
  }

  /** A header by which a proxy tells of its client; undefined from anybody who is not trusted. */
  #forwarded(name: string): string | undefined {
    const value = this.raw.headers[name]
    const { trustProxy } = this.#surroundings
    if (!value || trustProxy === false || !trustProxy(this.raw.socket.remoteAddress!, 0)) return undefined
    return lastOf(String(value))
  }
}

type HeaderValue = ReturnType<HttpReply['getHeader']>

export class DirectReply implements HttpReply {
  readonly raw: ServerResponse
  readonly request: DirectRequest
  /** Whether a response was given: it may still wait for the end of its turn. */
  isSent = false
  readonly #surroundings: Surroundings
  #headers: Record<string, HeaderValue> = {}

  constructor(raw: ServerResponse, request: DirectRequest, surroundings: Surroundings) {
    this.raw = raw
    this.request = request
    this.#surroundings = surroundings
  }

  get statusCode(): number {
    return this.raw.statusCode
  }

  get elapsedTime(): number {
    return performance.now() - this.request.cameAt
  }

  code(status: number): this {
    this.raw.statusCode = status
    return this
  }

  type(type: string): this {
    return this.header('content-type', type)
  }

  header(name: string, value: unknown): this {
    this.#headers[name.toLowerCase()] = (value ?? '') as HeaderValue
    return this
  }

  headers(values: Readonly<Record<string, unknown>>): this {
    for (const name of Object.keys(values)) this.header(name, values[name])
    return this
  }

  getHeader(name: string): HeaderValue {
    return this.#headers[name.toLowerCase()]
  }

  hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined
  }

  /** Makes the headers anew: V8 keeps an object that has lost a member as a hash table, which is slow to be written. */
  removeHeader(name: string): this {
    const removed = name.toLowerCase()
    if (!Object.hasOwn(this.#headers, removed)) return this
    const { [removed]: _, ...others } = this.#headers
    this.#headers = others
    return this
  }

  send(payload = ''): this {
    this.isSent = true
    compress(this.request, this, payload, (error, encoded) => {
      // No client takes a part for the whole.
      if (error) return cut(this.raw)
      limitWriteTime(this, encoded)
      this.#surroundings.endOfTurn().then(() => this.#write(encoded as string | Buffer | null))
    })
    return this
  }

  /** Writes the response; a 304 has neither a body nor its length. */
  #write(payload: string | Buffer | null): void {
    if (payload === null) {
      this.raw.writeHead(this.raw.statusCode, this.#headers)
      this.raw.end()
      return
    }
    const length = Buffer.byteLength(payload)
    if (Number(this.#headers['content-length']) !== length) this.#headers['content-length'] = String(length)
    this.raw.writeHead(this.raw.statusCode, this.#headers)
    this.raw.end(payload)
  }
}
