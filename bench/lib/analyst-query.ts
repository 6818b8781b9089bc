/** The analyst's query without timeline and summary, over databases that are filled for it: what P3 and P3b ask. */
import type pg from 'pg'
import { ACCOUNTS, FILLINGS, fillTransactions, mobileOf, untilProjected } from './fill.ts'
import { assertSameAnswer, type Pair, startPair } from './pair.ts'

/** Transactions of each kind. */
export const ROWS = 50_000

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

/** The query about each account, for one of the paths below. */
export const requestsOf = (path: string, headers: Record<string, string>) =>
  Array.from({ length: ACCOUNTS }, (_, index) => ({ method: 'POST', path, headers, body: bodyFor(index) }))

/** Ours and the statement written by hand. */
export const GRAPHQL = '/graphql'
/** graphql-js over that statement, on the bare server. */
export const GRAPHQL_JS = '/graphql-js'
/** graphql-js with a statement for each field. */
export const GRAPHQL_JS_FIELDS = '/graphql-js-fields'

/** Fills a database with transactions of every kind. */
export const fillAnalyst = async (client: pg.Client) => {
  for (const filling of FILLINGS) await fillTransactions(client, filling, ROWS)
}

/** Both servers, which answer the query alike, and the headers to ask with. */
export interface AnalystPair extends AsyncDisposable {
  readonly pair: Pair
  readonly headers: Record<string, string>
}

/** Starts both, lets the projection come to its end, and compares what all of them say. */
export async function startAnalystPair(flags: readonly string[]): Promise<AnalystPair> {
  await using stack = new AsyncDisposableStack()
  const pair = stack.use(await startPair(fillAnalyst, flags))
  await untilProjected(pair.ourDatabase, FILLINGS.length * ROWS)
  const headers = await pair.headers('bench-analyst')
  const { ours, bare } = pair
  const paths = [GRAPHQL, GRAPHQL_JS, GRAPHQL_JS_FIELDS]
  const addresses = [ours.address + GRAPHQL, ...paths.map(path => bare.address + path)]
  for (const index of [0, 7, 999]) {
    const init = { method: 'POST', headers, body: bodyFor(index) }
    await assertSameAnswer(addresses.map(address => [address, init]))
  }
  const kept = stack.move()
  return { pair, headers, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
