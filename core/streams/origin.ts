/** The origin and the address of an upgrade request, as far as the proxies before this process are trusted. */
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { TrustProxy } from '../config/addresses.ts'
import type { Config } from '../config/config.ts'

/** The host as the browser sees it: the proxy's where proxies are trusted. */
const hostOf = ({ headers, socket }: IncomingMessage, { trustProxy }: Pick<Config, 'trustProxy'>) => {
  const forwarded = headers['x-forwarded-host']
  const isTrusted = trustProxy !== false && trustProxy(socket.remoteAddress ?? '', 0)
  return isTrusted && typeof forwarded === 'string' ? forwarded : headers.host
}

/** Compares hosts under the page's own scheme, since a proxy may have ended TLS. */
const isSame = (origin: string, host: string | undefined): boolean => {
  const page = URL.parse(origin)
  return page !== null && host !== undefined && URL.parse(`${page.protocol}//${host}`)?.origin === origin
}

/**
 * Whether a browser's page may open a WebSocket, which CORS does not cover (RFC 6455 §10.2): one of this server, or of
 * `CORS_ORIGINS`. Clients other than browsers name no origin.
 */
export const mayConnect = (
  request: IncomingMessage,
  config: Pick<Config, 'corsOrigins' | 'trustProxy'>,
): boolean => {
  const { origin } = request.headers
  return origin === undefined || config.corsOrigins.allows(origin) || isSame(origin, hostOf(request, config))
}

/** The address that Fastify calls `request.ip`, for upgrades, which Fastify does not see. */
export const remoteAddress = (request: IncomingMessage, trust: TrustProxy): string =>
  (trust ? proxyAddress(request, trust) : request.socket.remoteAddress) ?? ''
