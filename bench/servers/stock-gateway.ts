/** The other side of P2: Apollo's gateway as its documentation sets it up, over HTTP, with the same tokens required. */
import { ApolloGateway } from '@apollo/gateway'
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { forbidTelemetry } from '#core/config/config.ts'
import { writeLine } from '../lib/access-log.ts'
import { supergraphOf } from './stub-supergraph.ts'
import { createVerify } from './token.ts'

const { PORT, ISSUER, STUB_PORT } = process.env

forbidTelemetry()
const verify = await createVerify(ISSUER!)
const gateway = new ApolloGateway({ supergraphSdl: supergraphOf(Number(STUB_PORT)) })
/** The standalone server has no other place for it. */
const accessLog: ApolloServerPlugin = {
  async requestDidStart() {
    const start = performance.now()
    return {
      async willSendResponse({ response }) {
        const status = response.http.status ?? 200
        writeLine({ method: 'POST', path: '/', status, ms: performance.now() - start })
      },
    }
  },
}
const server = new ApolloServer({ gateway, plugins: [accessLog] })
await startStandaloneServer(server, {
  listen: { port: Number(PORT), host: '127.0.0.1' },
  context: async ({ req }) => verify(req.headers.authorization),
})
process.once('SIGTERM', () => process.exit(0))
