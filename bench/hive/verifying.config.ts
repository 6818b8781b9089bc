/**
 * Hive Gateway for P1 and P20: queries over HTTP alone, tokens verified by its own JWT plugin, with the keys of the issuer
 * at `ISSUER`, and passed on where `PASS_TOKENS` says so. Without an import of Hive, as `gateway.config.ts`.
 */
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { writeLine } from '../lib/access-log.ts'

/** The issuer's only key, as the plugin wants it. */
const signingKey = async (): Promise<string> => {
  const answer = await fetch(`${process.env['ISSUER']}/.well-known/jwks.json`)
  const { keys } = (await answer.json()) as { keys: [JsonWebKey] }
  return String(createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' }))
}

const key = signingKey()

const tokenOf = ({ request }: { request: Request }) => {
  const [prefix, token = ''] = request.headers.get('authorization')?.split(' ') ?? []
  return token ? { prefix, token } : undefined
}

/** One line a request, as the others write it. */
const accessLog = () => {
  const started = new WeakMap<Request, number>()
  return {
    onRequest: ({ request }: { request: Request }) => void started.set(request, performance.now()),
    onResponse({ request, response }: { request: Request; response: Response }) {
      const ms = performance.now() - (started.get(request) ?? Number.NaN)
      writeLine({ method: request.method, path: '/graphql', status: response.status, ms })
    },
  }
}

export const gatewayConfig = {
  supergraph: process.env['SUPERGRAPH'],
  jwt: {
    signingKeyProviders: [() => key],
    tokenLookupLocations: [tokenOf],
    tokenVerification: { issuer: 'partner-graph', audience: 'partner-graph', algorithms: ['ES256'] },
    reject: { missingToken: true, invalidToken: true },
  },
  propagateHeaders: process.env['PASS_TOKENS'] && {
    fromClientToSubgraphs: ({ request }: { request: Request }) => ({
      authorization: request.headers.get('authorization') ?? '',
    }),
  },
  disableIntrospection: { disableIf: () => true },
  plugins: () => [accessLog()],
  logging: 'error',
  graphiql: false,
  landingPage: false,
}
