/** Rows of the request log: one for each request of a client, by whichever way it comes, and nothing that it keeps secret. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { type Stack, startStack } from '#test/support/stack.ts'
import { connect } from '#test/support/subscribe.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

interface Row {
  readonly client: string | null
  readonly via: string
  readonly operation: string | null
  readonly status: number
  readonly code: string | null
  readonly reason: string | null
  readonly field: string | null
  readonly transaction: string | null
  readonly weight: number
}

const rowsOf = (correlator: string) => stack.app.db.$queryRaw<Row[]>`
  SELECT client_id AS client, via, operation, status, code, reason, field, transaction_id::text AS transaction, weight
  FROM activity.request WHERE correlator = ${correlator} ORDER BY id`

/** Rows of a correlator, once there are so many. */
const written = async (correlator: string, count = 1): Promise<Row[]> => {
  await expect.poll(() => rowsOf(correlator), { timeout: 10_000 }).toHaveLength(count)
  return rowsOf(correlator)
}

const [payment] = FIXTURES

const send = (path: string, correlator: string, init: RequestInit = {}) =>
  fetch(stack.address + path, {
    ...init,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-correlator': correlator,
      ...init.headers,
    },
  })

const post = (correlator: string, body: unknown) =>
  send(payment!.path, correlator, { method: 'POST', body: JSON.stringify(body) })

const ask = (correlator: string, request: object, headers = {}) =>
  send('/graphql', correlator, { method: 'POST', body: JSON.stringify(request), headers })

const PARTNER = {
  client: 'demo-partner',
  code: null,
  reason: null,
  field: null,
  transaction: null,
  weight: 1,
}

describe('the request log', () => {
  it('REQ-ROWS-01 MUST have the operation of a REST request, with the transaction that it posted', async () => {
    const id = Object.values((await (await post('rest-1', payment!.body())).json()) as object)[0]
    expect(await written('rest-1')).toEqual([
      { ...PARTNER, via: 'REST', operation: 'createPayment', status: 201, transaction: id },
    ])
  })

  it('REQ-ROWS-02 MUST have code, reason and field of a refusal, and the transaction in its way', async () => {
    const body = payment!.body()
    await post('rest-2', body)
    await post('rest-2', body)
    const [first, second] = await written('rest-2', 2)
    expect(second).toMatchObject({
      status: 400,
      code: 'INVALID_ARGUMENT',
      reason: 'DUPLICATE_CORRELATOR',
      transaction: first!.transaction,
    })
    expect(second!.field).toMatch(/clientCorrelatorId$/)
  })

  it('REQ-ROWS-03 MUST have a refused token without a client, and no page, probe or unknown path', async () => {
    const headers = { authorization: 'Bearer wrong' }
    await send(payment!.path, 'rest-3', { method: 'POST', body: '{}', headers })
    for (const path of ['/', '/health/live', '/nowhere'])
      await send(path, 'rest-4', { headers: { authorization: '' } })
    expect(await written('rest-3')).toMatchObject([{ client: null, status: 401, code: 'UNAUTHORIZED' }])
    expect(await rowsOf('rest-4')).toEqual([])
  })

  it('REQ-ROWS-04 MUST have each operation of the graph by its name, by the fast path too', async () => {
    for (let time = 0; time < 3; time++) await ask('graph-1', { query: 'query Whoami { me { id } }' })
    const row = { ...PARTNER, via: 'GRAPH', operation: 'Whoami', status: 200 }
    expect(await written('graph-1', 3)).toEqual([row, row, row])
  })

  it('REQ-ROWS-05 MUST have the first error of the graph, where the response is 200 too', async () => {
    const query =
      'mutation Cancel { cancelTransaction(id: "01900000-0000-7000-8000-000000000000", reason: "x") { id } }'
    expect((await ask('graph-2', { query })).status).toBe(200)
    await ask('graph-2', { query: '{ nope }' })
    expect(await written('graph-2', 2)).toMatchObject([
      { operation: 'Cancel', status: 200, code: 'PERMISSION_DENIED', reason: 'ROLE_NOT_PERMITTED' },
      { operation: null, status: 400, code: 'INVALID_ARGUMENT', reason: 'INVALID_OPERATION' },
    ])
  })

  it('REQ-ROWS-06 MUST have a token request of a client that it knows', async () => {
    const init = (secret: string) => ({
      method: 'POST',
      body: 'grant_type=client_credentials',
      headers: {
        authorization: `Basic ${btoa(`demo-partner:${secret}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    await send('/oauth2/accesstoken', 'token-1', init('demo-partner-secret'))
    await send('/oauth2/accesstoken', 'token-1', init('wrong'))
    expect(await written('token-1', 2)).toMatchObject([
      { client: 'demo-partner', via: 'TOKEN', status: 200, code: null },
      { client: null, via: 'TOKEN', status: 401, code: 'invalid_client' },
    ])
  })

  it('REQ-ROWS-07 MUST have each operation of a WebSocket once it has ended', async () => {
    using socket = connect(stack.address, { Authorization: `Bearer ${token}` })
    using one = socket.subscribe('query Once { me { id } }')
    await one.ended
    const stream = socket.subscribe('subscription Live { paymentEvents { eventid } }')
    await expect.poll(() => stack.listeners()).toBeGreaterThan(0)
    stream[Symbol.dispose]()
    const rows = () => stack.app.db.$queryRaw<Row[]>`
      SELECT operation, client_id AS client, status FROM activity.request WHERE via = 'STREAM' ORDER BY id`
    await expect.poll(rows, { timeout: 10_000 }).toEqual([
      { operation: 'Once', client: 'demo-partner', status: 200 },
      { operation: 'Live', client: 'demo-partner', status: 200 },
    ])
  })

  it('REQ-ROWS-08 MUST have an event stream that its client left, as no failure', async () => {
    const leave = new AbortController()
    const body = JSON.stringify({ query: 'subscription Followed { paymentEvents { eventid } }' })
    const response = await send('/graphql/stream', 'sse-1', { method: 'POST', body, signal: leave.signal })
    await response.body!.getReader().read()
    leave.abort()
    expect(await written('sse-1')).toMatchObject([
      { client: 'demo-partner', via: 'STREAM', operation: 'Followed', status: 200, code: null },
    ])
  })

  it('REQ-ROWS-09 MUST have an export', async () => {
    await (await send('/exports/timeline.csv', 'export-1')).text()
    expect(await written('export-1')).toEqual([
      { ...PARTNER, via: 'EXPORT', operation: 'timeline.csv', status: 200 },
    ])
  })
})
