/**
 * Addresses of the built pages, and the data that the server gives them with their shell. Server and pages share this
 * file, so it imports nothing.
 */

/** Paths at which a browser gets the shell; the page is chosen by the router of `portal/`. */
export const PAGE_PATHS = [
  '/',
  '/explore',
  '/explore/*',
  '/analyse',
  '/desk',
  '/desk/*',
  '/partner',
  '/partner/*',
  '/graphql',
  '/docs',
  '/docs/*',
  '/reference',
] as const

/** Paths of pages that are there only where clients may read the schema of the graph. */
export const SCHEMA_PATHS: readonly string[] = ['/graphql', '/docs', '/docs/*']

/** Path to which the outside identity provider sends a person back; it is registered there. */
export const SIGNED_IN_PATH = '/pages/signed-in'

/** The outside identity provider at which people sign in, as its discovery document describes it. */
export interface IdentityProviderConfig {
  readonly clientId: string
  readonly scope: string
  /** The audience that the graph wants in a token. */
  readonly audience: string
  /** Endpoints (OpenID Connect Discovery 1.0 §3); undefined while the provider does not answer. */
  readonly metadata?: {
    readonly issuer: string
    readonly authorization_endpoint: string
    readonly token_endpoint: string
    readonly end_session_endpoint?: string
  }
}

/** Data for the pages; nothing in it is secret. */
export interface PageConfig {
  readonly version: string
  /** The operator's time zone, in which times are shown. */
  readonly timezone: string
  /** The country code of national numbers, in digits. */
  readonly countryCode: string
  /** Clients of the demo data, whose secrets are public; none elsewhere. */
  readonly demoClients: readonly string[]
  readonly provider?: IdentityProviderConfig
  /** Names of the REST contracts; each is at `/openapi/<name>.yaml`. */
  readonly contracts: readonly string[]
  /** Whether clients may read the schema of the graph. */
  readonly introspection: boolean
}

/** Beginning of the names of files that tell of the schema. */
export const GUIDE_FILE = 'guide-'

/** Id of the element of the shell that holds the data, as JSON. */
export const CONFIG_ELEMENT = 'page-config'
