/** Requests that are sent over both ways of the graph, as bytes, and what a client and an operator see of each. */
import { connect, type Socket } from 'node:net'

/** Request, or several that are sent together. */
export interface WaysCase {
  readonly name: string
  /** Pieces that are sent one after another, each when the server has taken the one before. */
  readonly pieces: readonly (string | Buffer)[]
  /** Number of responses. */
  readonly responses: number
  /** Whether it has a connection of its own, which it may leave in any state. */
  readonly isApart?: boolean
}

export interface CaseParts {
  readonly line?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** Bytes of a request with a body of declared length. */
export const requestBytes = ({ line = 'POST /graphql HTTP/1.1', headers, body = '' }: CaseParts): Buffer => {
  const all = {
    host: 'x',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }
  const fields = Object.entries(all).flatMap(([name, value]) => (value ? [`${name}: ${value}\r\n`] : []))
  return Buffer.concat([Buffer.from(`${line}\r\n${fields.join('')}\r\n`), Buffer.from(body)])
}

const HEAD_END = '\r\n\r\n'

/** Size of the first whole response; undefined where it has not come. */
const firstSize = (bytes: Buffer): number | undefined => {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return undefined
  const head = bytes.subarray(0, end).toString('latin1')
  const body = end + HEAD_END.length
  if (/^HTTP\/1.1 (100|204|304)/.test(head)) return body
  const length = /^content-length: (\d+)$/im.exec(head)?.[1]
  if (length !== undefined) return bytes.length >= body + Number(length) ? body + Number(length) : undefined
  const chunked = bytes.indexOf('0\r\n\r\n', body)
  return chunked < 0 ? undefined : chunked + 5
}

/** Connection that is kept as long as the server keeps it. */
export class WaysConnection {
  readonly #port: number
  #socket: Socket | undefined

  constructor(port: number) {
    this.#port = port
  }

  async #open(): Promise<Socket> {
    if (this.#socket && !this.#socket.destroyed && this.#socket.readable) return this.#socket
    const socket = connect(this.#port, '127.0.0.1')
      .setNoDelay()
      .on('error', () => undefined)
    this.#socket = socket
    return new Promise(done => socket.once('connect', () => done(socket)))
  }

  /** Sends a case. @returns its responses, as they came, and whether the server closed. */
  async send({ pieces, responses }: WaysCase): Promise<{ texts: Buffer[]; isClosed: boolean }> {
    const socket = await this.#open()
    let bytes = Buffer.alloc(0)
    const texts: Buffer[] = []
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      for (let size = firstSize(bytes); size !== undefined; size = firstSize(bytes)) {
        texts.push(bytes.subarray(0, size))
        bytes = bytes.subarray(size)
      }
      const announced = texts.some(text => /^connection: close$/im.test(text.toString('latin1')))
      if (texts.length >= responses && !announced) resolve(false)
    }
    const end = () => resolve(true)
    socket.on('data', take).once('close', end)
    for (const piece of pieces) await new Promise<void>(done => socket.write(piece, () => setImmediate(done)))
    const isClosed = await promise
    socket.off('data', take).off('close', end)
    return { texts, isClosed }
  }

  close(): void {
    this.#socket?.destroy()
  }
}
