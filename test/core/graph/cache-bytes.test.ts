/** Caches for clients are bounded in bytes, however many large texts they send. */
import { parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audienceOf } from '#core/access/visibility.ts'
import { MAX_RESULT_BYTES, SingleFlight, sharedKey } from '#core/async/single-flight.ts'
import { createDocumentCache, MAX_DOCUMENT_BYTES } from '#core/graph/operation-limits.ts'
import { sizeOfResult } from '#core/values/json.ts'
import {
  createDocumentStore,
  createPersistedQueries,
  MAX_PERSISTED_BYTES,
} from '#gateway/supergraph/apollo-server.ts'
import { createGraph, type Graph } from '#test/support/graph.ts'
import { type Stack, startStack } from '#test/support/stack.ts'
import { serveSubgraph } from '#test/support/subgraph.ts'

const large = (index: number, length = 100_000) => `{ a${index} } #${'x'.repeat(length)}`

describe('caches', () => {
  test('of documents in a subgraph', () => {
    const cache = createDocumentCache()
    const document = parse('{ a }')
    for (let index = 0; index < 1_000; index++) cache.set(large(index, 50_000), document)
    expect(cache.calculatedSize).toBeLessThanOrEqual(MAX_DOCUMENT_BYTES)
    expect(cache.has(large(999, 50_000))).toBe(true)
    expect(cache.has(large(0, 50_000))).toBe(false)
  })

  test('a document that is used stays', () => {
    const cache = createDocumentCache()
    const document = parse('{ a }')
    cache.set('{ a }', document)
    for (let index = 0; index < 3_000; index++) {
      cache.set(`{ a${index} }`, document)
      expect(cache.get('{ a }')).toBe(document)
    }
  })

  test('of documents in the gateway, with the text that each keeps', async () => {
    const store = createDocumentStore()
    for (let index = 0; index < 500; index++) await store.set(`${index}`, parse(large(index)))
    expect(store.bytes).toBeLessThanOrEqual(MAX_DOCUMENT_BYTES)
    expect(store.bytes).toBeGreaterThan(MAX_DOCUMENT_BYTES / 2)
    expect(await store.get('0')).toBeUndefined()
  })

  test('of persisted queries', async () => {
    const cache = createPersistedQueries()
    for (let index = 0; index < 200; index++) await cache.set(`${index}`, large(index))
    expect(cache.bytes).toBeLessThanOrEqual(MAX_PERSISTED_BYTES)
    expect(await cache.get('0')).toBeUndefined()
    expect(await cache.get('199')).toBe(large(199))
  })

  test('of results that subscribers share', async () => {
    const sharing = new SingleFlight<object>()
    const key = sharedKey(audienceOf({ clientId: 'portal', role: 'portal' }), 'asked')
    const seats = [sharing.join(key), sharing.join(key)]
    for (let index = 0; index < 200; index++)
      await seats[0]!.execute(`${index}`, async () => ({ data: { text: large(index, 500_000) } }))
    await expect.poll(() => sharing.bytes).toBeGreaterThan(MAX_RESULT_BYTES / 2)
    expect(sharing.bytes).toBeLessThanOrEqual(MAX_RESULT_BYTES)
  })

  test('a result weighs what is in it', () => {
    expect(sizeOfResult({ a: ['x'.repeat(1_000), null, 5] })).toBeGreaterThan(2_000)
    expect(sizeOfResult(null)).toBeGreaterThan(0)
  })
})

describe('over HTTP', () => {
  let stack: Stack
  let token: string
  let graph: Graph
  beforeAll(async () => {
    stack = await startStack()
    token = await stack.token('demo-portal')
    graph = createGraph(stack.address)
  })
  afterAll(() => stack?.[Symbol.asyncDispose]())

  const text = (length: number) => `{ me { id } } #${'x'.repeat(length)}`

  test('a text of megabytes is refused before it is parsed; a subgraph takes what a gateway makes of one', async () => {
    const refused = await graph(text(100_000), { token })
    expect([refused.status, refused.errors[0]!.extensions.code]).toEqual([400, 'INVALID_ARGUMENT'])
    expect((await graph(text(90_000), { token })).data.me.id).toBe('demo-portal')
    await using port = await serveSubgraph(stack.app, 'activity')
    const ask = createGraph(port.address)
    expect((await ask(text(390_000), { token })).data.me.id).toBe('demo-portal')
    expect((await ask(text(400_000), { token })).errors[0]!.extensions.code).toBe('INVALID_ARGUMENT')
  })

  test('a search has so many words', async () => {
    const query = 'query ($text: String) { timeline(first: 1, filter: { text: $text }) { totalCount } }'
    const search = (text: string) => graph(query, { token, variables: { text } })
    for (const text of ['a '.repeat(11), 'x'.repeat(257), ' '.repeat(257), 'a,'.repeat(20_000)]) {
      const { errors } = await search(text)
      expect(errors[0]!.extensions.code).toBe('INVALID_ARGUMENT')
      expect(errors[0]!.message).toMatch(/filter\.text must not/)
    }
    expect((await search(` ${'a '.repeat(10)}`)).errors).toEqual([])
  })

  test('a summary has so many rows', async () => {
    const query = `query ($from: DateTime!, $to: DateTime!) {
      summary(from: $from, to: $to, by: DAY, groupBy: [CHANNEL, MERCHANT]) { count } }`
    const variables = { from: '2020-01-01T00:00:00Z', to: '2020-12-31T00:00:00Z' }
    await stack.app.db.$executeRaw`
      INSERT INTO activity.total_day (day, client_id, kind, outcome, currency, entries, amount, points)
      SELECT '2020-06-01'::date, 'demo-partner', 'PAYMENT', 'COMPLETED', 'OMR', 1, 1, 0`
    await stack.app.db.$executeRaw`
      INSERT INTO activity.client_day (day, client_id, kind, outcome, channel, merchant, currency, entries, amount, points)
      SELECT '2020-06-01'::date, 'demo-partner', 'PAYMENT', 'COMPLETED', 'WEB', 'm' || i, 'OMR', 1, 1, 0
      FROM generate_series(1, 10001) AS i`
    const { errors } = await graph(query, { token, variables })
    expect(errors[0]!.extensions.code).toBe('INVALID_ARGUMENT')
    expect(errors[0]!.message).toMatch(/more than 10000 rows: ask for the first ones/)
    await stack.app.db.$executeRaw`DELETE FROM activity.client_day WHERE merchant = 'm1'`
    expect((await graph(query, { token, variables })).data.summary).toHaveLength(10_000)
  })
})
