/** The banner of a first start: where things are, and something to try. */
import type { Config } from '../subgraphs/shared/config/config.ts'
import { DEMO_CLIENTS } from './pages/demo-clients.ts'

const demoLines = (address: string) => [
  '',
  `  demo clients   ${DEMO_CLIENTS.join(', ')} (the secret is the id with -secret appended)`,
  '  try            ' +
    `curl -s -u demo-analyst:demo-analyst-secret -d grant_type=client_credentials ${address}/oauth2/accesstoken`,
]

/** The addresses and, with demo data, the clients and one command. */
export const banner = (address: string, { demo, pages }: Config): string =>
  [
    `partner-graph is ready at ${address}`,
    ...(pages ? [`  in a browser   ${address}/`] : []),
    `  graph          ${address}/graphql`,
    `  tokens         ${address}/oauth2/accesstoken`,
    `  REST           ${address}/postpaid-billing/v1/payments and its sisters; see schema/*.openapi.yaml`,
    `  health         ${address}/health/ready, ${address}/metrics`,
    ...(demo ? demoLines(address) : []),
  ].join('\n')
