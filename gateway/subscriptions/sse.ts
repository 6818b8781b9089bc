/** Results as server-sent events: the "distinct connections" mode of the GraphQL over SSE protocol (graphql-sse). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type FormattedExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql'
import type { Release } from '#core/access/client-usage.ts'
import type { App } from '#core/context/app.ts'
import { toServiceError } from '#core/data/database-errors.ts'
import { toGraphQL } from '#core/errors/catalogue.ts'
import { respondGraphFailure } from '#core/graph/http.ts'
import { releaseSlot } from '#core/http/limits.ts'
import { traceOf } from '#core/http/observe.ts'
import { type ConnectionLimit, enterStream } from '#core/streams/connection-limit.ts'
import type { GraphRequest, OperationResponse, RunOperation, Sender } from '#core/streams/operation.ts'
import { endWithSession, openSession, type Session } from '#core/streams/session.ts'
import { formatErrors } from './execute-event.ts'
import { graphRequestOf } from './sse-request.ts'
import { openEventStream, type SseWriter } from './sse-writer.ts'

export interface SseParts {
  readonly app: App
  readonly run: RunOperation
  readonly streams: ConnectionLimit
  /** The schema that clients see now. */
  schemaOf(): GraphQLSchema
}

/** Before the stream has begun, a failure is an ordinary answer with its status. */
const answerFailure = (reply: FastifyReply, error: unknown) => {
  const failure = toServiceError(error)
  return reply
    .code(failure.status)
    .headers(failure.headers)
    .send({ errors: [toGraphQL(failure).toJSON()] })
}

const refusal = ({ app, schemaOf }: SseParts, error: unknown): FormattedExecutionResult => ({
  errors: formatErrors(
    [error instanceof GraphQLError ? error : toGraphQL(toServiceError(error))],
    app,
    schemaOf,
  ),
})

async function* results(
  response: OperationResponse,
  { signal }: Session,
): AsyncGenerator<FormattedExecutionResult> {
  if ('result' in response) yield response.result
  else yield* endWithSession(response.stream, signal)
}

/** A stream that fails tells why in its last result, the only place the protocol has for it. */
const writeAll = async (
  parts: SseParts,
  writer: SseWriter,
  responding: Promise<OperationResponse>,
  session: Session,
) => {
  try {
    const response = await responding
    if ('stream' in response) writer.onClose(() => void response.stream.return(undefined))
    for await (const result of results(response, session)) await writer.next(result)
  } catch (error) {
    await writer.next(refusal(parts, error))
  }
  await writer.complete()
}

/** A stream that was let in: who has it, what it asks for, and how its place is given back. */
interface Entered {
  readonly session: Session
  readonly asked: GraphRequest
  readonly leave: Release
}

/** Whatever can be refused is refused here, while there is still a status to say so by. */
const enter = async ({ app, streams }: SseParts, request: FastifyRequest): Promise<Entered> => {
  const session = await openSession(app.access, request.headers.authorization)
  try {
    const pending = graphRequestOf(request)
    return { session, asked: pending, leave: enterStream(app, streams, session.principal) }
  } catch (error) {
    session.close()
    throw error
  }
}

const senderOf = (request: FastifyRequest, { principal }: Session): Sender => ({
  principal,
  correlator: request.id,
  trace: traceOf(request.headers),
  authorization: request.headers.authorization!,
  readOnly: request.method === 'GET',
})

const serve =
  (parts: SseParts, open: Set<SseWriter>) => async (request: FastifyRequest, reply: FastifyReply) => {
    let entered: Entered
    try {
      entered = await enter(parts, request)
    } catch (error) {
      return answerFailure(reply, error)
    }
    const { session, asked: pending, leave } = entered
    releaseSlot(request)
    const writer = openEventStream(reply)
    open.add(writer)
    writer.onClose(() => {
      leave()
      session.close()
      open.delete(writer)
    })
    await writeAll(parts, writer, parts.run(pending, senderOf(request, session)), session)
  }

/**
 * Serves `/graphql/stream`, and requests at `/graphql` that accept `text/event-stream`.
 * @returns the handler for the latter, and a function that ends every stream.
 */
export function registerSse(http: FastifyInstance, parts: SseParts) {
  const open = new Set<SseWriter>()
  const handler = serve(parts, open)
  http.route({ method: ['GET', 'POST'], url: '/graphql/stream', handler, errorHandler: respondGraphFailure })
  // Ended without `complete`, so that clients know to connect again.
  const stop = () => {
    for (const writer of open) writer.abandon()
  }
  return { handler, stop }
}
