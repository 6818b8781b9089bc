/** Trusted documents over the wire: named by every id and name that clients' tools send, and nothing else where that is said. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient as createSse } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTrustedDocuments } from '../../../gateway/operation/trusted-documents/documents.ts'
import { ConfigError } from '../../../subgraphs/shared/config/config.ts'
import { pay } from '../../shared/webhooks/support.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { bearer, collect, connect } from '../../support/subscribe.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const ME = 'query Me { me { id } }'
const KIND = 'query Kind($n: PhoneNumber!) { subscriber(mobileNumber: $n) { kind } }'
const WATCH = 'subscription Watch { paymentEvents { eventDetail { paymentId } } }'
const STOP = 'mutation Stop { __typename }'
const PROVIDED = readFileSync('schema/operations/customer-360.graphql', 'utf8')
const UNTRUSTED = 'query Me { me { id name } }'

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-'))
const operation = (name: string, type: string, body: string) => ({ id: sha256(body), name, type, body })

/** One manifest of each tool, and an operation in a file. */
const writeManifests = () => {
  const apollo = {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [operation('Me', 'query', ME), operation('Watch', 'subscription', WATCH)],
  }
  writeFileSync(join(folder, 'apollo.json'), JSON.stringify(apollo))
  writeFileSync(join(folder, 'relay.json'), JSON.stringify({ [md5(KIND)]: KIND, [md5(STOP)]: STOP }))
  writeFileSync(join(folder, 'customer-360.graphql'), PROVIDED)
  writeFileSync(join(folder, 'notes.txt'), 'no manifest')
}

let open: Stack
let closed: Stack
let token: Record<'open' | 'closed', string>
beforeAll(async () => {
  writeManifests()
  open = await startStack({ env: { TRUSTED_DOCUMENTS: folder } })
  closed = await startStack({ env: { TRUSTED_DOCUMENTS: folder, TRUSTED_ONLY: '1' } })
  token = { open: await open.token(), closed: await closed.token() }
})
afterAll(async () => {
  await open?.[Symbol.asyncDispose]()
  await closed?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const SERVERS = ['open', 'closed'] as const
type Server = (typeof SERVERS)[number]
const addressOf = (server: Server) => (server === 'open' ? open : closed).address

const read = async (response: Response) => ({
  status: response.status,
  // biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
  ...((await response.json()) as any),
})

const post = async (server: Server, body: object, headers: Record<string, string> = {}) =>
  read(
    await fetch(`${addressOf(server)}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(token[server]), ...headers },
      body: JSON.stringify(body),
    }),
  )

const get = async (
  server: Server,
  parameters: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  read(
    await fetch(`${addressOf(server)}/graphql?${new URLSearchParams(parameters)}`, {
      headers: { 'apollo-require-preflight': '1', ...bearer(token[server]), ...headers },
    }),
  )

const byHash = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } })
const ID = { data: { me: { id: 'demo-partner' } } }
const refusal = (reason: string) => ({
  status: 400,
  errors: [{ extensions: { code: 'INVALID_ARGUMENT', http: { status: 400 }, reason } }],
})

/** Every way in which a request can name the document Me. */
const NAMED: [string, object][] = [
  ['documentId', { documentId: sha256(ME) }],
  ['documentId with the prefix of its method', { documentId: `sha256:${sha256(ME)}` }],
  ['id', { id: sha256(ME) }],
  ['doc_id', { doc_id: sha256(ME) }],
  ["Apollo's extension", { extensions: byHash(sha256(ME)) }],
  ['an empty text beside it', { query: '', documentId: sha256(ME) }],
  [
    'null beside it',
    { query: null, documentId: sha256(ME), variables: null, extensions: null, operationName: null },
  ],
  ['its text, unchanged', { query: ME }],
]

describe.each(SERVERS)('named, at a server that is %s to others', server => {
  it.each(NAMED)('TRUSTED-01 MUST be executed by POST: %s', async (_, body) => {
    expect(await post(server, body)).toEqual({ status: 200, ...ID })
  })

  it.each(NAMED.filter(([name]) => !name.startsWith('null')))(
    'TRUSTED-02 MUST be executed by GET: %s',
    async (_, body) => {
      const parameters = Object.entries(body).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ])
      expect(await get(server, Object.fromEntries(parameters))).toEqual({ status: 200, ...ID })
    },
  )

  it('TRUSTED-03 MUST be executed with variables, by an id that is no SHA-256', async () => {
    const variables = { n: '+96891000002' }
    const expected = { status: 200, data: { subscriber: { kind: 'POSTPAID' } } }
    for (const body of [
      { doc_id: md5(KIND) },
      { documentId: `sha256:${sha256(KIND)}` },
      { extensions: byHash(sha256(KIND)) },
    ])
      expect(await post(server, { ...body, variables, operationName: 'Kind' })).toMatchObject(expected)
    expect(await get(server, { id: md5(KIND), variables: JSON.stringify(variables) })).toMatchObject(expected)
  })

  it('TRUSTED-04 MUST be executed from a file, by the hash of its text', async () => {
    const variables = { n: '+96891000002' }
    const { status, data } = await post(server, { documentId: sha256(PROVIDED), variables })
    expect([status, data.subscriber.kind]).toEqual([200, 'POSTPAID'])
  })

  it('TRUSTED-05 MUST follow events over WebSocket and as an event stream', async () => {
    const url = `${addressOf(server)}/graphql/stream`
    using socket = connect(addressOf(server), bearer(token[server]))
    const sse = createSse({ url, headers: bearer(token[server]), retryAttempts: 0 })
    const ways = [
      (sink: never) => socket.client.subscribe({ query: '', extensions: byHash(sha256(WATCH)) }, sink),
      (sink: never) => socket.client.subscribe({ query: '', documentId: sha256(WATCH) } as never, sink),
      (sink: never) => sse.subscribe({ extensions: byHash(sha256(WATCH)) } as never, sink),
      (sink: never) => sse.subscribe({ doc_id: sha256(WATCH) } as never, sink),
    ]
    const stack = server === 'open' ? open : closed
    for (const subscribe of ways) {
      await vi.waitFor(() => expect(stack.listeners()).toBe(0))
      using events = collect(sink => subscribe(sink as never))
      await vi.waitFor(() => expect(stack.listeners()).toBe(1))
      const paymentId = await pay(stack, token[server])
      expect((await events.next()).data.paymentEvents.eventDetail.paymentId).toBe(paymentId)
    }
  })

  it('TRUSTED-06 MUST be a stream by an address alone, where both are accepted', async () => {
    const address = `${addressOf(server)}/graphql?documentId=${sha256(WATCH)}`
    const headers = { accept: 'application/json, text/event-stream', ...bearer(token[server]) }
    const response = await fetch(address, { headers })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    await response.body?.cancel()
  })

  it('TRUSTED-07 MUST not be changed by GET', async () => {
    expect(await get(server, { documentId: md5(STOP) })).toMatchObject({ status: 405 })
  })

  it('TRUSTED-08 MUST be refused by GET to what a page sends without asking', async () => {
    expect(await get(server, { documentId: sha256(ME) }, { 'apollo-require-preflight': '' })).toMatchObject({
      status: 400,
    })
  })

  it('TRUSTED-09 MUST be told to nobody without a token', async () => {
    for (const documentId of [sha256(ME), sha256('x')]) {
      const response = await post(server, { documentId }, { authorization: 'Bearer x' })
      expect(response).toMatchObject({ status: 401, errors: [{ extensions: { code: 'UNAUTHORIZED' } }] })
    }
  })
})

describe('a server that executes others too', () => {
  it('TRUSTED-20 MUST execute any text', async () => {
    expect(await post('open', { query: UNTRUSTED })).toMatchObject({ status: 200 })
  })

  it('TRUSTED-21 MUST say that it does not know an id', async () => {
    const fault = refusal('UNKNOWN_DOCUMENT')
    expect(await post('open', { documentId: 'no-such' })).toMatchObject(fault)
    expect(await get('open', { id: 'no-such' })).toMatchObject(fault)
  })

  it('TRUSTED-22 MUST ask for the text of a hash that it does not know, as ever', async () => {
    const body = { extensions: byHash(sha256(UNTRUSTED)) }
    expect(await post('open', body)).toMatchObject({
      errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    })
    expect(await post('open', { ...body, query: UNTRUSTED })).toMatchObject({ status: 200 })
    expect(await post('open', { ...body, id: 'of-something-else' })).toMatchObject({ status: 200 })
  })
})

const REFUSED: [string, object][] = [
  ['another text', { query: UNTRUSTED }],
  ['a text that differs by a blank', { query: `${ME} ` }],
  ['introspection', { query: '{ __schema { queryType { name } } }' }],
  ['a text that would be kept', { query: UNTRUSTED, extensions: byHash(sha256(UNTRUSTED)) }],
  ['a hash that is not known', { extensions: byHash(sha256(UNTRUSTED)) }],
  ['a hash of another version', { extensions: { persistedQuery: { version: 2, sha256Hash: sha256(ME) } } }],
  ['an id that is not known', { documentId: 'x' }],
  ['another text beside an id', { query: UNTRUSTED, documentId: sha256(ME) }],
  ['nothing', { variables: {} }],
]

describe('a server that executes nothing else', () => {
  it.each(REFUSED)('TRUSTED-30 MUST refuse it, and say what to do: %s', async (_, body) => {
    const parameters = Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    for (const response of [
      await post('closed', body),
      await get('closed', Object.fromEntries(parameters)),
    ]) {
      expect(response).toMatchObject(refusal('NOT_TRUSTED'))
      expect(response.errors).toHaveLength(1)
      expect(response.errors[0].message).toMatch(/name one by its id \(documentId, /)
      expect(response).not.toHaveProperty('data')
    }
  })

  it.each(REFUSED)('TRUSTED-31 MUST refuse it over WebSocket and as an event stream: %s', async (_, body) => {
    using socket = connect(closed.address, bearer(token.closed))
    const told = {
      message: expect.stringContaining('trusted documents'),
      extensions: { reason: 'NOT_TRUSTED' },
    }
    const asked = collect(sink => socket.client.subscribe({ query: '', ...body } as never, sink as never))
    expect(await asked.ended).toEqual([
      expect.objectContaining({ ...told, extensions: expect.objectContaining(told.extensions) }),
    ])
    const response = await fetch(`${closed.address}/graphql/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...bearer(token.closed) },
      body: JSON.stringify({ query: '{ x }', ...body }),
    })
    expect(await response.text()).toContain('"reason":"NOT_TRUSTED"')
  })

  it('TRUSTED-32 MUST refuse a subscription that is not among them', async () => {
    using socket = connect(closed.address, bearer(token.closed))
    using events = socket.subscribe('subscription { paymentEvents { cursor } }')
    expect(await events.ended).toMatchObject([{ extensions: { reason: 'NOT_TRUSTED' } }])
  })

  it('TRUSTED-33 MUST not be got round by what is said twice', async () => {
    const address = `${closed.address}/graphql?query=${encodeURIComponent(UNTRUSTED)}&query=${encodeURIComponent(ME)}`
    const headers = { 'apollo-require-preflight': '1', ...bearer(token.closed) }
    for (const url of [address, `${address}&documentId=${sha256(ME)}`]) {
      const response = await read(await fetch(url, { headers }))
      expect([response.status, response.data]).toEqual([400, undefined])
    }
    expect(await post('closed', [{ query: ME }, { query: UNTRUSTED }])).toMatchObject({ status: 400 })
    const twice = `{"query":${JSON.stringify(ME)},"query":${JSON.stringify(UNTRUSTED)}}`
    const raw = await fetch(`${closed.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(token.closed) },
      body: twice,
    })
    expect(await read(raw)).toMatchObject(refusal('NOT_TRUSTED'))
  })
})

describe('at the start', () => {
  it('TRUSTED-50 MUST be refused by name and reason, all that do not fit the supergraph', async () => {
    const texts = {
      unknown: 'query Unknown { nothing }',
      unread: 'query Unread {',
      deep: `query Deep { subscriber(mobileNumber: "+96891000001") { ${'customer { subscribers { '.repeat(10)} kind ${'} }'.repeat(10)} } }`,
      scalar: 'query Scalar { subscriber(mobileNumber: "nobody") { kind } }',
      fits: ME,
    }
    const file = join(folder, 'unfit.manifest')
    writeFileSync(file, JSON.stringify(texts))
    const starting = startStack({ env: { TRUSTED_DOCUMENTS: file } }).then(stack =>
      stack[Symbol.asyncDispose](),
    )
    await expect(starting).rejects.toThrow(ConfigError)
    const { message } = (await starting.catch(error => error)) as Error
    expect(message.split('\n')).toEqual([
      'The configuration has 4 fault(s):',
      expect.stringMatching(
        /^ {2}TRUSTED_DOCUMENTS Unknown \(unknown\) does not fit the supergraph: Cannot query field "nothing"/,
      ),
      expect.stringMatching(/^ {2}TRUSTED_DOCUMENTS unread does not fit the supergraph: Syntax Error/),
      expect.stringMatching(/^ {2}TRUSTED_DOCUMENTS Deep \(deep\) does not fit the supergraph: .*depth/i),
      expect.stringMatching(
        /^ {2}TRUSTED_DOCUMENTS Scalar \(scalar\) does not fit the supergraph: .*PhoneNumber must be/,
      ),
    ])
  })

  it('TRUSTED-51 MUST be told to whoever plans operations before they are asked for', () => {
    const documents = [...createTrustedDocuments(open.app.config.trusted)]
    expect(documents.map(({ operationName }) => operationName).toSorted()).toEqual([
      'Customer360',
      'Kind',
      'Me',
      'Stop',
      'Watch',
    ])
    expect(documents.find(({ operationName }) => operationName === 'Kind')).toEqual({
      id: md5(KIND),
      text: KIND,
      operationName: 'Kind',
    })
  })
})
