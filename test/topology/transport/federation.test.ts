/** Apollo's own gateway and executor over two subgraphs in other processes' stead: two HTTP servers. */
import { ApolloGateway } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type FormattedExecutionResult, type GraphQLSchema, graphql, parse } from 'graphql'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { GatewayContext } from '#gateway/operation/context.ts'
import { compose } from '#gateway/supergraph/document.ts'
import { toDataSource } from '#gateway/third-party/apollo-gateway.ts'
import { contextOf, log } from '#test/support/fetches.ts'
import { type Answer, json, startInstance, type TestInstance } from '#test/support/http-instance.ts'
import { upstreamsOver } from '#test/topology/upstream/support.ts'
import { createRemoteSource } from '#topology/transport/data-source.ts'

const SHOP = parse(`
  type Query { items: [Item!]! }
  type Mutation { buy: Item! }
  type Item @key(fields: "id") { id: ID! at: Int! }`)
const STOCK = parse(`
  type Item @key(fields: "id") { id: ID! tags: [Tag!]! left: Int }
  type Tag { name: String! }`)

const ITEMS = ['a', 'b', 'a'].map((id, at) => ({ id, at }))

const shop = buildSubgraphSchema({
  typeDefs: SHOP,
  resolvers: { Query: { items: () => ITEMS }, Mutation: { buy: () => ITEMS[0] } },
})
const stock = buildSubgraphSchema({
  typeDefs: STOCK,
  resolvers: {
    Item: {
      tags: () => [{ name: 'new' }],
      left({ id }: { id: string }) {
        if (id === 'a') throw new Error('not counted')
        return 7
      },
    },
  },
})

const serve =
  (schema: GraphQLSchema): Answer =>
  async (response, request) => {
    const { query: source, variables: variableValues } = JSON.parse(request.body.toString())
    json(await graphql({ schema, source, variableValues }))(response, request)
  }

let instances: { shop: TestInstance; stock: TestInstance }
let upstreams: ReturnType<typeof upstreamsOver>
let apollo: ApolloServer<GatewayContext>

beforeAll(async () => {
  instances = { shop: await startInstance(), stock: await startInstance() }
  upstreams = upstreamsOver({ shop: instances.shop, stock: instances.stock })
  const supergraphSdl = compose([
    { name: 'shop', url: '', typeDefs: SHOP },
    { name: 'stock', url: '', typeDefs: STOCK },
  ])
  const buildService = ({ name }: { name: string }) =>
    toDataSource(createRemoteSource(upstreams.of(name)!, upstreams, log))
  apollo = new ApolloServer({
    gateway: new ApolloGateway({ supergraphSdl, buildService, logger: log }),
    stopOnTerminationSignals: false,
    logger: log,
  })
  await apollo.start()
})
afterAll(async () => {
  await apollo.stop()
  await upstreams.close()
  for (const instance of Object.values(instances)) await instance[Symbol.asyncDispose]()
})
beforeEach(() => {
  instances.shop.answer = serve(shop)
  instances.stock.answer = serve(stock)
  for (const { requests } of Object.values(instances)) requests.length = 0
})

const run = async (query: string) => {
  const contextValue = contextOf()
  const { body } = await apollo.executeOperation({ query }, { contextValue })
  contextValue.done()
  return (body as { singleResult: FormattedExecutionResult }).singleResult
}

const QUERY = '{ items { at id tags { name } left } }'

const item = (id: string, at: number, left: number | null) => ({ at, id, tags: [{ name: 'new' }], left })

it('UFED-01 MUST ask for each entity once, and answer each place with its own fields and errors', async () => {
  const { data, errors } = await run(QUERY)
  expect(data).toEqual({ items: [item('a', 0, null), item('b', 1, 7), item('a', 2, null)] })
  expect(errors?.map(({ message, path }) => [message, path])).toEqual([
    ['not counted', ['items', 0, 'left']],
    ['not counted', ['items', 2, 'left']],
  ])
  const [request] = instances.stock.requests
  expect(JSON.parse(request!.body.toString()).variables.representations).toHaveLength(2)
})

it('UFED-02 MUST share what two operations ask at the same time', async () => {
  const results = await Promise.all([run(QUERY), run(QUERY)])
  expect(results[1]!.data).toEqual(results[0]!.data)
  expect([instances.shop.requests.length, instances.stock.requests.length]).toEqual([1, 1])
})

it('UFED-03 MUST share nothing that follows a mutation', async () => {
  await Promise.all([run('mutation { buy { tags { name } } }'), run('mutation { buy { tags { name } } }')])
  expect([instances.shop.requests.length, instances.stock.requests.length]).toEqual([2, 2])
})

it('UFED-04 MUST answer what it can when a subgraph is down', async () => {
  await instances.stock.kill()
  const { data, errors } = await run('{ items { at left } }')
  await instances.stock.revive()
  expect(data).toEqual({ items: [0, 1, 2].map(at => ({ at, left: null })) })
  expect(errors).toMatchObject([
    { message: 'The subgraph stock cannot be reached', extensions: { code: 'SERVICE_UNAVAILABLE' } },
  ])
})
