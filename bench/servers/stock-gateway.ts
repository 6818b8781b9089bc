/** The other side of P2: Apollo's gateway as its documentation sets it up, over HTTP, with the same tokens required. */
import { ApolloGateway } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { supergraphOf } from './stub-supergraph.ts'
import { createVerify } from './token.ts'

const { PORT, ISSUER, STUB_PORT } = process.env

const verify = await createVerify(ISSUER!)
const gateway = new ApolloGateway({ supergraphSdl: supergraphOf(Number(STUB_PORT)) })
const server = new ApolloServer({ gateway })
await startStandaloneServer(server, {
  listen: { port: Number(PORT), host: '127.0.0.1' },
  context: async ({ req }) => verify(req.headers.authorization),
})
process.once('SIGTERM', () => process.exit(0))
