/** HTTP servers in the place of subgraphs: each answers as a test says, and keeps the requests that came. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface InstanceRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export type Answer = (response: ServerResponse, request: InstanceRequest) => void

export interface TestInstance extends AsyncDisposable {
  readonly origin: string
  readonly requests: InstanceRequest[]
  /** How it answers from now on. */
  answer: Answer
  /** Resolves when so many requests have come. */
  count(wanted: number): Promise<void>
  /** Ends all connections and takes no more, as a killed process does. */
  kill(): Promise<void>
  /** Listens again where it did. */
  revive(): Promise<void>
}

/** Answers with JSON. */
export const json =
  (value: unknown, status = 200): Answer =>
  response =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** Ends the connection without a response. */
export const broken: Answer = response => void response.socket!.destroy()

/** Never answers. */
export const silent: Answer = () => undefined

const read = async (request: IncomingMessage): Promise<InstanceRequest> => ({
  method: request.method!,
  url: request.url!,
  headers: request.headers,
  rawHeaders: request.rawHeaders,
  body: await buffer(request),
})

/** Starts an instance on a free port; use with `await using`. */
export async function startInstance(answer: Answer = json({ data: { ok: true } })): Promise<TestInstance> {
  const requests: InstanceRequest[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    // A request on a connection that the test ends is of no interest.
    const one = await read(request).catch(() => undefined)
    if (!one) return
    requests.push(one)
    instance.answer(response, one)
    for (const look of waiting) look()
  })
  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening')
  await listen(0)
  const { port } = server.address() as AddressInfo
  const kill = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const instance: TestInstance = {
    origin: `http://127.0.0.1:${port}`,
    requests,
    answer,
    count: wanted =>
      new Promise(done => {
        const look = () => {
          if (requests.length < wanted) return
          waiting.delete(look)
          done()
        }
        waiting.add(look)
        look()
      }),
    kill,
    revive: async () => void (await listen(port)),
    [Symbol.asyncDispose]: kill,
  }
  return instance
}
