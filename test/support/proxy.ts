/** TCP proxy before a database or a server. A test cuts, freezes and restores its connections. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Ends every connection, and refuses new ones. */
  cut(): void
  /** Accepts connections again. Frozen ones stay frozen. */
  restore(): void
  /** Refuses new connections, and keeps the existing ones. */
  refuse(): void
  /** Number of connections. */
  readonly count: number
  /**
   * Stops passing bytes in either direction on the oldest connections, and on all unless `most` is given. Neither end is
   * told, as with a firewall that has forgotten a connection. New connections are passed on.
   */
  freeze(most?: number): void
  /** Passes bytes of frozen connections again, those that waited first. */
  thaw(): void
  close(): Promise<void>
}

/** Listens on a free port and passes everything on. */
export async function startProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const pairs = new Set<readonly [Socket, Socket]>()
  const frozen = new Set<Socket>()
  let open = true
  const join = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.pipe(to)
    from
      .on('error', () => frozen.has(from) || to.destroy())
      .on('close', () => {
        sockets.delete(from)
        if (!frozen.has(from)) to.destroy()
      })
  }
  const server = createServer(client => {
    if (!open) return void client.destroy()
    const upstream = connect(port, host)
    const pair = [client, upstream] as const
    pairs.add(pair)
    client.on('close', () => pairs.delete(pair))
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
    refuse() {
      open = false
    },
    get count() {
      return pairs.size
    },
    freeze(most = pairs.size) {
      for (const [client, upstream] of [...pairs].slice(0, most)) {
        for (const socket of [client, upstream]) frozen.add(socket)
        client.unpipe(upstream).pause()
        upstream.unpipe(client).pause()
      }
    },
    thaw() {
      for (const [client, upstream] of pairs)
        if (frozen.delete(client) && frozen.delete(upstream)) {
          client.pipe(upstream)
          upstream.pipe(client)
        }
    },
    close() {
      destroyAll()
      return new Promise(done => server.close(() => done()))
    },
  }
}
