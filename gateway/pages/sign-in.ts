/** The clients by which people sign in with demo data. */
import type { Config } from '#core/config/config.ts'

/** The clients of the demo data; the secret of each is its id with `-secret` appended. */
export const DEMO_CLIENTS = ['demo-analyst', 'demo-portal', 'demo-partner', 'demo-partner-2'] as const

/** The clients that a page offers: none without demo data, or where another issuer gives the tokens. */
export const offeredClients = ({ demo, auth }: Pick<Config, 'demo' | 'auth'>): readonly string[] =>
  demo && auth.jwksUrl === undefined ? DEMO_CLIENTS : []
