/** P3: the analyst's query over the real subgraphs on PostgreSQL, all in one, against one statement written by hand. */
import type pg from 'pg'
import { compare } from './lib/compare.ts'
import { ACCOUNTS, FILLINGS, fillTransactions, mobileOf, untilProjected } from './lib/fill.ts'
import { assertSameAnswer, startPair } from './lib/pair.ts'
import { type Finding, perSecond } from './lib/results.ts'

const PLAN = { connections: 50, seconds: 5, turns: 3 }
const ROWS = 50_000

const QUERY = `query Customer360($n: PhoneNumber!) {
  subscriber(mobileNumber: $n) {
    mobileNumber kind
    customer {
      customerName customerStatus totalDues
      payments(first: 5) { totalCount nodes { paymentId transactionOperationStatus amount { value currency } } }
    }
    prepaidBalance { value currency }
    pointsBalance
    recharges(first: 5) { nodes { rechargeId amount { value currency } completedAt } }
    rewards(first: 5) { nodes { rewardId points } }
    redemptions(first: 5) { nodes { redemptionId points transactionOperationStatus } }
    messages(first: 5) { nodes { otlTransactionId transactionOperationStatus } }
  }
}`

const bodyFor = (index: number) => JSON.stringify({ query: QUERY, variables: { n: `+${mobileOf(index)}` } })

const fill = async (client: pg.Client) => {
  for (const filling of FILLINGS) await fillTransactions(client, filling, ROWS)
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using pair = await startPair(fill, flags)
  await untilProjected(pair.ourDatabase, FILLINGS.length * ROWS)
  const headers = await pair.headers('bench-analyst')
  const addresses = [pair.ours.address, pair.bare.address]
  for (const index of [0, 7, 999]) {
    const init = { method: 'POST', headers, body: bodyFor(index) }
    await assertSameAnswer(addresses.map(address => [`${address}/graphql`, init]))
  }
  const requests = Array.from({ length: ACCOUNTS }, (_, index) => {
    return { method: 'POST', path: '/graphql', headers, body: bodyFor(index) }
  })
  const [ours, theirs] = await compare(
    addresses.map(url => ({ url, requests })),
    PLAN,
  )
  const rates = { ours: perSecond(ours!), theirs: perSecond(theirs!), ratio: ours! / theirs! }
  const against = 'Fastify + pg, the answer as one statement'
  return [{ id: 'P3', work: "the analyst's query", against, ...rates, target: '>= 0.5' }]
}
