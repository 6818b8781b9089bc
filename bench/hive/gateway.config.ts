/**
 * Hive Gateway over the project's own supergraph, unchanged: subgraphs over HTTP, their subscriptions over
 * graphql-transport-ws, and the client's own token for both. Without an import, so that it can be checked where
 * Hive Gateway is not installed.
 */
import { join } from 'node:path'
import { readUrls } from './urls.ts'

/** The used part of Hive's request context. */
interface Context {
  readonly headers?: Readonly<Record<string, string>>
  readonly connectionParams?: Readonly<Record<string, string>>
}

/** By WebSocket the token is in the payload of `connection_init`, else in the header. */
const authorizationOf = ({ headers, connectionParams: params }: Context): string | undefined =>
  params?.['Authorization'] ?? params?.['authorization'] ?? headers?.['authorization']

/** Puts the token where `transportEntries` finds it, whichever way the client came. */
const rememberAuthorization = {
  onContextBuilding({
    context,
    extendContext,
  }: {
    context: Context
    extendContext(more: { authorization: string }): void
  }) {
    extendContext({ authorization: authorizationOf(context) ?? '' })
  },
}

const overSocket = {
  kind: 'ws',
  location: '/graphql',
  // Hive keeps a connection for each value of these: clients never share one unless they share the token.
  options: { connectionParams: { Authorization: '{context.authorization}' } },
}

const urls = readUrls(process.env['SUBGRAPH_URLS'])

const entries = Object.entries(urls).map(([name, location]) => [name, { location }])

export const gatewayConfig = {
  supergraph: process.env['SUPERGRAPH'] ?? join(import.meta.dirname, '../../schema/supergraph.graphql'),
  transportEntries: {
    '*.http': { options: { subscriptions: overSocket } },
    ...Object.fromEntries(entries),
  },
  propagateHeaders: {
    fromClientToSubgraphs: ({ context }: { context: Context }) => ({
      authorization: authorizationOf(context),
    }),
  },
  plugins: () => [rememberAuthorization],
  disableIntrospection: { disableIf: () => true },
  logging: process.env['LOG_LEVEL'] === 'debug' ? 'debug' : 'error',
  graphiql: false,
  landingPage: false,
}
