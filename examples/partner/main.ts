/**
 * A partner: posts a payment, polls until it is settled, and receives its webhook, which it verifies by its secret or by the
 * server's public keys.
 *
 *     WEBHOOK_ALLOW=127.0.0.1 npm start                       # the receiver of this example listens on this machine
 *     node examples/partner/main.ts [http://127.0.0.1:4000]
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { webhookListener } from '#client/node.ts'
import { createWebhookReceiver, type EventNotification } from '#client/webhooks.ts'
import { ADDRESS, clientOf } from '../client.ts'

const PAYMENTS = '/postpaid-billing/v1/payments'
const POLL_MS = 200
const WITHIN_MS = 20_000

const { graph, rest } = clientOf('demo-partner')
const { rotateWebhookSecret } = await graph<{ rotateWebhookSecret: { secret: string } }>(
  'mutation { rotateWebhookSecret(overlapHours: 24) { secret } }',
)

const receiver = createWebhookReceiver({
  secrets: [rotateWebhookSecret.secret],
  publicKeys: `${ADDRESS}/.well-known/jwks.json`,
})
const received = Promise.withResolvers<EventNotification>()
const late = setTimeout(() => received.reject(new Error('No webhook came')), WITHIN_MS)
// A receiver of production puts the event into a queue of its own, and answers.
const listener = webhookListener(receiver, received.resolve, received.reject)
const server = createServer({ keepAliveTimeout: 1 }, listener).listen(0, '127.0.0.1')
await once(server, 'listening')

const { data: posted } = await rest.post(PAYMENTS, {
  body: {
    paymentTransaction: {
      clientCorrelatorId: randomUUID(),
      referenceCode: 'EXAMPLE-1',
      customerInfo: { customerAccountNumber: '100002', phoneNumber: '91000002' },
      paymentInfo: { paymentInformation: { amount: 1.5, currency: 'OMR', description: 'Example' } },
    },
    webhook: { notificationUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
  },
})
const { paymentId } = posted
console.log(`posted ${paymentId}: ${posted.transactionOperationStatus}`)

let status = posted.transactionOperationStatus
for (const until = Date.now() + WITHIN_MS; status === 'processing'; ) {
  if (Date.now() > until) throw new Error(`${paymentId} is not settled yet`)
  await delay(POLL_MS)
  const { data } = await rest.get(`${PAYMENTS}/{paymentId}`, { path: { paymentId } })
  status = data.transactionOperationStatus
}
console.log(`settled ${paymentId}: ${status}`)

const { event } = await received.promise
console.log(`webhook ${event.eventDetail.paymentId}: ${event.eventType}, signature verified`)
clearTimeout(late)
server.close()
