/**
 * Apollo's gateway as its documentation sets it up, over HTTP, with the same tokens required: over the stubs of P2, or over
 * the supergraph in the file `SUPERGRAPH`. There it passes each client's token on.
 */
import { readFile } from 'node:fs/promises'
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { forbidTelemetry } from '#core/config/config.ts'
import { writeLine } from '../lib/access-log.ts'
import { supergraphOf } from './stub-supergraph.ts'
import { createVerify } from './token.ts'

const { PORT, ISSUER, STUB_PORT, SUPERGRAPH } = process.env

interface Context {
  readonly authorization?: string
}

forbidTelemetry()
const verify = await createVerify(ISSUER!)
/** Passes the client's own token on, as the documentation shows. */
const passToken = ({ url }: { url?: string }) =>
  new RemoteGraphQLDataSource<Context>({
    url,
    willSendRequest: ({ request, context: { authorization = '' } }) =>
      request.http?.headers.set('authorization', authorization),
  })
const gateway = SUPERGRAPH
  ? new ApolloGateway({ supergraphSdl: await readFile(SUPERGRAPH, 'utf8'), buildService: passToken })
  : new ApolloGateway({ supergraphSdl: supergraphOf(Number(STUB_PORT)) })
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
  context: async ({ req: { headers } }): Promise<Context> => {
    await verify(headers.authorization)
    return { authorization: headers.authorization }
  },
})
process.once('SIGTERM', () => process.exit(0))
