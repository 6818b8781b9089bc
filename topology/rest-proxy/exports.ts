/** Exports, and requests that wait for events, which are passed on as they come: each lasts longer than other requests may. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { withDeadline } from '#core/async/deadline.ts'
import { operationsOf, readDocument, routeOf } from '#core/contract/openapi.ts'
import type { ServerContext } from '#core/create-server.ts'
import { unavailable } from '#core/errors/catalogue.ts'
import { sendFailureWithReason } from '#core/graph/http.ts'
import { authenticate, principalOf } from '#core/http/authenticate.ts'
import { CORRELATOR } from '#core/http/pre-auth.ts'
import { releaseSlot } from '#core/http/responses.ts'
import { streamResponse } from '#core/http/stream-response.ts'
import { enterStream } from '#core/streams/connection.ts'
import { DOCUMENTS } from '#subgraphs/names.ts'
import type { OpenResponse } from '#topology/upstream/connections.ts'
import type { Upstreams } from '#topology/upstream/upstreams.ts'
import { endToEnd } from './headers.ts'
import { defaultUrl, pathOf, requestHeaders, toRestFailure } from './pass-through.ts'

/** Service that writes exports. */
const OWNER = 'activity'

/** Longest time that a request may wait at its service before its response begins, in milliseconds. */
const LONGEST_WAIT_MS = 30_000

/** The operations that may wait. */
const waitingOperations = () =>
  DOCUMENTS.filter(({ service }) => service === OWNER)
    .flatMap(({ document }) => operationsOf(readDocument(document)))
    .filter(({ waits }) => waits)

/** Opens the response at its service; an export has to begin within the time of any other response. */
const openExport = (
  upstreams: Upstreams,
  request: FastifyRequest,
  abort: AbortController,
  timeoutMs: number,
) => {
  const upstream = upstreams.of(OWNER, defaultUrl(OWNER))
  if (!upstream) throw unavailable(`The service ${OWNER} cannot be reached`)
  const { signal } = abort
  const forwarded = {
    method: 'GET',
    path: pathOf(request),
    headers: requestHeaders(request),
    clientId: principalOf(request).clientId,
    isLong: true,
    signal,
    isRead: true,
  }
  return withDeadline(timeoutMs, async expired => {
    expired.addEventListener('abort', () => abort.abort(expired.reason))
    return upstream.open(forwarded)
  }).catch(error => {
    throw toRestFailure(OWNER, 'GET', error)
  })
}

/** Passes a response on. Its correlator stands on the reply already: the same, since the request carried it. */
const pass = (reply: FastifyReply, { status, headers, body }: OpenResponse) =>
  streamResponse(reply, { status, headers: endToEnd(headers, [CORRELATOR]) }, body)

/** Registers the paths. Exports in flight are broken off when the server stops. */
export function registerExportProxy(
  { app, http, connections, streams }: ServerContext,
  upstreams: Upstreams,
): void {
  const open = new Set<AbortController>()
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const leave = enterStream(app, streams, principalOf(request))
    const abort = new AbortController()
    open.add(abort)
    reply.raw.once('close', () => abort.abort())
    try {
      const waitMs = request.routeOptions.config.way === 'EXPORT' ? 0 : LONGEST_WAIT_MS
      const response = await openExport(upstreams, request, abort, app.config.requestTimeoutMs + waitMs)
      if (request.facts) request.facts.passedTo = OWNER
      releaseSlot(request)
      await pass(reply, response)
    } catch (error) {
      if (!reply.sent) throw error
      request.log.info({ err: error }, 'an export was broken off')
    } finally {
      open.delete(abort)
      leave()
    }
  }
  const routes = [
    ...['timeline.csv', 'timeline.ndjson', 'summary.csv', 'summary.ndjson'].map(name => ({
      url: `/exports/${name}`,
      config: { way: 'EXPORT' as const, operation: name },
      errorHandler: sendFailureWithReason,
    })),
    ...waitingOperations().map(({ path, operationId }) => ({
      url: routeOf(path),
      config: { way: 'REST' as const, operation: operationId },
    })),
  ]
  for (const route of routes)
    http.route({ method: 'GET', ...route, exposeHeadRoute: false, onRequest: authenticate(app), handler })
  connections.add({ name: 'exports', stop: () => open.forEach(one => one.abort()) })
}
