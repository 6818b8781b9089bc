/** Tokens of the demo's clients, by client credentials (RFC 6749 §4.4). Their secrets are public: the id with `-secret`. */
import { askServer } from './server-away.ts'
import type { TokenSource } from './session.ts'

/** Time in milliseconds before its end at which a token is replaced. */
const EARLY_MS = 30_000

const fetchToken = async (client: string) => {
  const { status, body } = await askServer('/oauth2/accesstoken', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client}:${client}-secret`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token, expires_in, error_description, error } = body
  if (status !== 200) throw new Error(error_description ?? error)
  // A token that lives for less than a minute is replaced at half of its life.
  const lifeMs = expires_in * 1_000
  return { token: access_token as string, until: Date.now() + Math.max(lifeMs - EARLY_MS, lifeMs / 2) }
}

/** Tokens of a demo client, each fetched before the last one ends. */
export function demoSource(client: string): TokenSource {
  let current: ReturnType<typeof fetchToken> | undefined
  let until = 0
  const renew = async () => {
    const fetched = await fetchToken(client)
    until = fetched.until
    return fetched
  }
  return {
    async token() {
      if (current === undefined || Date.now() >= until) {
        until = Number.POSITIVE_INFINITY
        current = renew()
        current.catch(() => {
          current = undefined
        })
      }
      return (await current).token
    },
  }
}
