/** Requests for event streams that cannot be served: refused by a status at once, and they hold no slot. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Stack, startStack } from '#test/support/stack.ts'
import { subscribeSse } from '#test/support/subscribe.ts'

const logLines: string[] = []
let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack({ env: { MAX_STREAMS: '2' }, logLines })
  token = await stack.token()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

interface Sent {
  readonly path: string
  readonly method?: string
  readonly body?: string
}

/** A whole exchange by hand: one that does not end fails by the time limit of the test. */
const send = ({ path, method = 'POST', body }: Sent) =>
  new Promise<{ status: number; type: string; allow: string | undefined; text: string }>((done, failed) => {
    const headers = {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    request(`${stack.address}${path}`, { method, headers }, async response => {
      const { statusCode: status = 0, headers } = response
      done({
        status,
        type: String(headers['content-type']),
        allow: headers.allow,
        text: await text(response),
      })
    })
      .on('error', failed)
      .end(body)
  })

const PATHS = ['/graphql/stream', '/graphql']
const BODIES: [body: string, field?: string, reason?: string][] = [
  ['[]'],
  ['5'],
  ['null'],
  ['"x"'],
  ['{}', 'query', 'REQUIRED'],
  ['{"query":5}', 'query', 'WRONG_TYPE'],
  ['{"query":null}', 'query', 'REQUIRED'],
  ['{"query":"{ me { id } }","variables":5}', 'variables', 'WRONG_TYPE'],
  ['{"query":"{ me { id } }","variables":[]}', 'variables', 'WRONG_TYPE'],
  ['{"query":"{ me { id } }","extensions":"x"}', 'extensions', 'WRONG_TYPE'],
  ['{"query":"{ me { id } }","operationName":5}', 'operationName', 'WRONG_TYPE'],
  ['{"extensions":{}}', 'query', 'REQUIRED'],
  ['{"query":'],
]
const QUERIES: [query: string, field: string, reason: string][] = [
  ['?variables={', 'variables', 'BAD_FORMAT'],
  ['?query={me{id}}&variables=5', 'variables', 'WRONG_TYPE'],
  ['?query={me{id}}&extensions=[]', 'extensions', 'WRONG_TYPE'],
  ['?query=a&query=b', 'query', 'WRONG_TYPE'],
  ['', 'query', 'REQUIRED'],
]

/** Where and why, as the graph says it. */
const expectRefusal = (text: string, field: string | undefined, reason = 'INVALID_REQUEST') =>
  expect(JSON.parse(text)).toEqual({
    errors: [
      {
        message: expect.any(String),
        extensions: {
          ...{ code: 'INVALID_ARGUMENT', http: { status: 400 }, reason, ...(field && { field }) },
          sentence: expect.stringMatching(/^[A-Z].*\.$/s),
        },
      },
    ],
  })

/** A place that is held would be missed here. */
const expectAllPlaces = async () => {
  for (let turn = 0; turn < 3; turn++) {
    using stream = subscribeSse(`${stack.address}/graphql/stream`, token, '{ me { id } }')
    expect((await stream.next()).errors).toBeUndefined()
    await stream.ended
  }
}

describe.each(PATHS)('at %s', path => {
  test.each(BODIES)('POST %s', { timeout: 5_000 }, async (body, field, reason) => {
    for (let turn = 0; turn < 3; turn++) {
      const answer = await send({ path, body })
      expect(answer.status).toBe(400)
      expect(answer.type).toContain('json')
      expectRefusal(answer.text, field, reason)
    }
    await expectAllPlaces()
  })

  test.each(QUERIES)('GET %s', { timeout: 5_000 }, async (query, field, reason) => {
    for (let turn = 0; turn < 3; turn++) {
      const answer = await send({ path: path + encodeURI(query), method: 'GET' })
      expect(answer.status).toBe(400)
      expectRefusal(answer.text, field, reason)
    }
    await expectAllPlaces()
  })

  test('HEAD is answered at once', { timeout: 5_000 }, async () => {
    for (let turn = 0; turn < 3; turn++) {
      const { status, allow, text } = await send({ path, method: 'HEAD' })
      expect([status, text]).toEqual([405, ''])
      expect(allow).toContain('POST')
    }
    await expectAllPlaces()
  })
})

test('nothing of it is logged as a failure, and neither is a client that goes', async () => {
  const events = 'subscription { transactionEvents { cursor } }'
  {
    using _stream = subscribeSse(`${stack.address}/graphql/stream`, token, events)
    await expect.poll(() => stack.listeners(), { interval: 5 }).toBe(1)
  }
  await expect.poll(() => stack.listeners(), { interval: 5 }).toBe(0)
  expect(logLines).toEqual([])
})
