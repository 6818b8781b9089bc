/** Two servers on the same data, one with compiled operations and one without; what each answers, byte by byte. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createClientUsage } from '#core/access/client-usage.ts'
import type { App } from '#core/context/app.ts'
import { createMetrics } from '#core/observability/metrics.ts'
import { OperationStore } from '#engine/gateway/fast-path.ts'
import { engine } from '#engine/main.ts'
import { createAllInOne, type RunningServer } from '#gateway/all-in-one.ts'
import { openTestApp, type TestApp, type TestAppOptions } from '#test/support/stack.ts'

/** A request to the graph. */
export interface WireRequest {
  /** Sent as JSON unless it is text. */
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly path?: string
}

/** Response of a server. */
export interface WireAnswer {
  readonly status: number
  /** In their sequence, with what tells one moment from another masked. */
  readonly headers: readonly string[]
  readonly body: string
}

export interface TwoServers extends AsyncDisposable {
  readonly opened: TestApp
  compiled(request: WireRequest): Promise<WireAnswer>
  byApollo(request: WireRequest): Promise<WireAnswer>
  /** Gives requests so long, in milliseconds, on both. */
  setDeadline(requestTimeoutMs: number): void
}

/** Longer than any request takes on a busy machine. */
export const LONG_MS = 120_000

const MOVING = /^(date|ratelimit.*|retry-after)$/i

const maskedHeaders = ({ rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.flatMap((name, index) => {
    if (index % 2) return []
    return [`${name}: ${MOVING.test(name) ? '…' : rawHeaders[index + 1]}`]
  })

const bodyOf = ({ body }: WireRequest): string | undefined =>
  typeof body === 'string' || body === undefined ? body : JSON.stringify(body)

const headersOf = ({ token, headers }: WireRequest, body: string | undefined) => ({
  ...(token && { authorization: `Bearer ${token}` }),
  ...(body !== undefined && { 'content-type': 'application/json' }),
  'x-correlator': 'the-same-on-both',
  ...headers,
})

const createClient =
  (origin: string, agent: Agent) =>
  async (wireRequest: WireRequest): Promise<WireAnswer> => {
    const body = bodyOf(wireRequest)
    const { method = 'POST', path = '/graphql' } = wireRequest
    const sent = request(`${origin}${path}`, { agent, method, headers: headersOf(wireRequest, body) })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode!, headers: maskedHeaders(response), body: await text(response) }
  }

const listen = ({ http }: Pick<RunningServer, 'http'>): Promise<string> =>
  http.listen({ port: 0, host: '127.0.0.1' })

/** Starts both; what clients use of one does not count on the other. */
export async function startTwoServers(
  options: TestAppOptions = {},
  create: (app: App) => Promise<Pick<RunningServer, 'http' | 'stop'>> = createAllInOne,
): Promise<TwoServers> {
  await using opening = new AsyncDisposableStack()
  const opened = opening.use(await openTestApp(options))
  const { app } = opened
  const metrics = createMetrics({ ...app, database: { ask: async () => undefined } })
  const other = { ...app, usage: createClientUsage(), metrics }
  const configs = [app, app].map(({ config }) => ({ ...config, requestTimeoutMs: LONG_MS }))
  const compiled = await create({ ...app, engine, config: configs[0]! })
  opening.defer(() => compiled.stop())
  const byApollo = await create({ ...other, engine: undefined, config: configs[1]! })
  opening.defer(() => byApollo.stop())
  const agent = new Agent({ keepAlive: true })
  opening.defer(async () => agent.destroy())
  const [first, second] = [await listen(compiled), await listen(byApollo)]
  const all = opening.move()
  return {
    opened,
    compiled: createClient(first, agent),
    byApollo: createClient(second, agent),
    setDeadline: requestTimeoutMs => configs.forEach(config => Object.assign(config, { requestTimeoutMs })),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Counts how many requests began at a compiled operation, until the returned function is called, which says how many. */
export function countHot(): () => number {
  const { byText, byHash } = OperationStore.prototype
  let hot = 0
  const counting = <Find extends typeof byText>(find: Find) =>
    function count(this: OperationStore, key: string) {
      const found = find.call(this, key)
      if (found) hot += 1
      return found
    }
  OperationStore.prototype.byText = counting(byText)
  OperationStore.prototype.byHash = counting(byHash)
  return () => {
    Object.assign(OperationStore.prototype, { byText, byHash })
    return hot
  }
}
