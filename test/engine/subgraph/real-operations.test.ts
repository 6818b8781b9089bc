/**
 * Each fetch that a gateway makes of the project's own operations is executed both ways on the real subgraphs, with the
 * same answer to the letter.
 */
import { Kind, parse, print } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '#core/access/principal.ts'
import { startBackgroundWork } from '#core/background-work.ts'
import type { App } from '#core/context/app.ts'
import { createServer, type Server } from '#core/create-server.ts'
import { createExecutor, type Executor, isRefusal } from '#core/graph/executor.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import { engine } from '#engine/main.ts'
import { registerGraph } from '#gateway/graph.ts'
import { loadServices } from '#gateway/load-services.ts'
import { supergraphSource } from '#gateway/supergraph/source.ts'
import { createLocalEventSource, type Fetch, type SubgraphTransport } from '#gateway/transport/transport.ts'
import { createGraph, type Graph } from '#test/support/graph.ts'
import { changesByAsking } from '#test/support/repository-operations.ts'
import { findFiles, readText } from '#test/support/sources.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'

/** Operation that was executed both ways, with both results. */
interface Compared {
  readonly query: string
  readonly expected: string
  readonly given: string
}

const compared: Compared[] = []

const executeOne = (service: Subgraph, executor: Executor, { request }: Fetch, caller: Caller) => {
  const document = executor.prepare(request.query!)
  if (isRefusal(document)) throw document[0]
  return executor.execute({
    document,
    variables: request.variables,
    caller,
    context: service.context(caller),
  })
}

/** Executes each query both ways, each with loaders of its own. */
const bothWays = (app: App, service: Subgraph): SubgraphTransport => {
  const plain = createExecutor(service, { ...app, engine: undefined })
  const compiled = createExecutor(service, { ...app, engine })
  return {
    events: createLocalEventSource(service, compiled),
    source: {
      async process(fetch) {
        const { caller } = fetch.context
        const given = await executeOne(service, compiled, fetch, caller)
        const expected = await executeOne(service, plain, fetch, caller)
        const query = fetch.request.query!
        compared.push({ query, expected: JSON.stringify(expected), given: JSON.stringify(given) })
        return given
      },
    },
  }
}

let opened: TestApp
let server: Server
let ask: Graph

beforeAll(async () => {
  opened = await openTestApp()
  const { app } = opened
  const services = await loadServices(app)
  const transports = new Map(services.map(service => [service.name, bothWays(app, service)]))
  server = await createServer(app, async context => {
    await startBackgroundWork(context, services)
    const supergraph = supergraphSource(app.config)
    await registerGraph(context, { supergraph, resolve: name => transports.get(name) })
    return {}
  })
  await Promise.all(services.map(service => service.settled()))
  ask = createGraph(await server.http.listen({ port: 0, host: '127.0.0.1' }))
})

afterAll(async () => {
  await server?.stop()
  await opened?.[Symbol.asyncDispose]()
})

const queries = findFiles('schema/{examples,operations}/*.graphql').flatMap(file =>
  parse(readText(file)).definitions.flatMap(one =>
    one.kind === Kind.OPERATION_DEFINITION && one.operation === 'query' && !changesByAsking(one)
      ? [print(one)]
      : [],
  ),
)

const IDS = `{
  payments(first: 1) { nodes { id paymentId } }
  recharges(first: 1) { nodes { rechargeId } }
  rewards(first: 1) { nodes { rewardId } }
  redemptions(first: 1) { nodes { redemptionId } }
  messages(first: 1) { nodes { otlTransactionId } }
}`

/** One transaction of each kind, as an analyst sees them all, and whatever else operations ask by. */
const variablesOf = async (token: string) => {
  const { data } = await ask(IDS, { token })
  const ids = Object.values<{ nodes: object[] }>(data).map(({ nodes }) => nodes[0])
  expect(ids).not.toContain(undefined)
  return {
    ...Object.assign({}, ...ids),
    n: '+96891000001',
    partner: 'demo-partner',
    from: '2020-01-01T00:00:00Z',
    to: '2030-01-01T00:00:00Z',
  }
}

test.each(['demo-analyst', 'demo-partner'])('as graphql-js, for %s', async client => {
  const variables = await variablesOf(await opened.token('demo-analyst'))
  const token = await opened.token(client)
  compared.length = 0
  for (const query of queries) await ask(query, { token, variables })
  expect(compared.length).toBeGreaterThan(queries.length)
  for (const { query, expected, given } of compared) expect(given, query).toBe(expected)
})
