/** The banner of a start: the addresses, and something to try. */
import type { Config } from '#core/config/config.ts'
import { offeredClients } from './pages/sign-in.ts'

const demoLines = (address: string, clients: readonly string[]) => [
  '',
  `  demo clients   ${clients.join(', ')} (the secret is the id with -secret appended)`,
  '  try            ' +
    `curl -s -u demo-analyst:demo-analyst-secret -d grant_type=client_credentials ${address}/oauth2/accesstoken`,
]

/** The addresses and, with demo data, the clients and one command. */
export const banner = (address: string, config: Pick<Config, 'auth' | 'demo' | 'pages'>): string => {
  const { auth, pages } = config
  const clients = offeredClients(config)
  return [
    `partner-graph is ready at ${address}`,
    ...(pages ? [`  in a browser   ${address}/`] : []),
    `  graph          ${address}/graphql`,
    auth.jwksUrl === undefined
      ? `  tokens         ${address}/oauth2/accesstoken`
      : `  tokens         of ${auth.issuer}`,
    `  REST           ${address}/postpaid-billing/v1/payments and its sisters; see schema/*.openapi.yaml`,
    `  health         ${address}/health/ready, ${address}/metrics`,
    ...(clients.length > 0 ? demoLines(address, clients) : []),
  ].join('\n')
}
