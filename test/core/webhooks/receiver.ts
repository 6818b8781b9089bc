/** A webhook receiver on a free port, which responds as a test sets and keeps what came. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  // biome-ignore lint/suspicious/noExplicitAny: what a partner reads from JSON
  readonly body: any
  readonly at: number
}

export type Answer = (response: ServerResponse, received: Received) => void

export interface Receiver extends AsyncDisposable {
  /** The address to post as `notificationUrl`. */
  readonly url: string
  readonly received: Received[]
  /** How it answers from now on; at first with 204. */
  answer: Answer
  /** Resolves when so many have come. */
  count(wanted: number): Promise<void>
}

export const status =
  (code: number, body = '', headers: Record<string, string> = {}): Answer =>
  response =>
    response.writeHead(code, headers).end(body)

const read = async (request: IncomingMessage): Promise<Received> => {
  const raw = await text(request)
  const { method, url, headers } = request
  return { method: method!, path: url!, headers, raw, body: JSON.parse(raw), at: Date.now() }
}

/** Starts a receiver; use with `await using`. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    const one = await read(request)
    received.push(one)
    receiver.answer(response, one)
    for (const look of waiting) look()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answer: status(204),
    count: wanted =>
      new Promise(done => {
        const look = () => {
          if (received.length < wanted) return
          waiting.delete(look)
          done()
        }
        waiting.add(look)
        look()
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}
