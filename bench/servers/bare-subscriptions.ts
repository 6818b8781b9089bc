/**
 * The other side of P9: `ws` and graphql-ws as their documentation sets them up, with the same tokens required and a
 * subscription that fires when `POST /publish` says so. All subscribers wait for one and the same promise: less a
 * subscriber cannot hold.
 */
import { createServer } from 'node:http'
import { buildSchema, type GraphQLSchema } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { createVerify } from './token.ts'

const { PORT, ISSUER } = process.env

const SCHEMA = `
  type Query { ready: Boolean }
  type Subscription { paymentEvents: PaymentEvent! }
  type PaymentEvent { cursor: String! eventid: ID! eventType: String! eventTime: String! eventDetail: EventDetail! }
  type EventDetail { paymentId: ID! status: String! }`

let next = Promise.withResolvers<unknown>()

async function* follow() {
  for (;;) yield { paymentEvents: await next.promise }
}

const createSchema = (): GraphQLSchema => {
  const schema = buildSchema(SCHEMA)
  schema.getSubscriptionType()!.getFields()['paymentEvents']!.subscribe = follow
  return schema
}

const publish = () => {
  const { resolve } = next
  next = Promise.withResolvers()
  const eventDetail = { paymentId: '01a1fbb6-93cc-71b9-9090-cb021a24366d', status: 'succeeded' }
  resolve({
    cursor: 'ZTE6MTIzNDU2',
    eventid: '01a1fbb6-9400-7061-96fc-561af7d28627',
    eventType: 'PAYMENT_COMPLETED',
    eventTime: new Date().toISOString(),
    eventDetail,
  })
}

const verify = await createVerify(ISSUER!)
const server = createServer((request, response) => {
  if (request.method === 'POST') publish()
  response.writeHead(204).end()
})
const onConnect = async ({ connectionParams }: { connectionParams?: Record<string, unknown> }) =>
  Boolean(await verify(String(connectionParams?.['Authorization'])))
useServer({ schema: createSchema(), onConnect }, new WebSocketServer({ server, path: '/graphql' }))
server.listen(Number(PORT), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
