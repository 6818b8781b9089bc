/** A connection of HTTP/1.1 that sends requests made beforehand, one at a time, and reads of their answers the least. */
import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly hasRetryAfter: boolean
}

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = '0\r\n\r\n'

/** How an answer's body ends; undefined until its head is there. */
interface Head extends Answer {
  /** Bytes of the whole answer; absent where it comes in chunks. */
  readonly length?: number
  readonly closes: boolean
}

const readHead = (text: string): Head | undefined => {
  const end = text.indexOf(HEAD_END)
  if (end < 0) return undefined
  const head = text.slice(0, end).toLowerCase()
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
  return {
    status: Number(head.slice(9, 12)),
    hasRetryAfter: /\r\nretry-after: \d+/.test(head),
    closes: head.includes('\r\nconnection: close'),
    ...(length !== undefined && { length: end + HEAD_END.length + Number(length) }),
  }
}

export class Connection {
  readonly #port: number
  #socket: Socket | undefined
  /** Of the answer that is coming: its beginning, its length so far, and its end. */
  #begun = ''
  #bytes = 0
  #tail = ''
  #head: Head | undefined
  #waiting: PromiseWithResolvers<Answer | undefined> | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** Resolves with the answer; undefined where the connection ended before it was whole. */
  send(text: string): Promise<Answer | undefined> {
    const waiting = Promise.withResolvers<Answer | undefined>()
    this.#waiting = waiting
    this.#begun = ''
    this.#bytes = 0
    this.#tail = ''
    this.#head = undefined
    this.#socket ??= this.#open()
    this.#socket.write(text, 'latin1')
    return waiting.promise
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    socket.setEncoding('latin1')
    socket.on('data', chunk => this.#read(String(chunk)))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined
      this.#end(undefined)
    })
    return socket
  }

  #read(chunk: string): void {
    this.#bytes += chunk.length
    this.#tail = (this.#tail + chunk).slice(-LAST_CHUNK.length)
    if (!this.#head) {
      this.#begun += chunk
      this.#head = readHead(this.#begun)
    }
    const head = this.#head
    if (!head) return
    const isWhole = head.length === undefined ? this.#tail === LAST_CHUNK : this.#bytes >= head.length
    if (!isWhole) return
    if (head.closes) {
      this.#socket?.destroy()
      this.#socket = undefined
    }
    this.#end(head)
  }

  #end(answer: Answer | undefined): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve(answer)
  }
}
