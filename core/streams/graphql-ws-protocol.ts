/** The graphql-transport-ws protocol over the graph: how clients connect, operations run, and both end. */
import {
  buildSchema,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  parse,
} from 'graphql'
import type { Context } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { TokenRefusal } from '../access/claims.ts'
import type { Release } from '../access/client-usage.ts'
import { GATEWAY_SEAL } from '../access/gateway-seal.ts'
import { ACTING_USER, actingUserOf, type Principal } from '../access/principal.ts'
import { NO_TRAIL } from '../audit/access-recorder.ts'
import type { App } from '../context/app.ts'
import {
  asServiceError,
  fromFormatted,
  ServiceError,
  STATUS_OF,
  toGraphQLError,
  unavailable,
} from '../errors/catalogue.ts'
import { recordClient } from '../http/authenticate.ts'
import { RequestFacts, type Way, withFacts } from '../observability/request-facts.ts'
import { beginRequestSpan } from '../observability/request-spans.ts'
import { traceIn, tracing } from '../observability/tracing.ts'
import { makeServer, type OperationOutcome, type ServerOptions } from '../third-party/graphql-ws.ts'
import { CLOSE, closeSocket, sendText } from './connection.ts'
import {
  clientOperation,
  endWithSession,
  type GraphRequest,
  type OperationResponse,
  openSession,
  type RunOperation,
  resultsOf,
  type StreamSession,
  sendResults,
} from './result-stream.ts'

/** The state of one connection. */
export interface SocketConnection {
  readonly socket: WebSocket
  /** Called when the client is known; the result is called when the connection ends. @throws ServiceError. */
  enter(principal: Principal): Release
  readonly correlator: string
  /** Address of the client. */
  readonly address: string
  /** Headers of the request that opened it. */
  readonly headers: Readonly<Record<string, unknown>>
  /** Operations under way by their ids. */
  readonly active: Map<string, RequestFacts>
  /** Ids of those that are subscriptions of a client. */
  readonly subscriptions: Set<string>
  session?: StreamSession
  /** The person behind the client, as a portal names it. */
  user?: string | undefined
  leave?: Release
}

const TRANSPORT = { transport: 'websocket' }

/** The time in which a client has to send its token. */
const INIT_WAIT_MS = 3_000

type Ctx = Context<Record<string, unknown> | undefined, SocketConnection>

/** An operation for graphql-ws, which derives the kind of result from it; the client's own was run already. */
const PLACEHOLDER = { schema: buildSchema('type Query { ran: Boolean }'), document: parse('{ ran }') }

const authorizationOf = ({ connectionParams: params }: Ctx): string | undefined => {
  const value = params?.['Authorization'] ?? params?.['authorization']
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The person, in the first message or, of clients that are no browsers, in the headers of the handshake. */
const userNamed = ({ connectionParams, extra }: Ctx): unknown =>
  connectionParams?.[ACTING_USER] ?? extra.headers[ACTING_USER]

const closeCodeFor = (error: ServiceError, presented: boolean) => {
  if (error.status === 400) return CLOSE.badRequest
  if (error.code !== 'UNAUTHORIZED') return CLOSE.tryLater
  return presented ? CLOSE.forbidden : CLOSE.unauthorized
}

/** Closes a socket whose token was refused once each of its subscriptions has reported that by its own error. */
const closeWhenReported = ({ socket, active, session }: SocketConnection) => {
  const reason = session?.signal.reason
  if (!(reason instanceof ServiceError) || reason.code !== 'UNAUTHORIZED' || active.size > 0) return
  closeSocket(socket, CLOSE.forbidden, reason.message)
}

/** Gives back what a connection holds; called again, it does nothing. */
const release = (extra: SocketConnection) => {
  extra.session?.close()
  extra.leave?.()
}

const connect = async (app: App, ctx: Ctx): Promise<boolean> => {
  const { extra } = ctx
  const authorization = authorizationOf(ctx)
  try {
    const session = await openSession(app.access, authorization)
    extra.session = session
    extra.user = actingUserOf(session.principal, userNamed(ctx))
    session.signal.addEventListener('abort', () => closeWhenReported(extra))
    extra.leave = extra.enter(session.principal)
    if (extra.socket.readyState !== extra.socket.OPEN) release(extra)
    return true
  } catch (error) {
    const refusal = asServiceError(error)
    if (error instanceof TokenRefusal) app.refusals.countToken(error, extra.address)
    closeSocket(extra.socket, closeCodeFor(refusal, authorization !== undefined), refusal.message)
    return false
  }
}

const isRefused = (response: OperationResponse): response is { result: FormattedExecutionResult } =>
  'result' in response && !('data' in response.result)

/** Turns the error of a refused operation into one that can be thrown; its place is one in the client's own text. */
const toRefusal = (error: GraphQLFormattedError): GraphQLError =>
  Object.assign(fromFormatted(error), error.locations && { locations: error.locations })

/** Begins the facts of an operation. */
const beginFacts = ({ way }: ProtocolOptions, { extra }: Ctx): RequestFacts => {
  const { correlator, session, user, headers } = extra
  const facts = new RequestFacts({
    correlator,
    method: 'WEBSOCKET',
    path: '/graphql',
    way,
    route: '/graphql',
    sentTrace: headers['traceparent'] === undefined ? undefined : traceIn(headers),
  })
  if (tracing) beginRequestSpan(tracing, facts, { headers })
  if (session) recordClient(facts, session.principal, user)
  return facts
}

/** Reports the end of an operation; called again, it does nothing. */
const endOperation = (
  { app }: ProtocolOptions,
  { active, subscriptions }: SocketConnection,
  id: string,
): void => {
  if (subscriptions.delete(id)) app.metrics.clients.subscribers.dec(TRANSPORT)
  const facts = active.get(id)
  if (!facts) return
  active.delete(id)
  facts.status = facts.code === undefined ? 200 : ((STATUS_OF as Record<string, number>)[facts.code] ?? 400)
  facts.durationMs = Date.now() - facts.at
  app.requests.end(facts)
}

/** Counts a subscription of a client until its operation ends. */
const countSubscription = (
  { app, way }: ProtocolOptions,
  { active, subscriptions }: SocketConnection,
  id: string,
): void => {
  // The client may have ended it while it began; a gateway's are those of its own clients.
  if (way !== 'STREAM' || !active.has(id)) return
  subscriptions.add(id)
  app.metrics.clients.subscribers.inc(TRANSPORT)
}

interface Operation {
  readonly id: string
  readonly request: GraphRequest
  readonly facts: RequestFacts
}

const start = async (options: ProtocolOptions, ctx: Ctx, { id, request, facts }: Operation) => {
  const { app, run, maxActive } = options
  const { active, correlator, session, socket, user, headers } = ctx.extra
  const { principal, signal } = session!
  if (active.size > maxActive) throw unavailable(`More than ${maxActive} operations on one connection`)
  const isOfGateway = options.way === 'FETCH' && app.access.seals.isSealed(headers[GATEWAY_SEAL])
  const trail = isOfGateway ? NO_TRAIL : app.accessRecords.trailOf(facts)
  const authorization = authorizationOf(ctx)!
  if (options.way === 'FETCH') facts.operation = clientOperation(request.operationName)
  const sender = { principal, correlator, user, trail, authorization, takesParts: true }
  const response = await run(request, sender)
  if (isRefused(response)) return response.result.errors!.map(toRefusal)
  if ('stream' in response) countSubscription(options, ctx.extra, id)
  const results = endWithSession(resultsOf(response), signal)
  const outcome: OperationOutcome = sendResults(results, id, facts, message => sendText(socket, message, app))
  return { ...PLACEHOLDER, contextValue: { outcome } }
}

/** The error of a stream itself: graphql-ws wraps it, and would leave out the path that it names. */
const unwrap = (error: GraphQLError): GraphQLError =>
  error.originalError instanceof GraphQLError ? error.originalError : error

export interface ProtocolOptions {
  readonly app: App
  readonly run: RunOperation
  /** Way of its operations: a client's, or a gateway's. */
  readonly way: Way
  /** Makes errors fit for the wire. */
  readonly formatErrors: (errors: readonly GraphQLError[]) => readonly GraphQLFormattedError[]
  /** The most operations that one connection may have at a time. */
  readonly maxActive: number
}

/** The protocol's server for this process. */
export function createProtocol(options: ProtocolOptions) {
  const { app } = options
  const handlers: ServerOptions<SocketConnection> = {
    connectionInitWaitTimeout: INIT_WAIT_MS,
    onConnect: ctx => connect(app, ctx),
    async onSubscribe(ctx, id, payload) {
      const facts = beginFacts(options, ctx)
      ctx.extra.active.set(id, facts)
      try {
        return await withFacts(facts, () =>
          start(options, ctx, { id, facts, request: payload as GraphRequest }),
        )
      } catch (error) {
        return [toGraphQLError(error)]
      }
    },
    execute: ({ contextValue }) => (contextValue as { outcome: OperationOutcome }).outcome,
    // Results are in their final form already, so graphql-ws must not format them.
    onNext: (_ctx, _id, _payload, _args, result) => result,
    onError(ctx, id, _payload, errors) {
      const formatted = options.formatErrors(errors.map(unwrap))
      if (formatted[0]) ctx.extra.active.get(id)?.failInGraph(formatted[0])
      endOperation(options, ctx.extra, id)
      setImmediate(closeWhenReported, ctx.extra)
      return formatted
    },
    onComplete(ctx, id) {
      endOperation(options, ctx.extra, id)
    },
    onClose({ extra }) {
      release(extra)
      for (const id of extra.active.keys()) endOperation(options, extra, id)
    },
  }
  return makeServer(handlers)
}
