/** The stub subgraphs as services of their own, each an Apollo Server on the port after the one before. */
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { STUBS } from './stub-subgraphs.ts'

const first = Number(process.env['PORT'])

// The first port comes last: who waits for it finds all of them.
for (const [index, { typeDefs, resolvers }] of [...STUBS.entries()].reverse()) {
  const server = new ApolloServer({ schema: buildSubgraphSchema({ typeDefs, resolvers }) })
  await startStandaloneServer(server, { listen: { port: first + index, host: '127.0.0.1' } })
}
process.once('SIGTERM', () => process.exit(0))
