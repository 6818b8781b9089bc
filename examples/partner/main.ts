/**
 * A partner: posts a payment, polls until it is settled, and verifies the signature of its webhook.
 *
 *     WEBHOOK_ALLOW=127.0.0.1 npm start                       # the receiver of this example listens on this machine
 *     node examples/partner/main.ts [http://127.0.0.1:4000]
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { ADDRESS, queryGraph, tokenOf } from '../client.ts'
import { isSigned } from './signature.ts'

const PAYMENTS = `${ADDRESS}/postpaid-billing/v1/payments`
const POLL_MS = 200
const WITHIN_MS = 20_000

interface Payment {
  readonly paymentId: string
  readonly transactionOperationStatus: string
}

interface Webhook {
  readonly event: { readonly eventType: string; readonly eventDetail: { readonly paymentId: string } }
}

const token = await tokenOf('demo-partner')
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

/** A response's JSON; a refusal ends the program with the server's own words. */
const read = async (response: Response): Promise<Payment> => {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as Payment
}

const { rotateWebhookSecret } = await queryGraph<{ rotateWebhookSecret: { secret: string } }>(
  token,
  'mutation { rotateWebhookSecret(overlapHours: 24) { secret } }',
)

const receiver = createServer().listen(0, '127.0.0.1')
await once(receiver, 'listening')
const received = once(receiver, 'request', { signal: AbortSignal.timeout(WITHIN_MS) })

const posted = await read(
  await fetch(PAYMENTS, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      paymentTransaction: {
        clientCorrelatorId: randomUUID(),
        referenceCode: 'EXAMPLE-1',
        customerInfo: { customerAccountNumber: '100002', phoneNumber: '91000002' },
        paymentInfo: { paymentInformation: { amount: 1.5, currency: 'OMR', description: 'Example' } },
      },
      webhook: { notificationUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` },
    }),
  }),
)
console.log(`posted ${posted.paymentId}: ${posted.transactionOperationStatus}`)

let payment = posted
for (const until = Date.now() + WITHIN_MS; payment.transactionOperationStatus === 'processing'; ) {
  if (Date.now() > until) throw new Error(`${payment.paymentId} is not settled yet`)
  await delay(POLL_MS)
  payment = await read(await fetch(`${PAYMENTS}/${payment.paymentId}`, { headers }))
}
console.log(`settled ${payment.paymentId}: ${payment.transactionOperationStatus}`)

const [request, response] = (await received) as [IncomingMessage, ServerResponse]
const body = await text(request)
if (!isSigned(rotateWebhookSecret.secret, request.headers, body)) throw new Error('The signature is wrong')
// The contract's answer. A receiver of production puts the event into a queue of its own first.
response.writeHead(204, { connection: 'close' }).end()
const { event } = JSON.parse(body) as Webhook
console.log(`webhook ${event.eventDetail.paymentId}: ${event.eventType}, signature verified`)
receiver.close()
