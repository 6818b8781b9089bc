/** A wire between two processes: a TCP proxy that is cut, delayed, or half open as a firewall leaves connections that it forgot. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** How it passes bytes on; a half-open one takes them and passes nothing on, and tells neither end. */
type State = 'open' | 'cut' | 'half-open'

interface Chunk {
  readonly bytes: Buffer
  readonly at: number
}

/** Passes one direction on, in order, each chunk after the delay that held when it came. */
class Direction {
  readonly #queue: Chunk[] = []
  #timer: NodeJS.Timeout | undefined
  #ended = false
  readonly #to: Socket

  constructor(from: Socket, to: Socket, delayMs: () => number, isOpen: () => boolean) {
    this.#to = to
    from.on('data', bytes => {
      if (!isOpen()) return
      this.#queue.push({ bytes, at: performance.now() + delayMs() })
      this.#next()
    })
    from.on('end', () => {
      this.#ended = true
      this.#next()
    })
  }

  #next(): void {
    if (this.#timer) return
    const [first] = this.#queue
    if (!first) {
      if (this.#ended) this.#to.end()
      return
    }
    const wait = first.at - performance.now()
    if (wait <= 0) {
      this.#send()
      return
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#send()
    }, wait)
  }

  #send(): void {
    const chunk = this.#queue.shift()
    if (chunk && !this.#to.destroyed) this.#to.write(chunk.bytes)
    this.#next()
  }
}

export class Wire implements AsyncDisposable {
  readonly name: string
  readonly port: number
  #target: number
  #state: State = 'open'
  #delayMs = 0
  readonly #sockets = new Set<Socket>()
  /** Connections that were forgotten: what comes of them is lost, until either end gives them up. */
  readonly #forgotten = new Set<Socket>()
  readonly #close: () => void

  private constructor(name: string, server: ReturnType<typeof createServer>, target: number) {
    this.name = name
    this.#target = target
    this.port = (server.address() as AddressInfo).port
    this.#close = () => server.close()
    server.on('connection', client => this.#join(client))
  }

  /** Listens on a free port of loopback, and passes on to another. */
  static async open(name: string, target: number): Promise<Wire> {
    const server = createServer()
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    return new Wire(name, server, target)
  }

  /** Leads new connections elsewhere. */
  set target(port: number) {
    this.#target = port
  }

  #join(client: Socket): void {
    if (this.#state === 'cut') return void client.destroy()
    const server = connect(this.#target, '127.0.0.1')
    const isOpen = () => !this.#forgotten.has(client)
    new Direction(client, server, () => this.#delayMs, isOpen)
    new Direction(server, client, () => this.#delayMs, isOpen)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one)
      one.setNoDelay()
      one.on('error', () => undefined)
      one.on('close', () => {
        this.#sockets.delete(one)
        if (isOpen()) other.destroy()
      })
    }
    if (this.#state === 'half-open') this.#forgotten.add(client)
  }

  /** Ends every connection and takes no new one. */
  cut(): void {
    this.#state = 'cut'
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Ends every connection, and takes new ones. */
  reset(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Forgets the connections that there are, and those that come until it is restored. */
  forget(): void {
    this.#state = 'half-open'
    for (const socket of this.#sockets) this.#forgotten.add(socket)
  }

  /** Holds each chunk back for so long, in milliseconds. */
  delay(ms: number): void {
    this.#delayMs = ms
  }

  /** Passes on what comes over new connections; those that were forgotten stay so. */
  restore(): void {
    this.#state = 'open'
    this.#delayMs = 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#close()
  }
}
