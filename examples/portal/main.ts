/**
 * A portal: a customer's page, and then each transaction as it reaches its final status, over one WebSocket. After a lost
 * connection it continues after the last event.
 *
 *     node examples/portal/main.ts [http://127.0.0.1:4000] [+96891000002] [number of events to wait for, 1 by default]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { follow } from '#client/index.ts'
import { clientOf } from '../client.ts'

const [, , , mobileNumber = '+96891000002', events = '1'] = process.argv

interface Page {
  readonly subscriber: {
    readonly kind: string
    readonly customer: { readonly customerName: string; readonly totalDues: number } | null
  }
}

const client = clientOf('demo-portal')
const document = readFileSync(
  join(import.meta.dirname, '../../schema/operations/customer-360.graphql'),
  'utf8',
)
const { subscriber } = await client.graph<Page>(document, { n: mobileNumber })
const { customer, kind } = subscriber
console.log(
  `${mobileNumber} ${kind} ${customer ? `${customer.customerName}, owes ${customer.totalDues}` : ''}`,
)

let seen = 0
const onState = ({ name }: { name: string }) => console.log(name)
for await (const { event, ack } of follow(client, { onState })) {
  console.log(`event ${event.cursor}: ${event.eventType}, ${event.description}`)
  await ack()
  seen += 1
  if (seen === Number(events)) break
}
