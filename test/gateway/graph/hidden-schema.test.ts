/** Every way by which a client, known or anonymous, could read the schema where it is hidden. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGraph } from '../../support/graph.ts'
import { readText } from '../../support/sources.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '../../support/subgraph.ts'
import { bearer, connect, subscribeSse } from '../../support/subscribe.ts'

const TYPES = Object.keys(buildSchema(readText('schema/api.graphql')).getTypeMap())

const wordsOf = (text: string): Set<string> => new Set(text.match(/\w+/g))

/** The types that a text names beyond those that were sent. */
const typesIn = (text: string, sent = ''): string[] => {
  const [words, known] = [wordsOf(text), wordsOf(sent)]
  return TYPES.filter(type => words.has(type) && !known.has(type))
}

const REFUSED: readonly [what: string, query: string, variables?: object][] = [
  ['a field', '{ subscriber(mobileNumber: "+96891000001") { nothing } }'],
  ['an argument', '{ payments(nothing: 1) { totalCount } }'],
  ['an argument that is missing', '{ subscriber { kind } }'],
  ['an object without a selection', '{ payments }'],
  ['a selection of a leaf', '{ payments { totalCount { x } } }'],
  ['a literal', '{ payments(first: "x") { totalCount } }'],
  ['an enum value', '{ payments(orderBy: NOTHING) { totalCount } }'],
  ['a text for an enum', '{ payments(orderBy: "x") { totalCount } }'],
  ['an input', '{ timeline(filter: { nothing: 1 }) { totalCount } }'],
  ['an input that is none', '{ timeline(filter: 1) { totalCount } }'],
  ['a field of an input that is missing', 'mutation { createPayment(input: {}) { id } }'],
  ['a type that is not one', '{ transaction(id: "1") { ... on Nothing { id } } }'],
  ['a variable of another type', 'query ($v: Float) { payments(first: $v) { totalCount } }'],
  ['fields that cannot be merged', '{ me { a: id a: role } }'],
  ['a value of a variable', 'query ($v: Int) { payments(first: $v) { totalCount } }', { v: 'x' }],
  ['a phone number', '{ subscriber(mobileNumber: 1) { kind } }'],
  ['text that is none', '{ payments { '],
  ['introspection', '{ __schema { types { name } } }'],
  ['introspection of a type', '{ __type(name: "X") { name fields { name } } }'],
  ['the document of a subgraph', '{ _service { sdl } }'],
]

const SUBSCRIPTION = 'subscription ($t: String) { paymentEvents(filter: { eventTypes: $t }) { cursor } }'

/** Paths that show the schema, or examples of it, to every client. */
const PATHS = [
  '/schema.graphql',
  '/graphql',
  '/',
  '/reference',
  '/docs',
  '/docs/graph',
  '/openapi/prepaid.json',
]

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-'))
writeFileSync(join(folder, 'me.graphql'), 'query Me { me { id } }')
afterAll(() => rmSync(folder, { recursive: true }))

describe.each([
  ['INTROSPECTION=0', { INTROSPECTION: '0' }],
  ['TRUSTED_ONLY=1', { TRUSTED_ONLY: '1', TRUSTED_DOCUMENTS: folder }],
])('GRAPH-HIDDEN-01 %s MUST keep the schema', (_, env) => {
  let stack: Stack
  let subgraph: LoneSubgraph
  let token: string
  beforeAll(async () => {
    stack = await startStack({ env })
    subgraph = await serveSubgraph(stack.app, 'postpaid-billing')
    token = await stack.token('demo-portal')
  })
  afterAll(async () => {
    await subgraph?.[Symbol.asyncDispose]()
    await stack?.[Symbol.asyncDispose]()
  })

  const addressOf = (place: string) => (place === 'gateway' ? stack : subgraph).address

  it.each(['gateway', 'subgraph'])('from who asks for it by a path of the %s', async place => {
    for (const path of PATHS) {
      for (const headers of [
        {},
        { accept: 'text/html' },
        { accept: 'text/html', ...bearer(token) },
        bearer(token),
      ]) {
        const response = await fetch(addressOf(place) + path, { headers: { ...headers } })
        const text = await response.text()
        expect(text, path).not.toMatch(/type Query|customerName totalDues|__schema|input TimelineFilter/)
        if (path === '/schema.graphql') expect(response.status).toBe(404)
      }
    }
  })

  describe.each(['gateway', 'subgraph'])('in what the %s refuses', place => {
    it.each(REFUSED)('%s', async (_what, query, variables) => {
      const answer = await createGraph(addressOf(place))(query, { token, variables })
      expect(answer.data).toBeUndefined()
      expect(answer.errors.length).toBeGreaterThan(0)
      for (const { message } of answer.errors) expect(typesIn(message, query), message).toEqual([])
    })

    it('over WebSocket', async () => {
      using socket = connect(addressOf(place), bearer(token))
      for (const query of [
        SUBSCRIPTION,
        SUBSCRIPTION.replace('paymentEvents', 'nothing'),
        '{ __schema { types { name } } }',
      ]) {
        using events = socket.subscribe(query, { t: 1 })
        const ended = await Promise.race([events.ended, events.next().catch(error => error)])
        expect(typesIn(JSON.stringify(ended, ['message', 'errors', '0']), query), query).toEqual([])
      }
    })
  })

  it('in what is refused over server-sent events', async () => {
    for (const query of [SUBSCRIPTION, '{ __schema { types { name } } }']) {
      using events = subscribeSse(`${stack.address}/graphql/stream`, token, query, { t: 1 })
      const { data, errors } = await events.next()
      expect(data).toBeUndefined()
      for (const { message } of errors!) expect(typesIn(message, query), message).toEqual([])
    }
  })
})
