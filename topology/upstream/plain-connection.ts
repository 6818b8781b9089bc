/**
 * Connection of HTTP/1.1 to a service, and the requests that have it: one, or several reads that were written together, whose
 * responses come in the same sequence (RFC 9112 §9.3.2).
 */
import { connect, type Socket } from 'node:net'
import { type Ending, whenOver } from '#core/async/deadline.ts'
import type { WholeResponse } from './exchange.ts'
import { type Heads, type ReadResponse, ResponseReader } from './response-reader.ts'

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

/** Outcome of an exchange, as a promise has it. */
interface Outcome {
  resolve(response: WholeResponse): void
  reject(error: unknown): void
}

/** A request, until it has its response or nobody waits for it any longer. */
export class PlainExchange {
  /** Head without the length of the body and the empty line. */
  readonly head: string
  readonly body: string
  isOver = false
  /** Connection that it was written to last. */
  connection: PlainConnection | undefined
  readonly #outcome: Outcome
  /** Stops waiting for the end. */
  readonly #forget: () => void

  constructor(head: string, body: string, ending: Ending, outcome: Outcome) {
    this.head = head
    this.body = body
    this.#outcome = outcome
    this.#forget = whenOver(ending, () => {
      this.fail(ending.reason)
      this.connection?.endUnlessNeeded()
    })
  }

  give(response: WholeResponse): void {
    if (this.#end()) this.#outcome.resolve(response)
  }

  fail(error: unknown): void {
    if (this.#end()) this.#outcome.reject(error)
  }

  /** @returns whether it was not over before. */
  #end(): boolean {
    if (this.isOver) return false
    this.isOver = true
    this.#forget()
    return true
  }
}

/** Owner of connections. */
export interface ConnectionOwner {
  /** Number of the look at all connections that comes next: a clock that is read for nothing. */
  readonly tick: number
  readonly heads: Heads
  /** Takes a connection back whose requests all have their responses. */
  release(connection: PlainConnection): void
  /** Forgets a connection. */
  drop(connection: PlainConnection): void
  /** Sends reads again that stood behind another and get no response here. */
  sendAgain(exchanges: readonly PlainExchange[]): void
}

interface Place {
  readonly url: URL
  /** Longest time for the connection, in milliseconds. */
  readonly connectTimeoutMs: number
}

/**
 * Header by which a client asks whether a connection takes several requests at once. A service of this project responds with the
 * port that it sees at the client's end (`core/http/server.ts`). Where that is our own, nothing stands between that might
 * confuse the responses, or serve one request after another.
 */
const PIPELINING = 'x-pipelining'
/** Lines of the head; a proxy takes the header out, since it is for this connection alone (RFC 9110 §7.6.1). */
const QUESTION = `connection: ${PIPELINING}\r\n${PIPELINING}: ask\r\n`

/** Memory into which every connection reads: a response is taken from it before the next read. */
const READ = Buffer.allocUnsafeSlow(64 * 1024)

/** Makes the bytes of a request, a character of the text each. */
const written = ({ head, body }: PlainExchange, question: string): string => {
  const length = Buffer.byteLength(body)
  const bytes = length === body.length ? body : Buffer.from(body).toString('latin1')
  return `${head}${question}content-length: ${length}\r\n\r\n${bytes}`
}

export class PlainConnection {
  /** Whether it takes several requests at once; undefined until the service has said so. */
  takesSeveral: boolean | undefined
  /** Tick of its last sign of life. */
  heardAt: number
  /** Ticks for which it may be idle. */
  idleTicks = 0
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  #reader: ResponseReader
  /** Requests whose responses are still to come, in their sequence; undefined where nobody gets the response. */
  #waiting: (PlainExchange | undefined)[] = []

  constructor(owner: ConnectionOwner, { url, connectTimeoutMs }: Place) {
    this.#owner = owner
    this.heardAt = owner.tick
    this.#reader = new ResponseReader(owner.heads)
    const onread = { buffer: READ, callback: (bytes: number) => this.#read(bytes) }
    // An address of IPv6 stands in brackets in a URL alone.
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, port: Number(url.port || 80), noDelay: true, onread })
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
    return this.#waiting.length > 0
  }

  /** Sends requests: several only where the connection takes them. */
  send(exchanges: readonly PlainExchange[]): void {
    this.heardAt = this.#owner.tick
    const question = this.takesSeveral === undefined ? QUESTION : ''
    let text = ''
    for (const exchange of exchanges) {
      exchange.connection = this
      this.#waiting.push(exchange)
      text += written(exchange, question)
    }
    this.#socket.write(text, 'latin1')
  }

  /** Takes the requests away that stand behind the first. Their responses may still come, and nobody gets them. */
  takeOthers(): PlainExchange[] {
    const others = this.#waiting.slice(1).filter(other => other?.isOver === false) as PlainExchange[]
    this.#waiting.fill(undefined, 1)
    return others
  }

  /** Ends the connection where nobody waits for a response: the service then stops working on them. */
  endUnlessNeeded(): void {
    if (this.#waiting.every(one => one === undefined || one.isOver)) this.destroy()
  }

  destroy(error?: Error): void {
    this.#owner.drop(this)
    this.#socket.destroy(error)
  }

  #read(bytes: number): boolean {
    this.heardAt = this.#owner.tick
    let left = bytes
    try {
      while (left > 0 && this.isBusy) {
        const response = this.#reader.take(READ.subarray(bytes - left, bytes))
        if (!response) return true
        left = response.after
        this.#give(response)
      }
    } catch (error) {
      this.#fail(error)
    }
    // A service that speaks without being asked, or says more than it was asked, is not used again.
    if (left > 0) this.destroy()
    return true
  }

  #give(response: ReadResponse): void {
    const exchange = this.#waiting.shift()
    this.#reader = new ResponseReader(this.#owner.heads)
    this.idleTicks = response.idleSeconds
    this.takesSeveral ??= response.headers[PIPELINING] === String(this.#socket.localPort)
    if (response.idleSeconds === 0) this.#close()
    else if (this.isBusy) this.endUnlessNeeded()
    // A response before the end of its request may be to something else.
    else if (this.#socket.writableLength > 0) this.destroy()
    else if (response.after === 0) this.#owner.release(this)
    exchange?.give(response)
  }

  /** Ends a connection on which no further response comes. */
  #close(): void {
    const [first] = this.#waiting
    const others = this.takeOthers()
    this.#waiting = []
    this.#owner.sendAgain(first?.isOver === false ? [first, ...others] : others)
    this.destroy()
  }

  #end(): void {
    const response = this.isBusy && this.#reader.end()
    if (response) this.#give(response)
    else this.#fail(new ExchangeFailure('The service closed the connection', 'ECONNRESET'))
  }

  /** Ends a broken connection. The failure is that of the first request: those behind it are sent again. */
  #fail(error: unknown): void {
    const [first] = this.#waiting
    const others = this.takeOthers()
    this.#waiting = []
    this.#owner.sendAgain(others)
    this.destroy()
    first?.fail(error)
  }
}
