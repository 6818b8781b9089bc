/** How the pages follow a subscription over connections that are lost, without a browser. */
import type { Socket } from 'node:net'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { resuming } from '#portal/graph/resume.ts'
import { restOf } from '../support/both-interfaces.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { bearer, collect, type Result } from '../support/subscribe.ts'

const PATIENT = { interval: 5, timeout: 10_000 }
const [payments] = FIXTURES

let stack: Stack
const sockets = new Set<Socket>()
beforeAll(async () => {
  stack = await startStack()
  // Of WebSockets alone: a post over a connection that was cut would fail.
  stack.server.http.server.prependListener('upgrade', ({ socket }) => sockets.add(socket))
  await stack.settled()
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

const post = async (): Promise<string> => {
  const { path, body, idField } = payments!
  const token = await stack.token('demo-partner')
  return (await restOf(stack)('POST', path, { token, body: body() })).body[idField]
}

const QUERY = `subscription ($after: String) { transactionEvents(after: $after) { cursor transaction { id } } }`

const open = async () => {
  const client = createClient({
    url: `${stack.address.replace('http', 'ws')}/graphql`,
    connectionParams: bearer(await stack.token('demo-portal')),
    retryAttempts: 0,
  })
  const resume = resuming(client)
  return collect(sink => resume({ query: QUERY }, sink as never))
}

const idOf = ({ data }: Result) => data.transactionEvents.transaction.id

it.each([
  ['closed', (socket: Socket) => socket.destroy()],
  ['reset', (socket: Socket) => socket.resetAndDestroy()],
])('PAGES-20 MUST bring each event once, those too that come after a connection was %s', async (_, cut) => {
  using events = await open()
  await vi.waitFor(() => expect(stack.listeners()).toBe(1), PATIENT)
  const posted = [await post()]
  const seen = [idOf(await events.next())]
  for (const socket of sockets) cut(socket)
  await vi.waitFor(() => expect(stack.listeners()).toBe(0), PATIENT)
  posted.push(await post(), await post())
  await stack.settled()
  seen.push(...(await events.take(2)).map(idOf))
  posted.push(await post())
  seen.push(idOf(await events.next()))
  expect(seen).toEqual(posted)
  events[Symbol.dispose]()
  await vi.waitFor(() => expect(stack.listeners()).toBe(0), PATIENT)
})
