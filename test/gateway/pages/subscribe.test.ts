/** How GraphiQL's page follows a subscription over connections that are lost, without a browser: its script on the server. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Client, createClient } from 'graphql-ws'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { restOf } from '../../support/both-interfaces.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { bearer, collect, type Result } from '../../support/subscribe.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PATIENT = { interval: 5, timeout: 10_000 }
const [payments] = FIXTURES

interface Script {
  follow(
    socket: Client,
    operation: { query: string; variables?: object },
    isResumable: boolean,
  ): { subscribe(observer: unknown): { unsubscribe(): void } }
}

const folder = mkdtempSync(join(tmpdir(), 'subscribe-'))
/** As it is served: beside the library, and beside who is signed in, which nobody is here. */
const loadScript = async (): Promise<Script> => {
  mkdirSync(join(folder, 'graphql-ws'))
  symlinkSync(join(ROOT, 'node_modules/graphql-ws/dist'), join(folder, 'graphql-ws/dist'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'sign-in.js'), `export const token = async () => ''`)
  copyFileSync(join(ROOT, 'gateway/pages/assets/subscribe.js'), join(folder, 'subscribe.js'))
  return import(pathToFileURL(join(folder, 'subscribe.js')).href)
}

let stack: Stack
let script: Script
const sockets = new Set<Socket>()
beforeAll(async () => {
  script = await loadScript()
  stack = await startStack()
  stack.server.http.server.on('connection', socket => sockets.add(socket))
  await stack.settled()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await stack?.[Symbol.asyncDispose]()
})

const post = async (): Promise<string> => {
  const { path, body, idField } = payments!
  const token = await stack.token('demo-partner')
  return (await restOf(stack)('POST', path, { token, body: body() })).body[idField]
}

const QUERY = `subscription ($after: String) { transactionEvents(after: $after) { cursor transaction { id } } }`

const open = async (isResumable: boolean) => {
  const client = createClient({
    url: `${stack.address.replace('http', 'ws')}/graphql`,
    connectionParams: bearer(await stack.token('demo-portal')),
    retryAttempts: 0,
  })
  const following = script.follow(client, { query: QUERY }, isResumable)
  return collect(sink => following.subscribe(sink).unsubscribe)
}

const idOf = ({ data }: Result) => data.transactionEvents.transaction.id

it.each([
  ['closed', (socket: Socket) => socket.destroy()],
  ['reset', (socket: Socket) => socket.resetAndDestroy()],
])('PAGES-20 MUST bring each event once, those too that come after a connection was %s', async (_, cut) => {
  using events = await open(true)
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

it('PAGES-21 MUST tell that the connection was lost where an operation cannot be resumed', async () => {
  using events = await open(false)
  await vi.waitFor(() => expect(stack.listeners()).toBe(1), PATIENT)
  for (const socket of sockets) socket.destroy()
  expect(await events.ended).toBeDefined()
})
