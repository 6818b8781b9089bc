/** Server that answers each request with bytes as they are given, for what no library would send. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export interface RawServer extends AsyncDisposable {
  readonly origin: string
  /** Requests as they came, head and body. */
  readonly requests: string[]
  /** Connections that were made. */
  readonly connections: Socket[]
}

/** Answers the request that came at `index` over all connections. */
export type RawAnswer = (socket: Socket, index: number) => void

const lengthIn = (head: string) => Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)

/** Length of the request that begins a text; undefined where it has not come as a whole. */
const wholeIn = (bytes: string): number | undefined => {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const length = end + 4 + lengthIn(bytes.slice(0, end))
  return bytes.length < length ? undefined : length
}

export async function startRawServer(answer: RawAnswer): Promise<RawServer> {
  const requests: string[] = []
  const connections: Socket[] = []
  const server = createServer(socket => {
    connections.push(socket)
    socket.on('error', () => undefined)
    let bytes = ''
    socket.setEncoding('latin1').on('data', chunk => {
      bytes += chunk
      for (let length = wholeIn(bytes); length !== undefined; length = wholeIn(bytes)) {
        requests.push(Buffer.from(bytes.slice(0, length), 'latin1').toString())
        bytes = bytes.slice(length)
        answer(socket, requests.length - 1)
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    connections,
    async [Symbol.asyncDispose]() {
      for (const socket of connections) socket.destroy()
      server.close()
    },
  }
}
