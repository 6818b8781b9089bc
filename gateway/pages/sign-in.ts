/** Signing in on a page: by one of the demo's clients, whose secrets are public, or by a token. */
import type { Config } from '#core/config/config.ts'
import { escapeHtml } from './html.ts'

/** The clients of the demo data; the secret of each is its id with `-secret` appended. */
export const DEMO_CLIENTS = ['demo-analyst', 'demo-portal', 'demo-partner', 'demo-partner-2'] as const

/** The clients that a page offers: none without demo data, or where another issuer gives the tokens. */
export const offeredClients = ({ demo, auth }: Pick<Config, 'demo' | 'auth'>): readonly string[] =>
  demo && auth.jwksUrl === undefined ? DEMO_CLIENTS : []

const option = (id: string) => `<option>${escapeHtml(id)}</option>`

const clientChoice = (clients: readonly string[]) =>
  clients.length === 0
    ? ''
    : `<label>Sign in as <select id="client"><option value="">nobody</option>${clients.map(option).join('')}</select></label>
  or `

/** The markup of the bar; its script is `sign-in.js`. */
export const signInBar = (
  title: string,
  clients: readonly string[],
): string => `<form id="sign-in" class="bar">
  <a href="/">partner-graph</a> <strong>${escapeHtml(title)}</strong> <span class="space"></span>
  ${clientChoice(clients)}<label>by access token <input id="token" type="password" autocomplete="off" spellcheck="false"></label>
  <button>Use</button>
  <output id="signed-in" role="status">not signed in</output>
</form>`
