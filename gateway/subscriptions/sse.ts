/** Results as server-sent events: the "distinct connections" mode of the GraphQL over SSE protocol (graphql-sse). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type FormattedExecutionResult, GraphQLError } from 'graphql'
import type { App } from '../../subgraphs/shared/app.ts'
import { fromDatabase } from '../../subgraphs/shared/data/failures.ts'
import { asServiceError, type ServiceError, toGraphQL, unavailable } from '../../subgraphs/shared/errors.ts'
import { leaveOverload } from '../../subgraphs/shared/http/overload.ts'
import { traceOf } from '../../subgraphs/shared/http/trace.ts'
import type { Streams } from '../../subgraphs/shared/streams/open-streams.ts'
import type { Answer, RunOperation } from '../../subgraphs/shared/streams/operation.ts'
import { openSession, type Session } from '../../subgraphs/shared/streams/session.ts'
import { untilEnded } from '../../subgraphs/shared/streams/until-ended.ts'
import { formatErrors } from './execute-event.ts'
import { graphRequestOf, wantsStream } from './sse-request.ts'
import { openEventStream, type SseWriter } from './sse-writer.ts'

export interface SseParts {
  readonly app: App
  readonly run: RunOperation
  readonly streams: Streams
}

const failureOf = (error: unknown): ServiceError => fromDatabase(error) ?? asServiceError(error)

/** Before the stream has begun, a failure is an ordinary answer with its status. */
const answerFailure = (reply: FastifyReply, error: unknown) => {
  const failure = failureOf(error)
  return reply
    .code(failure.status)
    .headers(failure.headers)
    .send({ errors: [toGraphQL(failure).toJSON()] })
}

const refusal = (app: App, error: unknown): FormattedExecutionResult => ({
  errors: formatErrors([error instanceof GraphQLError ? error : toGraphQL(failureOf(error))], app.log),
})

async function* results(answer: Answer, { signal }: Session): AsyncGenerator<FormattedExecutionResult> {
  if ('result' in answer) yield answer.result
  else yield* untilEnded(answer.stream, signal)
}

/** A stream that fails tells why in its last result, the only place the protocol has for it. */
const writeAll = async (app: App, writer: SseWriter, answered: Promise<Answer>, session: Session) => {
  try {
    const answer = await answered
    if ('stream' in answer) writer.onClose(() => void answer.stream.return(undefined))
    for await (const result of results(answer, session)) await writer.next(result)
  } catch (error) {
    await writer.next(refusal(app, error))
  }
  await writer.complete()
}

const serve =
  (parts: SseParts, open: Set<SseWriter>) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { app, run, streams } = parts
    if (streams.full())
      return answerFailure(reply, unavailable('Too many streams are open; try again shortly'))
    let session: Session
    try {
      session = await openSession(app.access, request.headers.authorization)
    } catch (error) {
      return answerFailure(reply, error)
    }
    leaveOverload(request)
    const leave = streams.enter()
    const writer = openEventStream(reply)
    open.add(writer)
    writer.onClose(() => {
      leave()
      session.close()
      open.delete(writer)
    })
    const sender = {
      principal: session.principal,
      correlator: request.id,
      trace: traceOf(request.headers),
      authorization: request.headers.authorization!,
      readOnly: request.method === 'GET',
    }
    await writeAll(app, writer, run(graphRequestOf(request), sender), session)
  }

/**
 * Serves `/graphql/stream`, and requests at `/graphql` that accept `text/event-stream`.
 * @returns the handler for the latter, and a function that ends every stream.
 */
export function registerSse(http: FastifyInstance, parts: SseParts) {
  const open = new Set<SseWriter>()
  const handler = serve(parts, open)
  http.route({ method: ['GET', 'POST'], url: '/graphql/stream', handler })
  // Ended without `complete`, so that clients know to connect again.
  const stop = () => {
    for (const writer of open) writer.abandon()
  }
  return { handler, wantsStream, stop }
}
