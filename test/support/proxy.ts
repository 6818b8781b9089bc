/** A TCP proxy before a database, which a test cuts and restores. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Ends every connection and takes no new one. */
  cut(): void
  restore(): void
  close(): Promise<void>
}

/** Listens on a free port and passes everything on. */
export async function startProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let open = true
  const join = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.pipe(to)
    from.on('error', () => to.destroy()).on('close', () => to.destroy() && sockets.delete(from))
  }
  const server = createServer(client => {
    if (!open) return void client.destroy()
    const upstream = connect(port, host)
    join(client, upstream)
    join(upstream, client)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      open = false
      destroyAll()
    },
    restore() {
      open = true
    },
    close() {
      destroyAll()
      return new Promise(done => server.close(() => done()))
    },
  }
}
