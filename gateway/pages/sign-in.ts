/** The bar with which a page is signed in: by one of the demo's clients, or by a token. */
import { escapeHtml } from './html.ts'

const option = (id: string) => `<option>${escapeHtml(id)}</option>`

const clientChoice = (clients: readonly string[]) =>
  clients.length === 0
    ? ''
    : `<label>Sign in as <select id="client"><option value="">nobody</option>${clients.map(option).join('')}</select></label>
  or `

/** Its markup; `sign-in.js` brings it to life. */
export const signInBar = (
  title: string,
  clients: readonly string[],
): string => `<form id="sign-in" class="bar">
  <a href="/">partner-graph</a> <strong>${escapeHtml(title)}</strong> <span class="space"></span>
  ${clientChoice(clients)}<label>by access token <input id="token" type="password" autocomplete="off" spellcheck="false"></label>
  <button>Use</button>
  <output id="signed-in" role="status">not signed in</output>
</form>`
