/** The example operations of `schema/operations`, as portals run them on the demo. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isReferenceCurrent, undescribed } from '#gateway/reference.ts'
import { readSupergraph } from '#gateway/supergraph/document.ts'
import { restOf } from '../../support/both-interfaces.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { bearer, connect } from '../../support/subscribe.ts'
import { type Graph, graphOf } from './graph.ts'

const FOLDER = join(import.meta.dirname, '../../../schema/operations')
const read = (name: string) => readFileSync(join(FOLDER, `${name}.graphql`), 'utf8')
const DAY = 86_400_000
const fixture = FIXTURES[0]!

let stack: Stack
let ask: Graph
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
  ask = graphOf(stack, await stack.token('demo-portal'))
})
afterAll(() => stack[Symbol.asyncDispose]())

it('ACT-40 MUST answer the customer 360 whole', async () => {
  const { subscriber } = await ask(read('customer-360'), { n: '+96891000001' })
  const { timeline, summary, customer } = subscriber
  expect(customer.payments.nodes).toHaveLength(5)
  expect(timeline.edges).toHaveLength(20)
  for (const { node } of timeline.edges) expect(node.transaction.transactionOperationStatus).toBeTruthy()
  const times = timeline.edges.map(({ node }: { node: { occurredAt: string } }) => node.occurredAt)
  expect(times).toEqual(times.toSorted().reverse())
  expect(summary.every(({ kind, period }: never) => kind && /^\d{4}-\d{2}-01$/.test(period))).toBe(true)
})

it('ACT-41 MUST let a portal reconcile the day of a partner', async () => {
  const [row] = await stack.app.db.payment.findMany({ where: { clientId: 'demo-kiosks' }, take: 1 })
  const from = new Date(row!.createdAt.getTime() - DAY)
  const to = new Date(row!.createdAt.getTime() + DAY)
  const { timeline, summary } = await ask(read('partner-day'), { partner: 'demo-kiosks', from, to })
  expect(timeline.nodes.map(({ transaction }: { transaction: { id: string } }) => transaction.id)).toContain(
    row!.id,
  )
  const counted = summary.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
  expect(counted).toBe(timeline.totalCount)
})

it('ACT-42 MUST list what failed, with whom to call', async () => {
  const span = { from: new Date(Date.now() - 200 * DAY), to: new Date() }
  const { timeline, summary } = await ask(read('failed-transactions'), span)
  const failed = summary.reduce((sum: number, one: { failed: number }) => sum + one.failed, 0)
  expect(timeline.totalCount).toBe(failed)
  expect(failed).toBeGreaterThan(0)
  for (const { transaction } of timeline.nodes) expect(transaction.postedBy.name).toBeTruthy()
})

it('ACT-46 MUST show the live desk what happens, and what happened while it was away', async () => {
  const token = await stack.token('demo-partner')
  const create = async () => (await restOf(stack)('POST', fixture.path, { token, body: fixture.body() })).body
  using socket = connect(stack.address, bearer(await stack.token('demo-portal')))
  const kinds = [fixture.kind]
  const live = socket.subscribe(read('live-desk'), { kinds })
  await setTimeout(500)
  const [first, second] = [await create(), await create()]
  const seen = (await live.take(2)).map(({ data }) => data.transactionEvents)
  expect(seen.map(({ transaction }) => transaction.id)).toEqual([
    first[fixture.idField],
    second[fixture.idField],
  ])
  const again = socket.subscribe(read('live-desk'), { kinds, after: seen[0].cursor })
  expect((await again.next()).data.transactionEvents).toEqual(seen[1])
})

it('ACT-47 MUST read a timeline by itself, and sums that agree with it', async () => {
  await stack.settled()
  const { subscriber } = await ask(read('timeline'), { n: '+96891000001' })
  const { nodes, totalCount } = subscriber.timeline
  expect(nodes).toHaveLength(20)
  expect(totalCount).toBeGreaterThan(20)
  const span = { from: new Date(Date.now() - 400 * DAY), to: new Date() }
  const { summary } = await ask(read('summary'), span)
  const { timeline } = await ask(
    'query($from: DateTime!, $to: DateTime!) { timeline(filter: { from: $from, to: $to }) { totalCount } }',
    span,
  )
  const counted = summary.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
  expect(counted).toBe(timeline.totalCount)
})

it('ACT-48 MUST let a partner post a payment, and not twice', async () => {
  const post = graphOf(stack, await stack.token('demo-partner'))
  const input = fixture.body()
  const { createPayment } = await post(read('create-payment'), { input })
  expect(createPayment).toMatchObject({ transactionOperationStatus: 'processing' })
  await expect(post(read('create-payment'), { input })).rejects.toThrow('already exists')
})

describe('an export', () => {
  const get = async (path: string, client = 'demo-portal') => {
    const headers = { authorization: `Bearer ${await stack.token(client)}` }
    return fetch(`${stack.address}/exports/timeline.${path}`, { headers })
  }
  const lines = async (path: string, client?: string) =>
    (await (await get(path, client)).text())
      .trimEnd()
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))

  it.each(['demo-analyst', 'demo-partner'])(
    'ACT-60 MUST hold what %s sees in the graph, in its order',
    async client => {
      await stack.settled()
      const graph = graphOf(stack, await stack.token(client))
      const filter = 'kinds: [PAYMENT, REWARD], outcomes: [COMPLETED], from: "2026-01-01T00:00:00Z"'
      const { timeline } = await graph(`{ timeline(first: 200, filter: { ${filter} }) { totalCount
      nodes { kind outcome description amount { value } transaction { id reason correlator } } } }`)
      const rows = await lines(
        'ndjson?kinds=PAYMENT,REWARD&outcomes=COMPLETED&from=2026-01-01T00:00:00Z',
        client,
      )
      expect(rows.length).toBe(timeline.totalCount)
      if (client === 'demo-analyst') expect(rows.length).toBeGreaterThan(0)
      const seen = rows
        .slice(0, 200)
        .map(({ id, kind, outcome, description, amount, reason, correlator }) => ({
          ...{ kind, outcome, description, amount: amount === null ? null : { value: amount } },
          transaction: { id, reason, correlator },
        }))
      expect(seen).toEqual(timeline.nodes)
      expect(rows.every(row => 'postedBy' in row === (client === 'demo-analyst'))).toBe(true)
    },
  )

  it('ACT-61 MUST be CSV with a header, of the same entries', async () => {
    const response = await get('csv?kinds=RECHARGE&kinds=MESSAGE&orderBy=LARGEST_AMOUNT_FIRST')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    const [head, ...rows] = parse(await response.text(), { recordDelimiter: '\r\n' }) as string[][]
    const same = await lines('ndjson?kinds=RECHARGE,MESSAGE&orderBy=LARGEST_AMOUNT_FIRST')
    expect(head).toEqual(Object.keys(same[0]))
    expect(rows).toEqual(same.map(row => Object.values(row).map(value => String(value ?? ''))))
  })

  it.each([
    ['csv?kinds=NOTHING', 'kinds', 'UNKNOWN_VALUE', /^kinds: /],
    ['ndjson?from=yesterday', 'from', 'BAD_FORMAT', /^from: /],
    [`csv?text=${'x'.repeat(300)}`, 'text', 'TOO_LONG', /^text must not/],
    [
      'csv?from=2026-01-01T00:00:00Z&from=2026-01-02T00:00:00Z',
      'from',
      'TOO_MANY',
      /^from must be given once/,
    ],
    ['csv?outcome=FAILED', 'outcome', 'UNKNOWN_PARAMETER', /^outcome is no parameter/],
  ])('ACT-62 MUST refuse %s as REST does, and say where and why', async (path, field, reason, message) => {
    const response = await get(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      400,
      'application/json; charset=utf-8',
    ])
    const body = (await response.json()) as { message: string }
    expect(body).toMatchObject({
      code: 'INVALID_ARGUMENT',
      status: '400',
      message: expect.stringMatching(message),
      field,
      reason,
      sentence: expect.stringMatching(/^This .*\.$/s),
    })
  })

  it('ACT-65 MUST be of a format that there is', async () => {
    expect((await get('xls')).status).toBe(404)
  })

  it('ACT-63 MUST want a token, and count as an open stream', async () => {
    expect((await fetch(`${stack.address}/exports/timeline.csv`)).status).toBe(401)
    const client = { id: 'act-no-streams', role: 'analyst', quotas: { openStreams: '1' } } as const
    const token = await stack.token(client)
    using socket = connect(stack.address, bearer(token))
    await socket.subscribe('{ me { id } }').next()
    const headers = { authorization: `Bearer ${token}` }
    const { status } = await fetch(`${stack.address}/exports/timeline.csv`, { headers })
    expect(status).toBe(503)
  })
})

it('ACT-43 MUST have a test for each example', () => {
  expect(readdirSync(FOLDER).sort()).toEqual([
    'create-payment.graphql',
    'customer-360.graphql',
    'failed-transactions.graphql',
    'live-desk.graphql',
    'partner-day.graphql',
    'summary.graphql',
    'timeline.graphql',
  ])
})

it('ACT-44 MUST describe every type, field, argument and value of the graph', () => {
  expect(undescribed(readSupergraph())).toEqual([])
})

it('ACT-45 MUST have a reference that is current', () => {
  expect(isReferenceCurrent()).toBe(true)
})
