/** A TCP proxy before a database, which a test cuts, freezes and restores. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Ends every connection and takes no new one. */
  cut(): void
  /** Lets connections through again; those that were frozen stay so. */
  restore(): void
  /** Takes no new connection, and leaves those that there are. */
  refuse(): void
  /** How many connections there are. */
  readonly count: number
  /**
   * Passes nothing on any more of so many of the connections that there are, in either direction, and tells neither end:
   * as a firewall does that forgot them. New ones are passed on.
   */
  freeze(most?: number): void
  /** Passes on what has waited, and what comes. */
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
