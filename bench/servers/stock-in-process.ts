/** The other side of P14: Apollo's gateway with the subgraph in its own process, with the same tokens required. */
import { ApolloGateway, LocalGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { forbidTelemetry } from '#core/config/config.ts'
import { PAGE } from './stub-page.ts'
import { supergraphOf } from './stub-supergraph.ts'
import { createVerify } from './token.ts'

const { PORT, ISSUER } = process.env

forbidTelemetry()
const verify = await createVerify(ISSUER!)
const schema = buildSubgraphSchema({ typeDefs: PAGE.typeDefs, resolvers: PAGE.resolvers })
const gateway = new ApolloGateway({
  supergraphSdl: supergraphOf(1, [PAGE]),
  buildService: () => new LocalGraphQLDataSource(schema),
})
const server = new ApolloServer({ gateway })
await startStandaloneServer(server, {
  listen: { port: Number(PORT), host: '127.0.0.1' },
  context: async ({ req }) => verify(req.headers.authorization),
})
process.once('SIGTERM', () => process.exit(0))
