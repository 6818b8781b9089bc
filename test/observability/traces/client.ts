/** A partner and a portal of the demo, as traces of their requests are looked at: each request with a trace of its own. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { ReceivedSpan } from './otlp.ts'

/** A trace that a client has begun. */
export interface ClientTrace {
  readonly traceId: string
  readonly headers: { readonly traceparent: string }
}

/** Begins a trace. @param isSampled whether the client records it. */
export const newTrace = (isSampled = true): ClientTrace => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, headers: { traceparent: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}` } }
}

export async function tokenOf(address: string, client: string): Promise<string> {
  const response = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client}:${client}-secret`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Values of the payments that are posted here: none of them may stand in a span. */
export const VALUES = ['91000002', '100002', 'Rechnung-4711', 'callback-token-1', 'sealed-path', '17.345']

const paymentOf = (hooks: string | undefined) => ({
  paymentTransaction: {
    clientCorrelatorId: randomUUID(),
    referenceCode: 'R-1',
    customerInfo: { customerAccountNumber: '100002', phoneNumber: '91000002' },
    paymentInfo: {
      paymentInformation: { amount: 17.345, currency: 'OMR', description: 'Rechnung-4711' },
    },
  },
  ...(hooks && {
    webhook: { notificationUrl: `${hooks}/sealed-path`, notificationAuthToken: 'callback-token-1' },
  }),
})

/** Posts a payment; returns its id. */
export async function pay(
  address: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
  hooks?: string,
): Promise<string> {
  const response = await fetch(`${address}/postpaid-billing/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(paymentOf(hooks)),
  })
  const body = (await response.json()) as { paymentId: string }
  if (response.status !== 201) throw new Error(JSON.stringify(body))
  return body.paymentId
}

/** Sends an operation to the graph. */
export async function ask(
  address: string,
  token: string,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
  return response.json()
}

/** The span of this name, of which there is one. */
export const only = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.filter(span => span.name === name)
  if (found.length !== 1) throw new Error(`${found.length} spans called ${name}`)
  return found[0]!
}

/** Whether a span is linked to another. */
export const isLinked = ({ links }: ReceivedSpan, { traceId, spanId }: ReceivedSpan): boolean =>
  links.some(link => link.traceId === traceId && link.spanId === spanId)

export const POST_PAYMENT = 'POST /postpaid-billing/v1/payments'
