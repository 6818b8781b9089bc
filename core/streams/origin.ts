/** From where a browser may open a WebSocket, which CORS does not cover (RFC 6455 §10.2). */
import type { IncomingMessage } from 'node:http'
import type { Config } from '../config/config.ts'

/** The host that the browser sees: the proxy's where proxies are trusted. */
const hostOf = ({ headers, socket }: IncomingMessage, { trustProxy }: Pick<Config, 'trustProxy'>) => {
  const forwarded = headers['x-forwarded-host']
  const isTrusted = trustProxy !== false && trustProxy(socket.remoteAddress ?? '', 0)
  return isTrusted && typeof forwarded === 'string' ? forwarded : headers.host
}

/** A proxy may have ended TLS, so the scheme is the page's own. */
const isSame = (origin: string, host: string | undefined): boolean => {
  const page = URL.parse(origin)
  return page !== null && host !== undefined && URL.parse(`${page.protocol}//${host}`)?.origin === origin
}

/** Whether the page is one of this server or of `CORS_ORIGINS`; what is no browser names no origin. */
export const mayConnect = (
  request: IncomingMessage,
  config: Pick<Config, 'corsOrigins' | 'trustProxy'>,
): boolean => {
  const { origin } = request.headers
  return origin === undefined || config.corsOrigins.allows(origin) || isSame(origin, hostOf(request, config))
}
