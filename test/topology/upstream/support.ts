/** What the tests of the gateway's way to other processes share: instances that answer as told, a context, a clock. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FormattedExecutionResult } from 'graphql'
import type { Principal } from '#core/access/principal.ts'
import { DEFAULT_QUOTAS } from '#core/access/quotas.ts'
import { createLog } from '#core/observability/log.ts'
import { createContext } from '#gateway/operation/context.ts'
import type { SubgraphSource } from '#gateway/transport/transport.ts'
import { createUpstreams, type Upstreams } from '#topology/upstream/upstreams.ts'

export const log = createLog('silent')

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export type Answer = (response: ServerResponse, asked: Asked) => void

export interface TestInstance extends AsyncDisposable {
  readonly origin: string
  readonly asked: Asked[]
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

const read = async (request: IncomingMessage): Promise<Asked> => ({
  method: request.method!,
  url: request.url!,
  headers: request.headers,
  rawHeaders: request.rawHeaders,
  body: await buffer(request),
})

/** Starts an instance on a free port; use with `await using`. */
export async function startInstance(answer: Answer = json({ data: { ok: true } })): Promise<TestInstance> {
  const asked: Asked[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    // What is asked of a connection that the test ends is of no interest.
    const one = await read(request).catch(() => undefined)
    if (!one) return
    asked.push(one)
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
    asked,
    answer,
    count: wanted =>
      new Promise(done => {
        const look = () => {
          if (asked.length < wanted) return
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

/** Upstreams over these instances of `loyalty`, or of others by name. */
export const upstreamsOver = (
  instances: readonly TestInstance[] | Record<string, readonly TestInstance[]>,
  options: { timeoutMs?: number; now?: () => number } = {},
): Upstreams & AsyncDisposable => {
  const byName: Record<string, readonly TestInstance[]> =
    Symbol.iterator in instances ? { loyalty: [...instances] } : instances
  const urls = new Map(Object.entries(byName).map(([name, some]) => [name, some.map(({ origin }) => origin)]))
  const upstreams = createUpstreams({ urls, log, timeoutMs: 10_000, ...options })
  return { ...upstreams, [Symbol.asyncDispose]: () => upstreams.close() }
}

export const principalOf = (
  clientId: string,
  role: Principal['role'] = 'portal',
  phoneNumber?: string,
): Principal => ({
  clientId,
  name: clientId,
  role,
  phoneNumber,
  limits: { currencies: [], dummyCards: false },
  quotas: DEFAULT_QUOTAS,
  expiresAt: new Date(Date.now() + 60_000),
})

export interface Asking {
  readonly principal?: Principal
  readonly timeoutMs?: number
  readonly trace?: Record<string, string>
}

/** The context of an operation; its clock is stopped by whoever asks through `process`. */
export const contextOf = ({ principal = principalOf('demo'), timeoutMs = 10_000, trace }: Asking = {}) =>
  createContext({
    principal,
    timeoutMs,
    trace,
    authorization: `Bearer of ${principal.clientId}`,
    correlator: `c-${principal.clientId}`,
  })

export interface Call extends Asking {
  readonly query?: string
  readonly variables?: Record<string, unknown>
  /** The kind of the client's operation, of which this is one fetch. */
  readonly within?: 'query' | 'mutation'
}

/** Asks a source as the executor does. */
export async function ask(source: SubgraphSource, call: Call = {}): Promise<FormattedExecutionResult> {
  const { query = '{ok}', variables = {}, within = 'query' } = call
  const context = contextOf(call)
  const options = {
    request: { query, variables },
    context,
    incomingRequestContext: { operation: { operation: within } },
  }
  try {
    return await source.process(options)
  } finally {
    context.done()
  }
}

/** The codes of a result's errors. */
export const codesOf = ({ errors }: FormattedExecutionResult) =>
  errors?.map(({ extensions }) => extensions?.['code'])
