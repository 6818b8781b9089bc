/**
 * Events over WebSocket (`graphql-transport-ws`), one subscription a connection. Written here, since following resumes by
 * itself: a library's own retries would begin again after the cursor it was given.
 */
import type { Client } from '../client.ts'
import { EventBuffer } from './buffer.ts'
import { type FollowedEvent, type FollowFilter, Interruption, type Way } from './event.ts'
import { beginInGraph, eventOf, type FollowResult, failureOf, subscriptionOf } from './subscription.ts'

/** Limit in milliseconds from connecting to the server's acknowledgement. */
const CONNECT_MS = 15_000
/** Interval of pings in milliseconds; a connection over which none came back is lost. */
const PING_MS = 15_000
/** Most events that wait for their reader; past them the connection is ended, and later resumed. */
const BUFFERED = 1_000

/** Close codes of the protocol that another connection does not mend. */
const FINAL = [4400, 4406, 4409, 4429]
const REFUSED_TOKEN = [4401, 4403]

interface Message {
  readonly type: string
  readonly payload?: unknown
}

const closeFailure = ({ code, reason }: CloseEvent, token: string) => {
  const text = `the WebSocket was closed with ${code}${reason ? `: ${reason}` : ''}`
  if (FINAL.includes(code)) return new Error(text)
  return new Interruption(text, REFUSED_TOKEN.includes(code) ? { refusedToken: token } : {})
}

/** Opens a socket, and fills a buffer until either ends. */
function connect<Event extends FollowedEvent>(
  address: string,
  token: string,
  operation: object,
  onOpen: () => void,
) {
  const buffer = new EventBuffer<Event>(BUFFERED)
  const url = new URL('/graphql', address)
  url.protocol = url.protocol.replace('http', 'ws')
  const socket = new WebSocket(url, 'graphql-transport-ws')
  const send = (message: object) =>
    socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message))
  const finish = (error?: unknown) => {
    clearTimeout(patience)
    buffer.end(error)
    if (socket.readyState <= WebSocket.OPEN) socket.close(1000)
  }
  let patience = setTimeout(() => finish(new Interruption('the server did not answer in time')), CONNECT_MS)
  /** Sends a ping after a while of silence, and gives up after another. */
  const watch = () => {
    clearTimeout(patience)
    patience = setTimeout(() => {
      send({ type: 'ping' })
      patience = setTimeout(() => finish(new Interruption('the connection has gone silent')), PING_MS)
    }, PING_MS)
  }
  const take = ({ type, payload }: Message) => {
    if (type === 'ping') send({ type: 'pong' })
    else if (type === 'connection_ack') {
      send({ id: 'follow', type: 'subscribe', payload: operation })
      onOpen()
    } else if (type === 'next') {
      if (!buffer.push(eventOf(payload as FollowResult, token)))
        finish(new Interruption('events came faster than they were read'))
    } else if (type === 'error') finish(failureOf(payload as [], token))
    else if (type === 'complete') finish()
  }
  socket.addEventListener('open', () =>
    send({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } }),
  )
  socket.addEventListener('message', ({ data }) => {
    watch()
    try {
      take(JSON.parse(`${data}`))
    } catch (error) {
      finish(error)
    }
  })
  socket.addEventListener('close', event => finish(closeFailure(event, token)))
  socket.addEventListener('error', () =>
    finish(new Interruption('the WebSocket could not be opened, or broke')),
  )
  return { buffer, finish }
}

/** Makes the way over WebSocket. */
export const overWebSocket = <Event extends FollowedEvent>(
  client: Client,
  filter: FollowFilter,
  selection: string,
): Way<Event> => ({
  begin: (from, signal) => beginInGraph(client, filter, selection, from, signal),
  async *open(after, signal, onOpen) {
    const token = await client.token()
    if (signal.aborted) return
    const operation = subscriptionOf(after, filter, selection)
    const { buffer, finish } = connect<Event>(client.address, token, operation, onOpen)
    const stop = () => finish()
    signal.addEventListener('abort', stop)
    try {
      yield* buffer
    } finally {
      signal.removeEventListener('abort', stop)
      finish()
    }
  },
})
