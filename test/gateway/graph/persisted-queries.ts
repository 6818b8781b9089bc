/** Automatic persisted queries, as Apollo's clients speak them: a hash first, the text where it is not known, the hash from then on. */
import { createHash } from 'node:crypto'
import { createClient as createSse } from 'graphql-sse'
import { expect, it } from 'vitest'
import type { Stack } from '../../support/stack.ts'
import { bearer, collect, connect } from '../../support/subscribe.ts'

const persisted = (text: string) => ({
  persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') },
})

interface PersistedRequest {
  readonly query?: string
  readonly extensions: object
  readonly variables?: object
}

type Ask = (
  request: PersistedRequest,
) => Promise<{ status: number; data?: unknown; errors?: { extensions: object }[] }>

const read = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as object),
})

/** Behaviour of persisted queries over each transport. */
export function auditPersistedQueries(stack: () => Stack, token: () => string): void {
  const post: Ask = async request =>
    read(
      await fetch(`${stack().address}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(token()) },
        body: JSON.stringify(request),
      }),
    )

  const get: Ask = async ({ query, extensions, variables }) => {
    const parameters = new URLSearchParams({
      ...(query !== undefined && { query }),
      ...(variables && { variables: JSON.stringify(variables) }),
      extensions: JSON.stringify(extensions),
    })
    return read(
      await fetch(`${stack().address}/graphql?${parameters}`, {
        headers: { 'apollo-require-preflight': '1', ...bearer(token()) },
      }),
    )
  }

  const WAYS: [string, Ask][] = [
    ['POST', post],
    ['GET', get],
  ]

  it.each(WAYS)(
    'APQ-01 a client is requested to send the text of an unknown hash, which is known from then on: %s',
    async (way, ask) => {
      const query = `query By${way}($n: PhoneNumber!) { subscriber(mobileNumber: $n) { kind } }`
      const extensions = persisted(query)
      const variables = { n: '+96891000002' }
      const known = { status: 200, data: { subscriber: { kind: 'POSTPAID' } } }
      expect(await ask({ extensions, variables })).toMatchObject({
        status: 200,
        errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
      })
      expect(await ask({ query, extensions, variables })).toEqual(known)
      for (const [, again] of WAYS) expect(await again({ extensions, variables })).toEqual(known)
    },
  )

  it.each(WAYS)('APQ-02 a hash of another text is refused, and keeps nothing: %s', async (way, ask) => {
    const query = `{ ${way}: __typename }`
    const extensions = persisted(`${query} `)
    expect(await ask({ query, extensions })).toMatchObject({
      status: 400,
      errors: [{ message: 'provided sha does not match query', extensions: { code: 'INVALID_ARGUMENT' } }],
    })
    expect(await ask({ extensions })).toMatchObject({
      errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    })
  })

  it('APQ-03 a known hash is enough over WebSocket and for an event stream', async () => {
    const query = '{ overStreams: __typename }'
    const extensions = persisted(query)
    await post({ query, extensions })
    const data = { overStreams: 'Query' }
    using socket = connect(stack().address, bearer(token()))
    using overSocket = collect(sink => socket.client.subscribe({ query: '', extensions }, sink as never))
    expect(await overSocket.next()).toEqual({ data })
    const sse = createSse({
      url: `${stack().address}/graphql/stream`,
      headers: bearer(token()),
      retryAttempts: 0,
    })
    using asEvents = collect(sink => sse.subscribe({ extensions } as never, sink as never))
    expect(await asEvents.next()).toEqual({ data })
  })
}
