/**
 * Spans of clients' requests, after OpenTelemetry's conventions for HTTP servers and GraphQL. The query of a request stands
 * in none of them, since lists are asked for by numbers of subscribers.
 */
import type { RequestFacts } from './request-facts.ts'
import { type Attributes, type Tracing, traceIn } from './tracing.ts'

/** Methods that the conventions know; others are not counted by the words of a client. */
const METHODS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'QUERY',
])
const MAX_USER_AGENT = 256

/** The part of a request that its span tells of. */
export interface RequestLine {
  readonly headers: Readonly<Record<string, unknown>>
  /** Address of the client. */
  readonly ip?: string
  readonly protocol?: string
  readonly raw?: { readonly httpVersion: string }
}

const userAgentOf = (agent: unknown) =>
  typeof agent === 'string' ? agent.slice(0, MAX_USER_AGENT) : undefined

/** Name of an HTTP request: its method and the pattern of its route. */
const nameOf = ({ method, route }: RequestFacts): string => {
  const known = METHODS.has(method) ? method : 'HTTP'
  return route === undefined ? known : `${known} ${route}`
}

const ofHttp = ({ method, path, route }: RequestFacts, { ip, protocol, raw }: RequestLine): Attributes => ({
  'http.request.method': METHODS.has(method) ? method : '_OTHER',
  'http.route': route,
  'url.path': path,
  'url.scheme': protocol,
  'client.address': ip,
  'network.protocol.version': raw?.httpVersion,
})

/** Begins the span of a request, which continues the trace of its client. */
export function beginRequestSpan(traces: Tracing, facts: RequestFacts, request: RequestLine): void {
  const isHttp = facts.method !== 'WEBSOCKET'
  facts.span = traces.start(isHttp ? nameOf(facts) : 'GraphQL operation', {
    kind: 'server',
    parent: traces.propagates ? traceIn(request.headers) : undefined,
    attributes: {
      ...(isHttp && ofHttp(facts, request)),
      'user_agent.original': userAgentOf(request.headers['user-agent']),
      'partner_graph.correlator': facts.correlator,
    },
  })
}

const isGraph = ({ way }: RequestFacts): boolean => way === 'GRAPH' || way === 'STREAM' || way === 'FETCH'

/** Ends the span of a request with the facts that were found out on its way. */
export function endRequestSpan(facts: RequestFacts): void {
  const { span, status, method, code, operationType } = facts
  if (!span) return
  // Over a connection that carries many operations, the operation is all that there is to name.
  if (method === 'WEBSOCKET' && operationType) span.rename(operationType)
  span.set({
    'http.response.status_code': method === 'WEBSOCKET' ? undefined : status,
    'graphql.operation.name': isGraph(facts) ? facts.operation : undefined,
    'graphql.operation.type': operationType,
    'partner_graph.operation': isGraph(facts) ? undefined : facts.operation,
    'partner_graph.document.id': facts.operationId,
    'partner_graph.way': facts.way,
    'partner_graph.client.id': facts.principal?.clientId,
    'partner_graph.client.role': facts.principal?.role,
    'partner_graph.transaction.id': facts.transactionId,
    'partner_graph.code': code,
    'partner_graph.reason': facts.reason,
    'partner_graph.delivered': facts.delivered,
  })
  // A refusal is the client's fault, and no failure of the server (HTTP conventions, "Status").
  if (status >= 500) span.fail(code ?? String(status))
  span.end()
}
