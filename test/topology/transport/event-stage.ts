/** A gateway before payments in another server, which a test closes and opens; payments are posted beside it. */
import type { FastifyInstance } from 'fastify'
import { readConfig } from '#core/config/config.ts'
import type { App } from '#core/context/app.ts'
import { payment } from '#test/core/webhooks/support.ts'
import { createRest } from '#test/support/rest.ts'
import { openTestApp, type TestApp, type TestAppOptions } from '#test/support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '#test/support/subgraph.ts'
import type { Incoming, Result } from '#test/support/subscribe.ts'
import { createGatewayServer, type GatewayServerOptions } from '#topology/gateway-server.ts'

const NAME = 'postpaid-billing'

export interface Billing extends AsyncDisposable {
  readonly address: string
  /** How many WebSocket connections have ever been begun at it. */
  connections(): number
  /** Ends what is open and takes no more. */
  close(): Promise<void>
  /** Listens where it did. */
  open(): Promise<void>
}

/** Serves payments, on the same port each time. */
export async function startBilling(app: App): Promise<Billing> {
  let connections = 0
  let running: LoneSubgraph | undefined
  const open = async (port: number) => {
    running = await serveSubgraph(app, NAME, port)
    running.server.http.server.on('upgrade', () => (connections += 1))
    return running.address
  }
  const address = await open(0)
  const close = async () => {
    await running?.[Symbol.asyncDispose]()
    running = undefined
  }
  return {
    address,
    connections: () => connections,
    close,
    open: async () => void (await open(Number(new URL(address).port))),
    [Symbol.asyncDispose]: close,
  }
}

export interface EventStage extends AsyncDisposable, Pick<TestApp, 'app' | 'token'> {
  /** The service behind the gateway. */
  readonly billing: Billing
  /** The gateway's. */
  readonly address: string
  /** Posts payments at a server that the gateway does not know and that is never closed, and settles them. */
  pay(token: string, count?: number): Promise<string[]>
  /** Begins another gateway over these addresses, stopped at the end. */
  gateway(options: { urls?: string; env?: Record<string, string> } & GatewayServerOptions): Promise<string>
  /** How many upstream subscriptions there are: nobody but gateways listens. */
  upstream(): number
}

const serve = (http: FastifyInstance) => http.listen({ port: 0, host: '127.0.0.1' })

const configured = (app: App, urls: string, env: Record<string, string> = {}): App => {
  const { subgraphUrls, supergraph, subscriptionBuffer, readOnly } = readConfig({
    SUBGRAPH_URLS: urls,
    ...env,
  })
  return { ...app, config: { ...app.config, subgraphUrls, supergraph, subscriptionBuffer, readOnly } }
}

/** Starts it all; use with `await using`. */
export async function openEventStage(
  options: TestAppOptions & GatewayServerOptions = {},
): Promise<EventStage> {
  const opened = await openTestApp(options)
  const { app, token } = opened
  const billing = await startBilling(app)
  const beside = await serveSubgraph(app, NAME)
  const gateways: { stop(): Promise<void> }[] = []
  const gateway: EventStage['gateway'] = async ({ urls = `${NAME}=${billing.address}`, env, ...more }) => {
    const server = await createGatewayServer(configured(app, urls, env), more)
    gateways.push(server)
    return serve(server.http)
  }
  const post = async (as: string): Promise<string> => {
    const call = { token: as, body: payment('100001') }
    return (await createRest(beside.address)('POST', '/postpaid-billing/v1/payments', call)).body.paymentId
  }
  return {
    app,
    token,
    billing,
    gateway,
    address: await gateway({ env: options.env, maxOutageMs: options.maxOutageMs }),
    upstream: () => app.feed.subscribers,
    async pay(as, count = 1) {
      const ids: string[] = []
      while (ids.length < count) ids.push(await post(as))
      await beside.server.service.settled()
      return ids
    },
    async [Symbol.asyncDispose]() {
      for (const { stop } of gateways) await stop()
      await billing.close()
      await beside[Symbol.asyncDispose]()
      await opened[Symbol.asyncDispose]()
    },
  }
}

export const EVENTS = `subscription ($after: String) {
  paymentEvents(after: $after) { cursor payment { paymentId outcome } } }`

export const idsOf = (results: Result[]): string[] =>
  results.map(({ data }) => data.paymentEvents.payment.paymentId)

/** The error with which a subscription ended. */
export const errorOf = async ({ ended }: Incoming) => {
  const reason = await ended
  if (!Array.isArray(reason)) throw new Error(`not told why: ${JSON.stringify(reason)}`)
  const [error] = reason as {
    message: string
    path?: unknown
    extensions: { code: string; cursor?: string }
  }[]
  return error!
}
