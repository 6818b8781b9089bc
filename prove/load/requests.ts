/** Requests of the load: what partners send most, made beforehand, since the generator has a processor to share. */
import { withField, withoutField } from '#test/support/fields.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { NUMBER, type Text } from './sender.ts'

const ACCOUNT = '100002'
const SMALL = 0.001

const requestOf = (method: string, path: string, token: string, body?: unknown): string => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    ...(text ? ['content-type: application/json', `content-length: ${text.length}`] : []),
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}

/** A payment with a correlator of its own each time. */
const payment = (token: string, notificationUrl?: string): string => {
  const fixture = FIXTURES.find(({ kind }) => kind === 'PAYMENT')!
  let body = notificationUrl
    ? withField(fixture.body(), 'webhook', { notificationUrl, notificationAuthToken: 'callback-token' })
    : withoutField(fixture.body(), 'webhook')
  body = withField(body, 'paymentTransaction.customerInfo', { customerAccountNumber: ACCOUNT })
  body = withField(body, fixture.correlator, NUMBER)
  body = withField(body, fixture.money!.amount, SMALL)
  return requestOf('POST', fixture.path, token, body)
}

const page = (token: string) => requestOf('GET', '/postpaid-billing/v1/payments?perPage=5', token)
const customer = (token: string) =>
  requestOf('GET', `/postpaid-billing/v1/customers?customerAccountNumber=${ACCOUNT}`, token)
const timeline = (token: string) =>
  requestOf('POST', '/graphql', token, {
    query: '{ timeline(first: 5) { nodes { kind outcome transaction { id transactionOperationStatus } } } }',
  })

/**
 * Ten requests as partners mix them: reads, a few payments, the graph.
 * @param notificationUrl where the outcome of one of three payments is told; none is told unless given.
 */
export const mixOf = (token: string, notificationUrl?: string): Text[] => {
  const list = { kind: 'list', text: page(token) }
  const inquiry = { kind: 'inquiry', text: customer(token) }
  const post = { kind: 'payment', text: payment(token) }
  const told = { kind: 'payment', text: payment(token, notificationUrl) }
  const graph = { kind: 'graph', text: timeline(token) }
  return [list, told, inquiry, graph, list, post, inquiry, list, post, inquiry]
}
