/** Trusted documents as the tests of them share them: manifests of each tool, requests that name them, and what holds at any server. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient as createSse } from 'graphql-sse'
import { expect, it, vi } from 'vitest'
import { pay } from '#test/core/webhooks/support.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { bearer, collect, connect } from '../../support/subscribe.ts'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
export const md5 = (text: string) => createHash('md5').update(text).digest('hex')

export const ME = 'query Me { me { id } }'
export const KIND = 'query Kind($n: PhoneNumber!) { subscriber(mobileNumber: $n) { kind } }'
const WATCH = 'subscription Watch { paymentEvents { eventDetail { paymentId } } }'
const STOP = 'mutation Stop { __typename }'
const PROVIDED = readFileSync('schema/operations/customer-360.graphql', 'utf8')

const WAIT = { timeout: 10_000 }

const operation = (name: string, type: string, body: string) => ({ id: sha256(body), name, type, body })

export interface Manifests extends Disposable {
  readonly folder: string
}

/** One manifest of each tool, and an operation in a file. */
export function writeManifests(): Manifests {
  const folder = mkdtempSync(join(tmpdir(), 'partner-graph-'))
  const apollo = {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [operation('Me', 'query', ME), operation('Watch', 'subscription', WATCH)],
  }
  writeFileSync(join(folder, 'apollo.json'), JSON.stringify(apollo))
  writeFileSync(join(folder, 'relay.json'), JSON.stringify({ [md5(KIND)]: KIND, [md5(STOP)]: STOP }))
  writeFileSync(join(folder, 'customer-360.graphql'), PROVIDED)
  writeFileSync(join(folder, 'notes.txt'), 'no manifest')
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** A server with them, and what a client sends to it. */
export async function startTrusting({ folder }: Manifests, env: Record<string, string> = {}) {
  const stack: Stack = await startStack({ env: { TRUSTED_DOCUMENTS: folder, ...env } })
  const token = await stack.token()
  const post = async (body: object, headers: Record<string, string> = {}) =>
    read(
      await fetch(`${stack.address}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(token), ...headers },
        body: JSON.stringify(body),
      }),
    )
  const get = async (body: object, headers: Record<string, string> = {}) =>
    read(
      await fetch(`${stack.address}/graphql?${parametersOf(body)}`, {
        headers: { 'apollo-require-preflight': '1', ...bearer(token), ...headers },
      }),
    )
  return { stack, token, post, get }
}

export type Trusting = Awaited<ReturnType<typeof startTrusting>>

export const read = async (response: Response) => ({
  status: response.status,
  // biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
  ...((await response.json()) as any),
})

/** A request by its address: texts as they are, all else as JSON. */
const parametersOf = (body: object) =>
  new URLSearchParams(
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  )

export const byHash = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } })
const ID = { data: { me: { id: 'demo-partner' } } }

export const refusal = (reason: string) => ({
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

/** Documents that are named are executed, by whichever name and over whichever transport. */
export function auditNamed(server: () => Trusting): void {
  it.each(NAMED)('TRUSTED-01 MUST be executed by POST: %s', async (_, body) => {
    expect(await server().post(body)).toEqual({ status: 200, ...ID })
  })

  it.each(NAMED.filter(([name]) => !name.startsWith('null')))(
    'TRUSTED-02 MUST be executed by GET: %s',
    async (_, body) => {
      expect(await server().get(body)).toEqual({ status: 200, ...ID })
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
      expect(await server().post({ ...body, variables, operationName: 'Kind' })).toMatchObject(expected)
    expect(await server().get({ id: md5(KIND), variables })).toMatchObject(expected)
  })

  it('TRUSTED-04 MUST be executed from a file, by the hash of its text', async () => {
    const variables = { n: '+96891000002' }
    const { status, data } = await server().post({ documentId: sha256(PROVIDED), variables })
    expect([status, data.subscriber.kind]).toEqual([200, 'POSTPAID'])
  })

  it('TRUSTED-05 MUST follow events over WebSocket and as an event stream', async () => {
    const url = `${server().stack.address}/graphql/stream`
    using socket = connect(server().stack.address, bearer(server().token))
    const sse = createSse({ url, headers: bearer(server().token), retryAttempts: 0 })
    const ways = [
      (sink: never) => socket.client.subscribe({ query: '', extensions: byHash(sha256(WATCH)) }, sink),
      (sink: never) => socket.client.subscribe({ query: '', documentId: sha256(WATCH) } as never, sink),
      (sink: never) => sse.subscribe({ extensions: byHash(sha256(WATCH)) } as never, sink),
      (sink: never) => sse.subscribe({ doc_id: sha256(WATCH) } as never, sink),
    ]
    const { stack } = server()
    for (const subscribe of ways) {
      await vi.waitFor(() => expect(stack.listeners()).toBe(0), WAIT)
      using events = collect(sink => subscribe(sink as never))
      await vi.waitFor(() => expect(stack.listeners()).toBe(1), WAIT)
      const paymentId = await pay(stack, server().token)
      expect((await events.next()).data.paymentEvents.eventDetail.paymentId).toBe(paymentId)
    }
  })

  it('TRUSTED-06 MUST be a stream by an address alone, where both are accepted', async () => {
    const address = `${server().stack.address}/graphql?documentId=${sha256(WATCH)}`
    const headers = { accept: 'application/json, text/event-stream', ...bearer(server().token) }
    const response = await fetch(address, { headers })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    await response.body?.cancel()
  })

  it('TRUSTED-07 MUST not be changed by GET', async () => {
    expect(await server().get({ documentId: md5(STOP) })).toMatchObject({ status: 405 })
  })

  it('TRUSTED-08 MUST be refused by GET to what a page sends without asking', async () => {
    expect(await server().get({ documentId: sha256(ME) }, { 'apollo-require-preflight': '' })).toMatchObject({
      status: 400,
    })
  })

  it('TRUSTED-09 MUST be shown to no client without a token', async () => {
    for (const documentId of [sha256(ME), sha256('x')]) {
      const response = await server().post({ documentId }, { authorization: 'Bearer x' })
      expect(response).toMatchObject({ status: 401, errors: [{ extensions: { code: 'UNAUTHORIZED' } }] })
    }
  })
}
