/** HTTP as bytes, for what no well-behaved client sends. */
import { connect, type Socket } from 'node:net'

export interface RawConnection {
  readonly socket: Socket
  /** All that has come so far. */
  received(): string
  /** Resolves with all that has come as soon as it is `enough`, or the server has closed. */
  until(enough: (text: string) => boolean): Promise<string>
  /** Resolves with all that has come when the server has closed. */
  closed(): Promise<string>
}

/** Connects to `http://host:port` and sends these bytes. */
export function sendRaw(address: string, bytes: string | Uint8Array): RawConnection {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  // A server that ends a connection in the middle of what is sent resets it.
  socket.on('error', () => undefined)
  socket.write(bytes)
  const until = (enough: (text: string) => boolean) =>
    new Promise<string>(done => {
      const look = () => enough(text) && done(text)
      socket.on('data', look).once('close', () => done(text))
      if (socket.destroyed) done(text)
      look()
    })
  return { socket, received: () => text, until, closed: () => until(() => false) }
}

/** A request's bytes, without a body unless one is given; `content-length` is as in `headers` or absent. */
export const requestText = (
  line: string,
  headers: Readonly<Record<string, string | number>> = {},
  body = '',
): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line} HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n${body}`
}

export interface ReadResponse {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
  readonly body: any
}

/** The first response among these bytes. */
export function readResponse(text: string): ReadResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = new Headers(fields.map(field => field.split(/: ?(.*)/s).slice(0, 2) as [string, string]))
  const body = rest.join('\r\n\r\n').slice(0, Number(headers.get('content-length') ?? 0))
  return { status: Number(line.split(' ')[1]), headers, body: body ? JSON.parse(body) : undefined }
}

/** Sends bytes that are one request and reads its response. */
export async function exchange(address: string, bytes: string | Uint8Array): Promise<ReadResponse> {
  const connection = sendRaw(address, bytes)
  const isWhole = (text: string) => {
    const [head, body] = text.split('\r\n\r\n')
    const length = /content-length: (\d+)/i.exec(head ?? '')?.[1]
    return body !== undefined && length !== undefined && body.length >= Number(length)
  }
  const text = await connection.until(isWhole)
  connection.socket.destroy()
  return readResponse(text)
}
