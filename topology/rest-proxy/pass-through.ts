/**
 * The REST paths of services that run as processes of their own, so that a partner has one base address. Paths and
 * methods are those of the contract documents, as at the service, so that any other is refused here as it is there.
 * The gateway itself verifies the token alone, before a body is read. Statuses, headers and bytes are the service's, its
 * complaint of malformed JSON included.
 *
 * Own code on our upstreams: @fastify/reply-from would open connections of its own, unknown to the breakers,
 * write JSON bodies anew, and repeat a GET that met 503 ten times.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withDeadline } from '#core/async/deadline.ts'
import { operationsOf, readDocument, routeOf } from '#core/contract/openapi.ts'
import { ServiceError, unavailable } from '#core/errors/catalogue.ts'
import { principalOf } from '#core/http/authenticate.ts'
import { sendFailure } from '#core/http/errors.ts'
import { timeSpent } from '#core/http/observe.ts'
import { CORRELATOR } from '#core/http/pre-auth.ts'
import { joinVary } from '#core/http/responses.ts'
import { outgoingTrace, type Tracing, tracing } from '#core/observability/tracing.ts'
import { DOCUMENTS, SERVICES } from '#subgraphs/names.ts'
import type { UpstreamResponse } from '#topology/upstream/connections.ts'
import { undecided, WRITE_EXTENSION_MS } from '#topology/upstream/failures.ts'
import type { Upstream } from '#topology/upstream/upstream.ts'
import type { Upstreams } from '#topology/upstream/upstreams.ts'
import { endToEnd, forwardedBy } from './headers.ts'

const READS = new Set(['GET', 'HEAD'])

export interface PassThroughOptions {
  /** Time that a service may take, in milliseconds (`REQUEST_TIMEOUT_MS`). */
  readonly timeoutMs: number
  /** Called before anything of a request's body is read; an error that it throws becomes the response. */
  readonly admit?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** The address of a service that the settings do not name; its port of `names.ts` unless given. */
  urlOf?(name: string): string | undefined
}

export const defaultUrl = (name: string): string | undefined => {
  const service = SERVICES.find(one => one.name === name)
  return service && `http://127.0.0.1:${service.port}/graphql`
}

/**
 * The headers of the request to the service. `host`, `content-length` and `expect` are about the message itself, which is
 * sent anew; `origin` is left out since this server's own `CORS_ORIGINS` decides.
 */
export const requestHeaders = (request: FastifyRequest) => ({
  ...endToEnd(request.headers, ['host', 'content-length', 'expect', 'origin']),
  ...forwardedBy(request),
  ...(tracing && outgoingTrace(tracing)),
  [CORRELATOR]: request.id,
})

/** Path as it was sent, without the origin that a proxy's client puts before it (RFC 9112 §3.2.2). */
export const pathOf = ({ raw }: FastifyRequest): string => raw.url!.replace(/^[a-z]+:\/\/[^/?]*/i, '')

const bodyOf = ({ body }: FastifyRequest): Buffer | undefined => (Buffer.isBuffer(body) ? body : undefined)

/**
 * Translates a failure into the terms of REST: a service rather than a subgraph, and an unknown outcome for a write
 * that was sent.
 */
export const toRestFailure = (name: string, method: string, error: unknown): unknown => {
  if (!(error instanceof ServiceError)) return error
  if (error.code === 'REQUEST_TIMEOUT_EXCEEDED' && !READS.has(method)) return undecided()
  if (error.code !== 'SERVICE_UNAVAILABLE') return error
  const { message, cause, headers } = error
  return unavailable(message.replace(`subgraph ${name}`, `service ${name}`), { cause, headers })
}

/** Begins the span of a request that is passed on. */
const beginForward = (traces: Tracing, service: string, { method, routeOptions }: FastifyRequest) =>
  traces.part(`${method} ${service}`, {
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'url.template': routeOptions.url,
      'partner_graph.service': service,
    },
  })

const send = (upstream: Upstream, request: FastifyRequest, timeoutMs: number): Promise<UpstreamResponse> =>
  withDeadline(
    timeoutMs,
    signal =>
      upstream.request({
        method: request.method,
        path: pathOf(request),
        headers: requestHeaders(request),
        body: bodyOf(request),
        clientId: principalOf(request)?.clientId ?? '',
        signal,
        isRead: READS.has(request.method),
      }),
    timeSpent(request),
  ).catch(error => {
    throw toRestFailure(upstream.name, request.method, error)
  })

const forwardTraced = (traces: Tracing, upstream: Upstream, request: FastifyRequest, timeoutMs: number) => {
  const span = beginForward(traces, upstream.name, request)
  return traces.run(span, async () => {
    const response = await send(upstream, request, timeoutMs)
    span?.set({ 'http.response.status_code': response.status })
    if (response.status >= 400) span?.fail(String(response.status))
    return response
  })
}

const forward = (
  upstream: Upstream,
  request: FastifyRequest,
  timeoutMs: number,
): Promise<UpstreamResponse> =>
  tracing ? forwardTraced(tracing, upstream, request, timeoutMs) : send(upstream, request, timeoutMs)

/** Sends a response on. Its correlator stands on the reply already: the same, since the request carried it. */
const sendResponse = (reply: FastifyReply, { status, headers, body }: UpstreamResponse): FastifyReply => {
  const vary = joinVary(reply.getHeader('vary'), headers.vary)
  reply.code(status).headers({ ...endToEnd(headers, [CORRELATOR]), ...(vary && { vary }) })
  return reply.send(body.length > 0 ? body : undefined)
}

type ForwardToOwner = (request: FastifyRequest) => Promise<UpstreamResponse>

const forwardToOwner =
  (
    name: string,
    upstreams: Upstreams,
    { timeoutMs, urlOf = defaultUrl }: PassThroughOptions,
  ): ForwardToOwner =>
  async request => {
    const upstream = upstreams.of(name, urlOf(name))
    if (!upstream) throw unavailable(`The service ${name} cannot be reached`)
    const response = await forward(upstream, request, timeoutMs + WRITE_EXTENSION_MS)
    if (request.facts) request.facts.passedTo = name
    return response
  }

/**
 * Refuses a body that is too large, unread. A refusal of the service that needs no body comes first nevertheless: a token
 * that it does not accept, for one. So the service gets the request without its body.
 */
const refuseLarge =
  (owner: ForwardToOwner) =>
  async (error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error
    const before = await owner(request)
    return before.status > 400 ? sendResponse(reply, before) : sendFailure(error, request, reply)
  }

/** The methods of an operation: a GET has its HEAD, as at the service. */
const methodsOf = (method: string): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** Passes the operations of all services to their owners. */
export async function registerPassThrough(
  http: FastifyInstance,
  upstreams: Upstreams,
  options: PassThroughOptions,
): Promise<void> {
  await http.register(async scope => {
    if (options.admit) scope.addHook('onRequest', options.admit)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    for (const { document, service } of DOCUMENTS) {
      const owner = forwardToOwner(service, upstreams, options)
      const handler = async (request: FastifyRequest, reply: FastifyReply) =>
        sendResponse(reply, await owner(request))
      const errorHandler = refuseLarge(owner)
      // As at the service: what the gateway itself refuses of a list is OUT_OF_RANGE too.
      const contract = operationsOf(readDocument(document)).filter(({ waits }) => !waits)
      for (const { method, path, isList, operationId } of contract)
        scope.route({
          method: methodsOf(method),
          url: routeOf(path),
          config: { isList, way: 'REST', operation: operationId },
          errorHandler,
          handler,
        })
    }
  })
}
