/** The clients of the demo data, whose secrets are public: who only looks can be any of them. */
import type { Config } from '#core/config/config.ts'

/** The secret is the id with `-secret` appended. */
export const DEMO_CLIENTS = ['demo-analyst', 'demo-portal', 'demo-partner', 'demo-partner-2'] as const

/** Those that a page can be signed in as: none without demo data, or where another issuer gives the tokens. */
export const offeredClients = ({ demo, auth }: Pick<Config, 'demo' | 'auth'>): readonly string[] =>
  demo && auth.jwksUrl === undefined ? DEMO_CLIENTS : []
