/** Connections of a server, plain and under TLS, where each has a TCP connection below it. */
import type { Server, Socket } from 'node:net'
import { type TLSSocket, Server as TlsServer } from 'node:tls'

/** Both ends of a TCP connection: no two that are open at once have the same. */
const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`

export interface ConnectionListener {
  /** Called with each TCP connection when it is accepted. */
  opened(connection: Socket): void
  /** Called when TLS is agreed on over one of them: requests name the secure connection. */
  secured(secure: TLSSocket, connection: Socket): void
}

/** Reports the connections of a server. Node.js shows from neither of the two to the other, so their ends join them. */
export function followConnections(server: Server, { opened, secured }: ConnectionListener): void {
  const isSecure = server instanceof TlsServer
  const agreeing = new Map<string, Socket>()
  server.on('connection', (connection: Socket) => {
    opened(connection)
    if (!isSecure || connection.destroyed) return
    const ends = endsOf(connection)
    agreeing.set(ends, connection)
    connection.once('close', () => agreeing.get(ends) === connection && agreeing.delete(ends))
  })
  if (!isSecure) return
  // Before the listener that reads the first request.
  server.prependListener('secureConnection', (secure: TLSSocket) => {
    const ends = endsOf(secure)
    const connection = agreeing.get(ends)
    if (!connection) return
    agreeing.delete(ends)
    secured(secure, connection)
  })
}
