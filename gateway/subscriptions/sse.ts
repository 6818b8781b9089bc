/** Results as server-sent events: the "distinct connections" mode of the GraphQL over SSE protocol (graphql-sse). */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type FormattedExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql'
import { TokenRefusal } from '#core/access/claims.ts'
import type { Release } from '#core/access/client-usage.ts'
import { ACTING_USER } from '#core/access/principal.ts'
import type { App } from '#core/context/app.ts'
import { toServiceError } from '#core/data/database-errors.ts'
import { toGraphQL } from '#core/errors/catalogue.ts'
import { respondGraphFailure } from '#core/graph/http.ts'
import { recordClient } from '#core/http/authenticate.ts'
import { traceOf } from '#core/http/observe.ts'
import { allowedHeaders, cut, hasLeft, needsDrain, releaseSlot } from '#core/http/responses.ts'
import { drained } from '#core/http/stream-response.ts'
import { type ConnectionLimit, enterStream } from '#core/streams/connection.ts'
import {
  endWithSession,
  type GraphRequest,
  type OperationResponse,
  openSession,
  type RunOperation,
  resultsOf,
  resultText,
  type Sender,
  type StreamSession,
} from '#core/streams/result-stream.ts'
import { graphRequestOf } from './sse-request.ts'
import { formatErrors } from './versioned-stream.ts'

const KEEP_ALIVE_MS = 12_000

const TRANSPORT = { transport: 'sse' }

/** Writes an event stream, never faster than its client reads. */
interface SseWriter {
  /** Resolves when the client may be sent more; at once when it is gone. */
  next(result: FormattedExecutionResult): Promise<void>
  /** Ends the stream with the event `complete`. */
  complete(): Promise<void>
  /** Ends without `complete`. */
  abandon(): void
  /** Calls `callback` when the connection has ended; at once when it has already. */
  onClose(callback: () => void): void
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'keep-alive',
}

const write = async (raw: ServerResponse, text: string): Promise<void> => {
  if (hasLeft(raw) || raw.writableEnded) return
  if (!raw.write(text)) await drained(raw)
}

/** Writes a result, and records it. */
const writeResult = async (
  { raw, request }: FastifyReply,
  result: FormattedExecutionResult,
): Promise<void> => {
  const text = `event: next\ndata: ${resultText(result)}\n\n`
  await write(raw, text)
  request.facts?.deliver(Buffer.byteLength(text))
}

/** Begins the response; headers that were set before, such as `x-correlator`, go along. */
function openEventStream(reply: FastifyReply): SseWriter {
  const { raw } = reply
  reply.hijack()
  raw.writeHead(
    200,
    allowedHeaders(raw, { ...(reply.getHeaders() as Record<string, string>), ...STREAM_HEADERS }),
  )
  // Some browsers notice a response only once it has some bytes.
  raw.write(':\n\n')
  const keepAlive = setInterval(() => needsDrain(raw) || raw.write(':\n\n'), KEEP_ALIVE_MS).unref()
  // The client may have left while the stream was admitted; then no event would follow.
  if (hasLeft(raw)) clearInterval(keepAlive)
  else raw.once('close', () => clearInterval(keepAlive))
  return {
    next: result => writeResult(reply, result),
    async complete() {
      await write(raw, 'event: complete\ndata:\n\n')
      raw.end()
    },
    abandon: () => cut(raw),
    onClose: callback => (hasLeft(raw) ? callback() : void raw.once('close', callback)),
  }
}

export interface SseOptions {
  readonly app: App
  readonly run: RunOperation
  readonly streams: ConnectionLimit
  /** The schema that clients see now. */
  schemaOf(): GraphQLSchema
}

/** Responds to a failure before the stream has begun: an ordinary response with its status. */
const answerFailure = (reply: FastifyReply, error: unknown) => {
  const failure = toServiceError(error)
  reply.request.facts?.fail(failure)
  return reply
    .code(failure.status)
    .headers(failure.headers)
    .send({ errors: [toGraphQL(failure).toJSON()] })
}

const refusal = ({ app, schemaOf }: SseOptions, error: unknown): FormattedExecutionResult => ({
  errors: formatErrors(
    [error instanceof GraphQLError ? error : toGraphQL(toServiceError(error))],
    app,
    schemaOf,
  ),
})

const countSubscriber = ({ app }: SseOptions, writer: SseWriter): void => {
  const { subscribers } = app.metrics.clients
  subscribers.inc(TRANSPORT)
  writer.onClose(() => subscribers.dec(TRANSPORT))
}

/** Writes all results; the error of a stream becomes its last result, since the protocol has no other place for it. */
const writeAll = async (
  options: SseOptions,
  writer: SseWriter,
  responding: Promise<OperationResponse>,
  session: StreamSession,
) => {
  try {
    const response = await responding
    const results = endWithSession(resultsOf(response), session.signal)
    if ('stream' in response) countSubscriber(options, writer)
    writer.onClose(() => void results.return(undefined))
    for await (const result of results) await writer.next(result)
  } catch (error) {
    await writer.next(refusal(options, error))
  }
  await writer.complete()
}

/** A stream that was admitted. */
interface Admitted {
  readonly session: StreamSession
  readonly operation: GraphRequest
  readonly leave: Release
}

/** Makes every refusal that can be made before the stream begins, while the response can still have a status. */
const admit = async ({ app, streams }: SseOptions, request: FastifyRequest): Promise<Admitted> => {
  const session = await openSession(app.access, request.headers.authorization)
  try {
    if (request.facts) recordClient(request.facts, session.principal, request.headers[ACTING_USER])
    const operation = graphRequestOf(request)
    return { session, operation, leave: enterStream(app, streams, session.principal) }
  } catch (error) {
    session.close()
    throw error
  }
}

const senderOf = ({ app }: SseOptions, request: FastifyRequest, { principal }: StreamSession): Sender => ({
  principal,
  correlator: request.id,
  user: request.facts!.user,
  trail: app.accessRecords.trailOf(request.facts!),
  trace: traceOf(request.headers),
  authorization: request.headers.authorization!,
  readOnly: request.method === 'GET',
  takesParts: true,
})

const serve =
  (options: SseOptions, open: Set<SseWriter>) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { facts } = request
    if (facts) facts.way = 'STREAM'
    let admitted: Admitted
    try {
      admitted = await admit(options, request)
    } catch (error) {
      if (error instanceof TokenRefusal) options.app.refusals.countToken(error, request.ip)
      return answerFailure(reply, error)
    }
    const { session, operation, leave } = admitted
    releaseSlot(request)
    const writer = openEventStream(reply)
    open.add(writer)
    writer.onClose(() => {
      leave()
      session.close()
      open.delete(writer)
    })
    await writeAll(options, writer, options.run(operation, senderOf(options, request, session)), session)
  }

/**
 * Serves `/graphql/stream`, and requests at `/graphql` that accept `text/event-stream`.
 * @returns the handler for the latter, and a function that ends every stream.
 */
export function registerSse(http: FastifyInstance, options: SseOptions) {
  const open = new Set<SseWriter>()
  const handler = serve(options, open)
  http.route({
    method: ['GET', 'POST'],
    url: '/graphql/stream',
    config: { way: 'STREAM' },
    handler,
    errorHandler: respondGraphFailure,
  })
  // Ended without `complete`, so that clients know to connect again.
  const stop = () => {
    for (const writer of open) writer.abandon()
  }
  return { handler, stop }
}
