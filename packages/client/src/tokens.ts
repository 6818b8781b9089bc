/** Access tokens by client credentials (RFC 6749 §4.4), each used until shortly before its end. */
import { jsonOf, refusalOf } from './errors.ts'

/** Source of access tokens. */
export interface TokenSource {
  /**
   * A token that is good for a while yet.
   * @param refused a token that the server did not accept, so that another one is needed.
   */
  token(refused?: string): Promise<string>
}

/** Time in milliseconds before its end from which a token is no longer used. */
const MARGIN_MS = 30_000
const DEFAULT_TIMEOUT_MS = 15_000

export interface CredentialsOptions {
  /** Address of the server, such as `https://graph.example`. */
  readonly address: string
  readonly clientId: string
  /** Belongs on a server, never into a page of a browser. */
  readonly clientSecret: string
  readonly timeoutMs?: number | undefined
}

interface Granted {
  readonly value: string
  readonly goodUntil: number
}

const request = async ({
  address,
  clientId,
  clientSecret,
  timeoutMs,
}: CredentialsOptions): Promise<Granted> => {
  const basic = btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)
  const response = await fetch(new URL('/oauth2/accesstoken', address), {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    signal: AbortSignal.timeout(timeoutMs ?? DEFAULT_TIMEOUT_MS),
  })
  const body = (await jsonOf(response)) as { access_token?: unknown; expires_in?: unknown } | undefined
  const { access_token: value, expires_in: seconds } = body ?? {}
  if (!response.ok || typeof value !== 'string') throw refusalOf(response, body)
  return { value, goodUntil: Date.now() + (Number(seconds) || 0) * 1_000 - MARGIN_MS }
}

/** Makes the source for a client with a secret. Requests at the same time share one token request. */
export function clientCredentials(options: CredentialsOptions): TokenSource {
  let granted: Granted | undefined
  let requesting: Promise<Granted> | undefined
  return {
    async token(refused) {
      if (granted && granted.value !== refused && Date.now() < granted.goodUntil) return granted.value
      requesting ??= request(options).finally(() => {
        requesting = undefined
      })
      granted = await requesting
      return granted.value
    },
  }
}
