/** Use that clients make of the schema, over every way to the graph, and answers to those who use what goes some day. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readUses } from '#core/schema-use/read.ts'
import { loadServices } from '#gateway/load-services.ts'
import { readSupergraph } from '#gateway/supergraph/document.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { bearer, connect } from '../../support/subscribe.ts'
import { connectAgent } from '../mcp/agent.ts'

/** The supergraph with one field and one value that go some day. */
const supergraphSdl = readSupergraph()
  .replace(/^( {2}totalDues: .*?)$/m, '$1 @deprecated(reason: "use dues")')
  .replace(
    /(enum SummaryPeriod[\s\S]*?\n {2}WEEK @join__enumValue\(graph: ACTIVITY\))/,
    '$1 @deprecated(reason: "use DAY")',
  )

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ parts: async app => ({ services: await loadServices(app), supergraphSdl }) })
})
afterAll(() => stack[Symbol.asyncDispose]())

const send = async (client: string, body: object, headers: Record<string, string> = {}) => {
  const token = await stack.token({ id: client, role: 'analyst' }).catch(() => stack.token(client))
  const response = await fetch(`${stack.address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: whatever the operation asks for
  return (await response.json()) as any
}

const countsOf = async (client: string) => {
  await stack.app.schemaUse.idle()
  const uses = await readUses(stack.app.db, { client })
  return Object.fromEntries(uses.map(({ coordinate, count }) => [coordinate, count]))
}

it('SCHEMA-20 MUST count each operation that is admitted, whichever way it is executed, and no other', async () => {
  const query = 'query Mine { me { id } }'
  // The first goes through Apollo Server, the others by the fast path where there is one.
  for (let time = 0; time < 5; time += 1) await send('use-20', { query })
  await send('use-20', { query: '{ me { nothing } }' })
  await send('use-20', { query: '{ me { id } ' })
  await send('use-20', {
    query: 'query($f: [TransactionKind!]) { timeline(filter: { kinds: $f }) { totalCount } }',
    variables: { f: ['PAYMENT'] },
  })
  await using agent = await connectAgent(stack, 'use-20')
  await agent.call('me')
  using socket = connect(stack.address, bearer(await stack.token('use-20')))
  await socket.subscribe('{ me { id } }').next()
  expect(await countsOf('use-20')).toEqual({
    'Query.me': 7,
    'Client.id': 7,
    'Client.name': 1,
    'Client.role': 1,
    'Query.timeline': 1,
    'Query.timeline(filter:)': 1,
    'TimelineFilter.kinds': 1,
    'TimelineConnection.totalCount': 1,
    'TransactionKind.PAYMENT': 1,
  })
})

it('SCHEMA-21 MUST tell those who use it what goes some day, each time, and nobody else', async () => {
  const query =
    'query Dues($by: SummaryPeriod!) { customer(customerAccountNumber: "100002") { totalDues } summary(by: $by, first: 1) { count } }'
  const answers = []
  for (const by of ['WEEK', 'WEEK', 'MONTH']) answers.push(await send('use-21', { query, variables: { by } }))
  const dues = { coordinate: 'Customer.totalDues', reason: 'use dues' }
  const week = { coordinate: 'SummaryPeriod.WEEK', reason: 'use DAY' }
  expect(answers.map(({ extensions }) => extensions)).toEqual([
    { deprecations: [dues, week] },
    { deprecations: [dues, week] },
    { deprecations: [dues] },
  ])
  expect(answers.every(({ data }) => data.customer.totalDues !== undefined)).toBe(true)
  expect(await send('use-21', { query: '{ me { id } }' })).not.toHaveProperty('extensions')
})
