/**
 * The server of a process with `TLS_CERT`: HTTP/2 or HTTP/1.1 on each connection, as its client asks by ALPN. HTTP/1.1,
 * and with it WebSocket, is Node's HTTPS server as it is: Node's HTTP/2 server that also speaks HTTP/1.1 has no closing of
 * idle connections, and other errors of its parser.
 */
import type { Server } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { contextOf, type KeyPair } from '../config/tls.ts'
import { asHttpServer } from '../third-party/node-https.ts'
import { Http2Sessions } from './http2-server.ts'

/** Time in milliseconds in which TLS must be agreed on. */
const HANDSHAKE_MS = 10_000

type Handler = Parameters<typeof createServer>[1]

export interface SecureServerOptions {
  /** Options of the HTTP/1.1 server. */
  readonly http: ServerOptions & { headersTimeout: number }
  readonly requestTimeout: number
  /** Whether clients are asked for certificates; one without is served all the same. */
  readonly asksCertificate: boolean
  /** Time in milliseconds that an idle connection is kept. */
  readonly keepAliveTimeout: number
}

const sessions = new WeakMap<object, Http2Sessions>()

/** The HTTP/2 sessions of a server; undefined where it speaks plain HTTP. */
export const http2Of = (server: object): Http2Sessions | undefined => sessions.get(server)

/** Makes the server; it does not listen yet. */
export function createSecureServer(
  pair: KeyPair,
  { http, asksCertificate, requestTimeout, keepAliveTimeout }: SecureServerOptions,
  handler: Handler,
): Server {
  const server = createServer(
    {
      ...http,
      ...contextOf(pair),
      requestCert: asksCertificate,
      // Whose it is, the token endpoint finds out: no authority is trusted.
      rejectUnauthorized: false,
      requestTimeout,
      keepAliveTimeout,
      handshakeTimeout: HANDSHAKE_MS,
      ALPNProtocols: ['h2', 'http/1.1'],
    },
    handler,
  )
  const main = asHttpServer(server)
  const http2 = new Http2Sessions(main, { firstMs: http.headersTimeout, idleMs: keepAliveTimeout })
  sessions.set(server, http2)
  const readHttp1 = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') http2.take(socket)
    else for (const read of readHttp1) read.call(server, socket)
  })
  // No answer is readable to a client that could not agree on TLS.
  server.removeAllListeners('tlsClientError').on('tlsClientError', (_, socket) => socket.destroy())
  return main
}
