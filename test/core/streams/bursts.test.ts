/** Many messages at once over WebSocket: they are handled over many turns of the event loop, in their order. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Stack, startStack } from '#test/support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const connect = async (): Promise<WebSocket> => {
  const socket = new WebSocket(`${stack.address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const acknowledged = new Promise(done => socket.once('message', done))
  const init = { type: 'connection_init', payload: { Authorization: `Bearer ${token}` } }
  socket.once('open', () => socket.send(JSON.stringify(init)))
  await acknowledged
  return socket
}

/** Sends all of it in one segment, and counts the turns of the event loop until as many answers have come. */
const turnsFor = async (
  count: number,
  event: 'message' | 'pong',
  send: (socket: WebSocket, index: number) => void,
) => {
  const socket = await connect()
  const came: string[] = []
  socket.on(event, data => came.push(String(data)))
  const stream = (socket as unknown as { _socket: { cork(): void; uncork(): void } })._socket
  stream.cork()
  for (let index = 0; index < count; index += 1) send(socket, index)
  stream.uncork()
  let turns = 0
  for (; came.length < count; turns += 1) await nextTurn()
  socket.terminate()
  return { turns, came }
}

const COUNT = 300

test('BURST-01 pings of one segment are answered one in a turn', async () => {
  const { turns, came } = await turnsFor(COUNT, 'pong', (socket, index) => socket.ping(String(index)))
  expect(came).toEqual(Array.from({ length: COUNT }, (_, index) => String(index)))
  expect(turns).toBeGreaterThan(COUNT / 2)
})

test('BURST-02 operations of one segment leave turns to others', async () => {
  const { turns } = await turnsFor(COUNT, 'message', (socket, index) => {
    const payload = { query: `{ unknown${index} }` }
    socket.send(JSON.stringify({ id: `o-${index}`, type: 'subscribe', payload }))
  })
  expect(turns).toBeGreaterThan(COUNT / 2)
})
