/**
 * A portal: a customer's page, and then each transaction as it reaches its final status, over one WebSocket. The documents
 * are those of `schema/operations/`. After a lost connection it continues after the cursor of the last event.
 *
 *     node examples/portal/main.ts [http://127.0.0.1:4000] [+96891000002] [number of events to wait for, 1 by default]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { ADDRESS, queryGraph, tokenOf } from '../client.ts'

const [, , , mobileNumber = '+96891000002', events = '1'] = process.argv

interface Page {
  readonly subscriber: {
    readonly kind: string
    readonly customer: { readonly customerName: string; readonly totalDues: number } | null
  }
}

interface Live {
  readonly transactionEvents: {
    readonly cursor: string
    readonly eventType: string
    readonly description: string
  }
}

const documentOf = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../schema/operations', `${name}.graphql`), 'utf8')

const { subscriber } = await queryGraph<Page>(await tokenOf('demo-portal'), documentOf('customer-360'), {
  n: mobileNumber,
})
const { customer, kind } = subscriber
console.log(
  `${mobileNumber} ${kind} ${customer ? `${customer.customerName}, owes ${customer.totalDues}` : ''}`,
)

let cursor: string | undefined
const client = createClient({
  url: `${ADDRESS.replace(/^http/, 'ws')}/graphql`,
  lazyCloseTimeout: 0,
  // Each connection begins with a fresh token.
  connectionParams: async () => ({ Authorization: `Bearer ${await tokenOf('demo-portal')}` }),
  on: { connected: () => console.log('following') },
})
const variables = {
  /** Read at each connection, so that a later one continues after the last event. */
  get after() {
    return cursor
  },
}
const stream = client.iterate<Live>({ query: documentOf('live-desk'), variables })
let seen = 0
for await (const { data } of stream) {
  if (!data) continue
  const { eventType, description } = data.transactionEvents
  cursor = data.transactionEvents.cursor
  console.log(`event ${cursor}: ${eventType}, ${description}`)
  seen += 1
  if (seen === Number(events)) break
}
await client.dispose()
