/** Quota of a client's operations in a minute, over every transport; four times as much at a subgraph's port. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DECOY_HASH } from '#core/access/secrets.ts'
import { createGraph, type Graph } from '#test/support/graph.ts'
import { type Stack, startStack } from '#test/support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '#test/support/subgraph.ts'
import { bearer, connect, subscribeSse } from '#test/support/subscribe.ts'

/** 21 fields. */
const PAGE = '{ payments(first: 10) { nodes { id } } }'

let stack: Stack
let graph: Graph
let port: LoneSubgraph
beforeAll(async () => {
  stack = await startStack()
  graph = createGraph(stack.address)
  port = await serveSubgraph(stack.app, 'postpaid-billing')
})
afterAll(async () => {
  await port?.[Symbol.asyncDispose]()
  await stack[Symbol.asyncDispose]()
})

/** A client that may come to 50 fields a minute. */
const tokenOf = async (id: string) => {
  const data = { id, name: id, role: 'portal', secretHash: DECOY_HASH, quotas: { costPerMinute: 50 } }
  await stack.app.db.client.create({ data })
  return stack.token(id)
}

test('over HTTP', async () => {
  const token = await tokenOf('over-http')
  expect((await graph(PAGE, { token })).errors).toEqual([])
  expect((await graph(PAGE, { token })).errors).toEqual([])
  const refused = await graph(PAGE, { token })
  expect(refused.status).toBe(503)
  expect(refused.errors[0]!.extensions.code).toBe('SERVICE_UNAVAILABLE')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await graph(PAGE, { token: await stack.token() })).errors).toEqual([])
})

test('over WebSocket and as an event stream', async () => {
  const token = await tokenOf('over-streams')
  using socket = connect(stack.address, bearer(token))
  using first = socket.subscribe(PAGE)
  expect((await first.next()).errors).toBeUndefined()
  using second = subscribeSse(`${stack.address}/graphql/stream`, token, PAGE)
  expect((await second.next()).errors).toBeUndefined()
  using third = subscribeSse(`${stack.address}/graphql/stream`, token, PAGE)
  expect((await third.next()).errors![0]!.extensions).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  using fourth = socket.subscribe(PAGE)
  const outcome = await Promise.race([fourth.ended, fourth.next().catch(error => error)])
  expect(JSON.stringify(outcome)).toContain('SERVICE_UNAVAILABLE')
})

/** 33 characters each, and so 33 fields. */
const wrong = (turn: number) => `{ payments { nothing${turn} more } }`

test('what is refused, over HTTP', async () => {
  const token = await tokenOf('refused-http')
  for (let turn = 0; turn < 2; turn++) expect((await graph(wrong(turn), { token })).status).toBe(400)
  const refused = await graph(PAGE, { token })
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // Nothing of it is looked at: it would be 400 otherwise.
  expect((await graph(wrong(2), { token })).status).toBe(503)
})

test('what is refused, over WebSocket and at the port of a subgraph', async () => {
  const ask = createGraph(port.address)
  const token = await tokenOf('refused-elsewhere')
  using socket = connect(stack.address, bearer(token))
  using subscription = socket.subscribe(wrong(0))
  await Promise.race([subscription.ended, subscription.next().catch(error => error)])
  expect((await ask(wrong(1), { token })).status).toBe(400)
  expect((await ask(PAGE, { token })).status).toBe(503)
  expect((await graph(PAGE, { token })).status).toBe(503)
})

test('at the port of a subgraph', async () => {
  const ask = createGraph(port.address)
  const token = await tokenOf('at-port')
  for (let turn = 0; turn < 9; turn++) expect((await ask(PAGE, { token })).errors).toEqual([])
  const refused = await ask(PAGE, { token })
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
