/** `TRUSTED_ONLY`: trusted documents are executed, and nothing else over any transport. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, collect, connect } from '../../support/subscribe.ts'
import {
  auditNamed,
  byHash,
  ME,
  read,
  refusal,
  sha256,
  startTrusting,
  type Trusting,
  writeManifests,
} from './trusted.ts'

const UNTRUSTED = 'query Me { me { id name } }'

const manifests = writeManifests()
let server: Trusting
beforeAll(async () => {
  server = await startTrusting(manifests, { TRUSTED_ONLY: '1' })
})
afterAll(async () => {
  await server?.stack[Symbol.asyncDispose]()
  manifests[Symbol.dispose]()
})

describe('named', () => auditNamed(() => server))

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
    for (const response of [await server.post(body), await server.get(body)]) {
      expect(response).toMatchObject(refusal('NOT_TRUSTED'))
      expect(response.errors).toHaveLength(1)
      expect(response.errors[0].message).toMatch(/name one by its id \(documentId, /)
      expect(response).not.toHaveProperty('data')
    }
  })

  it.each(REFUSED)('TRUSTED-31 MUST refuse it over WebSocket and as an event stream: %s', async (_, body) => {
    using socket = connect(server.stack.address, bearer(server.token))
    const refusal = {
      message: expect.stringContaining('trusted documents'),
      extensions: { reason: 'NOT_TRUSTED' },
    }
    const results = collect(sink => socket.client.subscribe({ query: '', ...body } as never, sink as never))
    expect(await results.ended).toEqual([
      expect.objectContaining({ ...refusal, extensions: expect.objectContaining(refusal.extensions) }),
    ])
    const response = await fetch(`${server.stack.address}/graphql/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...bearer(server.token) },
      body: JSON.stringify({ query: '{ x }', ...body }),
    })
    expect(await response.text()).toContain('"reason":"NOT_TRUSTED"')
  })

  it('TRUSTED-32 MUST refuse a subscription that is not among them', async () => {
    using socket = connect(server.stack.address, bearer(server.token))
    using events = socket.subscribe('subscription { paymentEvents { cursor } }')
    expect(await events.ended).toMatchObject([{ extensions: { reason: 'NOT_TRUSTED' } }])
  })

  it('TRUSTED-33 MUST not be got round by what is said twice', async () => {
    const address = `${server.stack.address}/graphql?query=${encodeURIComponent(UNTRUSTED)}&query=${encodeURIComponent(ME)}`
    const headers = { 'apollo-require-preflight': '1', ...bearer(server.token) }
    for (const url of [address, `${address}&documentId=${sha256(ME)}`]) {
      const response = await read(await fetch(url, { headers }))
      expect([response.status, response.data]).toEqual([400, undefined])
    }
    expect(await server.post([{ query: ME }, { query: UNTRUSTED }])).toMatchObject({ status: 400 })
    const twice = `{"query":${JSON.stringify(ME)},"query":${JSON.stringify(UNTRUSTED)}}`
    const raw = await fetch(`${server.stack.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(server.token) },
      body: twice,
    })
    expect(await read(raw)).toMatchObject(refusal('NOT_TRUSTED'))
  })
})
