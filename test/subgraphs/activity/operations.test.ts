/** The example operations of `schema/operations`, as portals run them on the demo. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isReferenceCurrent, undescribed } from '../../../gateway/reference.ts'
import { readSupergraph } from '../../../gateway/supergraph/document.ts'
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
  expect(seen[0].transaction.postedBy.name).toBe('Demo partner')
  const again = socket.subscribe(read('live-desk'), { kinds, after: seen[0].cursor })
  expect((await again.next()).data.transactionEvents).toEqual(seen[1])
})

it('ACT-47 MUST read a timeline by itself, and sums that agree with it', async () => {
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
