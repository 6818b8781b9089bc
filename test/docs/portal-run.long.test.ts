/** The snippets of docs/portal.md at work: signed in, over cut connections, and with the messages that people see of errors. */
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Client } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readFieldExamples } from '#gateway/reference/types.ts'
import { restOf } from '../support/both-interfaces.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { createGraph } from '../support/graph.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { DESK, type Project, writeProject } from './snippets.ts'

const [payments] = FIXTURES

let stack: Stack
/** Every connection to the server, to be cut. */
const sockets = new Set<Socket>()
beforeAll(async () => {
  stack = await startStack()
  stack.server.http.server.on('connection', socket => sockets.add(socket))
  await stack.settled()
})
afterAll(() => stack[Symbol.asyncDispose]())

const post = async (): Promise<string> => {
  const { path, body, idField } = payments!
  const token = await stack.token('demo-partner')
  return (await restOf(stack)('POST', path, { token, body: body() })).body[idField]
}

interface Bff {
  sessionToken(client: object, isSignedIn: boolean): Promise<Response>
}

interface Errors {
  adviceOf(error: object): string
  faultsByField(errors: readonly object[]): Record<string, string[]>
}

interface Follow {
  overWebSocket(url: string): Client
  overSse(url: string): Client
  follow(
    streams: Client,
    query: string,
    after?: string,
  ): AsyncGenerator<{ cursor: string; transaction: { id: string } }, undefined>
}

let project: Project
const bff = createServer(async (request, response) => {
  const { sessionToken } = await project.load<Bff>('server/bff.ts')
  const client = { graph: stack.address, id: 'demo-portal', secret: 'demo-portal-secret' }
  const { status, headers, body } = await sessionToken(client, request.url === '/session/token')
  response.writeHead(status, Object.fromEntries(headers)).end(body && (await new Response(body).text()))
})
const addressOf = () => `http://127.0.0.1:${(bff.address() as AddressInfo).port}`

beforeAll(async () => {
  await new Promise<void>(done => bff.listen(0, '127.0.0.1', done))
  project = writeProject(text => text.replace("'/session/token'", `'${addressOf()}/session/token'`))
})
afterAll(() => {
  project[Symbol.dispose]()
  bff.close()
})

it('DOCS-45 MUST get its token from its own server, which gives none to anonymous clients', async () => {
  const { accessToken } = await project.load<{ accessToken(): Promise<string> }>('src/session.ts')
  const token = await accessToken()
  expect((await createGraph(stack.address)('{ me { id } }', { token })).data.me.id).toBe('demo-portal')
  expect(await accessToken()).toBe(token)
  expect((await fetch(addressOf())).status).toBe(401)
})

const PATIENT = { interval: 5, timeout: 10_000 }

const WAYS = { overWebSocket: '/graphql', overSse: '/graphql/stream' } as const

/** The snippet's client on this server. */
const streamsOf = (snippet: Follow, way: keyof typeof WAYS) =>
  snippet[way]((way === 'overSse' ? stack.address : stack.address.replace('http', 'ws')) + WAYS[way])

const ask = async (query: string) =>
  (await createGraph(stack.address)(query, { token: await stack.token('demo-portal') })).data

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('following %s', way => {
  it('DOCS-46 MUST bring what happened since a cursor', async () => {
    const snippet = await project.load<Follow>('src/follow.ts')
    const { events } = await ask('{ events(first: 4, orderBy: OLDEST_FIRST) { edges { cursor } } }')
    const [begin, ...cursors] = events.edges.map(({ cursor }: { cursor: string }) => cursor)
    const streams = streamsOf(snippet, way)
    const seen: string[] = []
    for await (const { cursor } of snippet.follow(streams, DESK, begin)) {
      seen.push(cursor)
      if (seen.length === cursors.length) break
    }
    expect(seen).toEqual(cursors)
    streams.dispose()
  })

  it('DOCS-48 MUST lose nothing by a connection that is cut, and bring nothing twice', async () => {
    const snippet = await project.load<Follow>('src/follow.ts')
    const { latestEventCursor } = await ask('{ latestEventCursor }')
    const streams = streamsOf(snippet, way)
    const following = snippet.follow(streams, DESK, latestEventCursor)
    const next = async () => (await following.next()).value!.transaction.id
    const first = next()
    await vi.waitFor(() => expect(stack.listeners()).toBe(1), PATIENT)
    const posted = [await post()]
    expect(await first).toBe(posted[0])
    const second = next()
    for (const socket of sockets) socket.destroy()
    await vi.waitFor(() => expect(stack.listeners()).toBe(0), PATIENT)
    posted.push(await post(), await post())
    await stack.settled()
    const seen = [posted[0], await second, await next()]
    await vi.waitFor(() => expect(stack.listeners()).toBe(1), PATIENT)
    posted.push(await post())
    expect([...seen, await next()]).toEqual(posted)
    await following.return(undefined)
    streams.dispose()
  })
})

it('DOCS-47 MUST tell by the errors what a person can do, and what is not there from what is away', async () => {
  const { adviceOf, faultsByField } = await project.load<Errors>('src/errors.ts')
  type Away = (errors: readonly object[], ...field: string[]) => boolean
  const { isUnavailable } = await project.load<{ isUnavailable: Away }>('src/partial.ts')
  const graph = createGraph(stack.address)
  const token = await stack.token('demo-partner')
  const payment = readFieldExamples().find(({ field }) => field === 'createPayment')!.text
  await graph(payment, { token })
  const [repeat, stranger, wrong] = await Promise.all([
    graph(payment, { token }),
    graph('{ me { id } }'),
    graph('{ payments(first: 1000) { totalCount } me { id } }', { token }),
  ])
  expect([repeat, stranger, wrong].map(({ errors }) => adviceOf(errors[0]!))).toEqual([
    'done before',
    'sign in',
    'mend',
  ])
  expect(faultsByField(wrong.errors)).toEqual({ first: [expect.any(String)] })
  expect(isUnavailable(wrong.errors, 'payments')).toBe(true)
  expect(isUnavailable(wrong.errors, 'me')).toBe(false)
})
