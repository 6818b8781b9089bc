/**
 * Discovery of the outside identity provider (OpenID Connect Discovery 1.0 §4) on behalf of the pages: they get its
 * endpoints with their shell, and the policy of the shell names the origins of these endpoints and no others.
 */
import type { Config } from '#core/config/config.ts'
import type { IdentityProviderConfig } from './page-config.ts'

type Metadata = NonNullable<IdentityProviderConfig['metadata']>

const TIMEOUT_MS = 2_000
/** Time in milliseconds for which an answer is good, and for which a provider that failed is left alone. */
const KEEP_MS = 600_000
const RETRY_MS = 5_000

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

/** @throws Error where the document is not that of this issuer, or names no endpoints for the code flow. */
const readMetadata = (issuer: string, document: Partial<Metadata>): Metadata => {
  const { authorization_endpoint, token_endpoint, end_session_endpoint } = document
  if (document.issuer !== issuer) throw new Error(`the discovery document is that of ${document.issuer}`)
  if (!isAddress(authorization_endpoint) || !isAddress(token_endpoint))
    throw new Error('the discovery document names no authorization_endpoint and token_endpoint')
  const ending = isAddress(end_session_endpoint) ? { end_session_endpoint } : {}
  return { issuer, authorization_endpoint, token_endpoint, ...ending }
}

const discover = async (issuer: string): Promise<Metadata> => {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  return readMetadata(issuer, (await response.json()) as Partial<Metadata>)
}

/** The provider for the pages, and the origins to which its sign-in leads. */
export interface IdentityProvider {
  readonly config: IdentityProviderConfig
  readonly origins: readonly string[]
}

/**
 * Finds the provider where people sign in; undefined where `AUTH_CLIENT_ID` names no client of one.
 * @param warn hears why a provider could not be discovered.
 */
export function createIdentityProvider(
  { auth }: Pick<Config, 'auth'>,
  warn: (reason: string) => void,
): () => Promise<IdentityProvider | undefined> {
  const { issuer, audience, clientId, scope } = auth
  if (clientId === undefined) return async () => undefined
  const own = { clientId, scope, audience }
  let known: { readonly until: number; readonly found: Promise<IdentityProvider> } | undefined
  const find = async (): Promise<IdentityProvider> => {
    try {
      const metadata = await discover(issuer)
      const endpoints = [metadata.issuer, metadata.authorization_endpoint, metadata.token_endpoint]
      const origins = [...new Set(endpoints.map(url => new URL(url).origin))]
      return { config: { ...own, metadata }, origins }
    } catch (error) {
      warn(`people cannot sign in: ${error instanceof Error ? error.message : String(error)}`)
      known = { until: Date.now() + RETRY_MS, found: Promise.resolve({ config: own, origins: [] }) }
      return known.found
    }
  }
  return () => {
    if (known === undefined || Date.now() > known.until)
      known = { until: Date.now() + KEEP_MS, found: find() }
    return known.found
  }
}
