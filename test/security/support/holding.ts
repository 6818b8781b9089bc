/** Connections that are opened and then say no more. */
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import WebSocket from 'ws'

export interface Held {
  /** How many the server has not ended. */
  open(): number
  close(): void
}

const begin = async (address: string, bytes: string): Promise<Socket> => {
  const { hostname, port } = new URL(address)
  const socket = createConnection({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  await new Promise(written => socket.write(bytes, written))
  socket.resume()
  return socket
}

/** Sends the same beginning over so many connections, and waits until the server has read it. */
export async function hold(address: string, bytes: string, count: number): Promise<Held> {
  const sockets = await Promise.all(Array.from({ length: count }, () => begin(address, bytes)))
  // Connections are taken in their order: what comes on new ones is answered when these have been read.
  for (let round = 0; round < 5; round++)
    await fetch(`${address}/health/live`, { headers: { connection: 'close' } }).then(response =>
      response.text(),
    )
  return {
    open: () => sockets.filter(one => !one.closed).length,
    close: () => sockets.forEach(one => void one.destroy()),
  }
}

/** A WebSocket that never sends its `connection_init`. */
export async function openSilentSocket(address: string): Promise<{ opened: boolean; close(): void }> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.once('open', () => resolve(true))
  socket.once('error', () => resolve(false))
  return { opened: await promise, close: () => socket.terminate() }
}
