/** `GET /exports/timeline.*` and `summary.*`: timeline and summary as files, as far as the client may see them in the graph. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Principal, READERS, requireRole } from '#core/access/principal.ts'
import { FairSlots } from '#core/async/fair-slots.ts'
import { actorOf, recordAlone } from '#core/audit/acts.ts'
import type { App } from '#core/context/app.ts'
import { unavailable } from '#core/errors/catalogue.ts'
import { sendFailureWithReason } from '#core/graph/http.ts'
import type { PathHost } from '#core/graph/subgraph.ts'
import { authenticate, callerOf } from '#core/http/authenticate.ts'
import { logFailure, requestFailure } from '#core/http/errors.ts'
import { cut, hasLeft, releaseSlot } from '#core/http/responses.ts'
import { FORMATS, type FormatName } from '#core/http/row-files.ts'
import { streamCompressed } from '#core/http/stream-response.ts'
import { createMask } from '#core/observability/log-mask.ts'
import { enterStream } from '#core/streams/connection.ts'
import { openSession, type StreamSession } from '#core/streams/result-stream.ts'
import type { Query } from '#core/values/text.ts'
import type { ActivityService } from '../service.ts'

/** Most exports in flight; a client has half of them, since one that reads slowly holds its slots for hours. */
const EXPORTS = 32
/** Time after which a client at its limit may try again, in seconds. */
const RETRY_SECONDS = 5

interface ExportDependencies {
  readonly app: App
  readonly service: ActivityService
  readonly streams: PathHost['streams']
  readonly slots: FairSlots
}

/** Takes a slot for an export; the result frees it. @throws ServiceError SERVICE_UNAVAILABLE at the limit. */
const enter = ({ app, streams, slots }: ExportDependencies, principal: Principal) => {
  const free = slots.take(principal.clientId)
  if (!free)
    throw unavailable('Too many exports are under way; try again when one of them has ended', {
      retryAfterSeconds: RETRY_SECONDS,
    })
  try {
    const leave = enterStream(app, streams, principal)
    return () => {
      leave()
      free()
    }
  } catch (error) {
    free()
    throw error
  }
}

/** Exports by the names of their paths. */
const EXPORTED = {
  timeline: { action: 'TIMELINE_EXPORTED', operation: 'exportTimeline' },
  summary: { action: 'SUMMARY_EXPORTED', operation: 'exportSummary' },
} as const

type ExportName = keyof typeof EXPORTED

const headersOf = (of: ExportName, name: FormatName) => ({
  'content-type': FORMATS[name].contentType,
  'content-disposition': `attachment; filename="${of}.${name}"`,
  'cache-control': 'no-store',
})

/** Yields all texts. The first was awaited before, so that a failure until then is an ordinary response. */
async function* from(first: IteratorResult<string>, rest: AsyncGenerator<string>, { signal }: StreamSession) {
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      signal.throwIfAborted()
      yield next.value
    }
  } finally {
    await rest.return(undefined)
  }
}

/** Masks a subscriber's number in the parameters of an export: acts are kept for ever. */
const maskDetails = createMask(false)

/** Opens an export; refusals reject before it resolves, and from then on it counts as one of the client's streams. */
const open = async (
  parts: ExportDependencies,
  of: ExportName,
  name: FormatName,
  request: FastifyRequest,
  session: StreamSession,
) => {
  const { principal, signal } = session
  const leave = enter(parts, principal)
  try {
    requireRole(principal, ['partner', ...READERS], EXPORTED[of].operation)
    const caller = { ...callerOf(parts.app.accessRecords, request, signal), principal }
    const query = request.query as Query
    const texts = parts.service[EXPORTED[of].operation](caller, FORMATS[name], query)
    const details = JSON.parse(maskDetails(JSON.stringify({ format: name, ...query })))
    await recordAlone(parts.app, { actor: actorOf(caller), action: EXPORTED[of].action, details })
    return { chunks: from(await texts.next(), texts, session), leave }
  } catch (error) {
    leave()
    throw error
  }
}

const serve =
  (parts: ExportDependencies, of: ExportName, name: FormatName, sending: Set<FastifyReply>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const session = await openSession(parts.app.access, request.headers.authorization)
    try {
      const { chunks, leave } = await open(parts, of, name, request, session)
      reply.raw.once('close', leave)
      if (hasLeft(reply.raw)) leave()
      releaseSlot(request)
      sending.add(reply)
      await streamCompressed(reply, { status: 200, headers: headersOf(of, name) }, chunks)
    } catch (error) {
      if (!reply.sent) throw error
      logFailure(request, error as Error, requestFailure(error as Error))
    } finally {
      sending.delete(reply)
      session.close()
    }
  }

/** Registers the paths. A stop of the server breaks off exports in flight, like any failure. */
export const registerExports =
  (app: App, service: ActivityService) =>
  ({ http, streams, connections }: PathHost): void => {
    const sending = new Set<FastifyReply>()
    const parts = { app, service, streams, slots: new FairSlots(EXPORTS) }
    const all = (['timeline', 'summary'] as const).flatMap(of =>
      (['csv', 'ndjson'] as const).map(name => [of, name] as const),
    )
    for (const [of, name] of all) {
      const handler = serve(parts, of, name, sending)
      const url = `/exports/${of}.${name}`
      http.route({
        method: 'GET',
        url,
        config: { way: 'EXPORT', operation: `${of}.${name}` },
        exposeHeadRoute: false,
        onRequest: authenticate(app),
        handler,
        errorHandler: sendFailureWithReason,
      })
    }
    connections.add({ name: 'exports', stop: () => sending.forEach(({ raw }) => cut(raw)) })
  }
