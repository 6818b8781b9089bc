/** `@defer` as clients use it: over HTTP in parts, over WebSocket and SSE, and whole where parts are not taken. */
import { createHash } from 'node:crypto'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Defer20220824Handler } from '@apollo/client/incremental'
import { Client, cacheExchange, fetchExchange } from '@urql/core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { LaterPart } from '#gateway/deferral/parts.ts'
import { pay } from '#test/core/webhooks/support.ts'
import { merge } from '#test/support/merged-parts.ts'
import { IS_COMPILED } from '../../support/graph.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { bearer, collect, connect, subscribeSse } from '../../support/subscribe.ts'
import { partsOf, readParts } from './multipart.ts'

/** Apollo Gateway answers them whole. */
const inParts = it.runIf(IS_COMPILED)

let stack: Stack
let portal: string
let partner: string
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
  portal = await stack.token('demo-portal')
  partner = await stack.token('demo-partner')
  await pay(stack, partner)
  await stack.settled()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const APOLLO = 'multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9'

const QUERY = `query Dues($n: PhoneNumber!, $later: Boolean = true) {
  subscriber(mobileNumber: $n) {
    customer { customerAccountNumber totalDues ...Sums @defer(label: "sums", if: $later) }
  }
}
fragment Sums on Customer { totalDues summary(by: ALL, groupBy: [KIND]) { kind count } }`

const VARIABLES = { n: '+96891000002' }

interface Body {
  readonly query?: string
  readonly variables?: object
  readonly extensions?: object
}

const post = (body: Body, { accept = APOLLO, token = portal, headers = {} } = {}) =>
  fetch(`${stack.address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  })

// biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
const read = async (response: Response): Promise<any> => response.json()

const whole = async (body: Body, token = portal) =>
  read(await post(body, { accept: 'application/json', token }))

const expectInParts = async (response: Response) => {
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'multipart/mixed; boundary="-"; deferSpec=20220824',
  ])
  return partsOf(response)
}

/** Parts of `QUERY`, as every transport gives them. */
const expectParts = async (parts: unknown[]) => {
  const { data } = await whole({ query: QUERY, variables: VARIABLES })
  const { customerAccountNumber, totalDues, summary } = data.subscriber.customer
  expect(summary.length).toBeGreaterThan(1)
  expect(parts).toEqual([
    { data: { subscriber: { customer: { customerAccountNumber, totalDues } } }, hasNext: true },
    {
      incremental: [{ label: 'sums', path: ['subscriber', 'customer'], data: { totalDues, summary } }],
      hasNext: false,
    },
  ])
}

describe('@defer over HTTP', () => {
  inParts('DEFER-01 MUST send what is deferred in a later part, to a client that takes parts', async () => {
    await expectParts(await expectInParts(await post({ query: QUERY, variables: VARIABLES })))
  })

  inParts('DEFER-02 MUST answer the same each time, with the cost of the whole', async () => {
    const response = await post({ query: QUERY, variables: VARIABLES })
    const other = await post({ query: QUERY, variables: VARIABLES }, { accept: 'application/json' })
    expect(response.headers.get('x-operation-cost')).toBe(other.headers.get('x-operation-cost'))
    expect(response.headers.get('cache-control')).toBe('no-store')
    await expectParts(await partsOf(response))
  })

  it.each([
    'application/json',
    'application/graphql-response+json',
    '*/*',
    'multipart/mixed;incrementalSpec=v0.2, application/json',
    'multipart/mixed;subscriptionSpec=1.0, application/json',
    'multipart/mixed;deferSpec=20230101, application/json',
    'multipart/mixed;q=0, application/json',
  ])('DEFER-03 MUST answer whole where parts are not taken: %s', async accept => {
    const response = await post({ query: QUERY, variables: VARIABLES }, { accept })
    expect(response.headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json/)
    expect((await read(response)).data.subscriber.customer.summary.length).toBeGreaterThan(1)
  })

  inParts.each([
    'multipart/mixed',
    'Multipart/Mixed; deferSpec="20220824"',
    'application/json;q=0.5, multipart/mixed;q=0.1',
  ])('DEFER-04 MUST take parts as accepted by %s', async accept => {
    await expectParts(await expectInParts(await post({ query: QUERY, variables: VARIABLES }, { accept })))
  })

  it('DEFER-05 MUST answer whole where a variable says so', async () => {
    const response = await post({ query: QUERY, variables: { ...VARIABLES, later: false } })
    expect(response.headers.get('content-type')).toMatch(/^application\/graphql-response\+json/)
    expect(await read(response)).toEqual(await whole({ query: QUERY, variables: VARIABLES }))
  })

  it('DEFER-06 MUST answer with one part where a client takes nothing else', async () => {
    const query = '{ me { id } }'
    const parts = await expectInParts(await post({ query }, { accept: 'multipart/mixed;deferSpec=20220824' }))
    expect(parts).toEqual([{ data: { me: { id: 'demo-portal' } }, hasNext: false }])
  })

  it('DEFER-07 MUST refuse as without @defer what cannot be executed', async () => {
    for (const query of [
      '{ me { ... @defer { unknown } } }',
      '{ me { id ... @defer(label: 5) { name } } }',
    ]) {
      const response = await post({ query })
      expect([response.status, (await read(response)).errors[0].extensions.code]).toEqual([
        400,
        'INVALID_ARGUMENT',
      ])
    }
  })

  it.each([
    ['{ me { ... @defer(label: "a") { id } ... @defer(label: "a") { name } } }', 'Two @defer'],
    ['query ($l: String) { me { ... @defer(label: $l) { id } } }', 'not a variable'],
  ])('DEFER-08 MUST refuse labels that do not tell parts apart', async (query, message) => {
    const response = await post({ query })
    expect([response.status, (await read(response)).errors[0].message]).toEqual([
      400,
      expect.stringContaining(message),
    ])
  })

  inParts('DEFER-09 MUST report a refused field in its own part', async () => {
    const query = '{ payments(first: 1) { nodes { id ... @defer { interventions { action } } } } }'
    const [first, ...rest] = await expectInParts(await post({ query }, { token: partner }))
    const expected = await whole({ query }, partner)
    expect(expected.errors.length).toBeGreaterThan(0)
    const results = rest.flatMap(({ incremental }) => incremental as { errors?: object[] }[])
    const errors = [...((first!['errors'] as object[]) ?? []), ...results.flatMap(one => one.errors ?? [])]
    expect(errors).toEqual(expected.errors)
  })

  inParts('DEFER-10 MUST defer within lists, and fragments within fragments', async () => {
    const query = `{ timeline(first: 3, filter: { kinds: [PAYMENT] }) { nodes { occurredAt
      ... @defer(label: "outer") { transaction { id ... on Payment @defer(label: "inner") { customer { summary(by: ALL) { count } } } } } } } }`
    const parts = await expectInParts(await post({ query }))
    const { data } = await whole({ query })
    const { data: merged, results } = merge(parts[0]!, parts.slice(1) as unknown as LaterPart<unknown>[])
    expect(merged).toEqual(data)
    const labels = results.map(({ label }) => label)
    expect(labels).toContain('inner')
  })

  inParts('DEFER-11 MUST know operations by their hash', async () => {
    const sha256Hash = createHash('sha256').update(QUERY).digest('hex')
    const extensions = { persistedQuery: { version: 1, sha256Hash } }
    await partsOf(await post({ query: QUERY, variables: VARIABLES, extensions }))
    await expectParts(await expectInParts(await post({ variables: VARIABLES, extensions })))
  })

  inParts('DEFER-12 MUST explain the plan in parts with the first', async () => {
    const response = await post({ query: QUERY, variables: VARIABLES }, { headers: { 'x-explain': '1' } })
    const [first] = await expectInParts(response)
    expect(first).toMatchObject({
      extensions: { explain: { plan: { kind: 'Condition', ifTrue: { kind: 'Defer' } } } },
    })
  })

  it('DEFER-13 MUST write files of rows whatever is deferred', async () => {
    const query = '{ timeline(first: 2) { nodes { kind ... @defer { outcome } } } }'
    const response = await post({ query }, { accept: 'text/csv' })
    expect([response.status, (await response.text()).split('\r\n')[0]]).toEqual([200, 'kind,outcome'])
  })

  it('DEFER-14 MUST keep the fields of mutations together', async () => {
    const query = `mutation { ... @defer { redeliverWebhooks(filter: { status: DEAD }) } }`
    const response = await post({ query })
    expect(await read(response)).toEqual({ data: { redeliverWebhooks: 0 } })
  })

  it.runIf(!IS_COMPILED)('DEFER-16 MUST answer whole where nothing is compiled', async () => {
    const response = await post({ query: QUERY, variables: VARIABLES })
    expect(response.headers.get('content-type')).toMatch(/^application\/graphql-response\+json/)
    expect((await read(response)).data.subscriber.customer.summary.length).toBeGreaterThan(1)
  })

  inParts('DEFER-15 MUST be one request in the log, with the bytes of all parts', async () => {
    const correlator = `deferred-${Date.now()}`
    const response = await post(
      { query: QUERY, variables: VARIABLES },
      { headers: { 'x-correlator': correlator } },
    )
    for await (const _ of readParts(response));
    const query = `{ requests(filter: { correlator: "${correlator}" }) { nodes { operation status code } } }`
    await vi.waitFor(
      async () =>
        expect((await whole({ query })).data.requests.nodes).toEqual([
          { operation: 'Dues', status: 200, code: null },
        ]),
      { timeout: 20_000, interval: 100 },
    )
  })
})

describe('@defer with clients', () => {
  inParts(
    'DEFER-20 MUST show a page of Apollo Client first without, then with what is deferred',
    async () => {
      const client = new ApolloClient({
        link: new HttpLink({
          uri: `${stack.address}/graphql`,
          headers: bearer(portal) as Record<string, string>,
        }),
        cache: new InMemoryCache(),
        incrementalHandler: new Defer20220824Handler(),
      })
      const states = collect(sink => {
        const query = client.watchQuery({ query: gql(QUERY), variables: VARIABLES })
        const subscription = query.subscribe(({ data, dataState }) => {
          if (data) sink.next({ data, dataState })
          if (dataState === 'complete') sink.complete()
        })
        return () => subscription.unsubscribe()
      })
      const [first, last] = await states.take(2)
      states[Symbol.dispose]()
      expect([first, last]).toMatchObject([
        { dataState: 'streaming', data: { subscriber: { customer: { customerAccountNumber: '100002' } } } },
        { dataState: 'complete', data: { subscriber: { customer: { summary: expect.any(Array) } } } },
      ])
      expect(first!.data.subscriber.customer).not.toHaveProperty('summary')
      client.stop()
    },
  )

  inParts('DEFER-21 MUST show a page of urql first without, then with what is deferred', async () => {
    const client = new Client({
      url: `${stack.address}/graphql`,
      preferGetMethod: false,
      fetchOptions: { headers: bearer(portal) },
      exchanges: [cacheExchange, fetchExchange],
    })
    const results = collect(sink => {
      const { unsubscribe } = client.query(QUERY, VARIABLES).subscribe(result => sink.next(result))
      return unsubscribe
    })
    const [first, last] = (await results.take(2)) as unknown as {
      data: object
      hasNext: boolean
      error?: Error
    }[]
    results[Symbol.dispose]()
    expect([first!.error, last!.error]).toEqual([undefined, undefined])
    expect([first!.hasNext, last!.hasNext]).toEqual([true, false])
    expect(last!.data).toMatchObject({ subscriber: { customer: { summary: expect.any(Array) } } })
  })
})

describe('@defer over streams', () => {
  inParts('DEFER-30 MUST send parts over WebSocket', async () => {
    using socket = connect(stack.address, bearer(portal))
    using results = socket.subscribe(QUERY, VARIABLES)
    await expectParts(await results.take(2))
    expect(await results.ended).toBeUndefined()
  })

  inParts.each(['/graphql/stream', '/graphql'])(
    'DEFER-31 MUST send parts as server-sent events at %s',
    async path => {
      using results = subscribeSse(stack.address + path, portal, QUERY, VARIABLES)
      await expectParts(await results.take(2))
      expect(await results.ended).toBeUndefined()
    },
  )

  it('DEFER-32 MUST leave an event of a subscription whole', async () => {
    using socket = connect(stack.address, bearer(portal))
    const { data } = await whole({ query: '{ events(first: 2) { nodes { cursor } } }' })
    using events = socket.subscribe(
      'subscription ($after: String) { transactionEvents(after: $after) { cursor ... @defer { transaction { id } } } }',
      { after: data.events.nodes[1].cursor },
    )
    expect((await events.next()).data?.transactionEvents).toMatchObject({
      transaction: { id: expect.any(String) },
    })
  })
})
