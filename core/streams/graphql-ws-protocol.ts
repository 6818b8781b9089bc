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
import type { Release } from '../access/client-usage.ts'
import type { Principal } from '../access/principal.ts'
import type { App } from '../context/app.ts'
import {
  asServiceError,
  fromFormatted,
  ServiceError,
  toGraphQLError,
  unavailable,
} from '../errors/catalogue.ts'
import { makeServer, type OperationOutcome, type ServerOptions } from '../third-party/graphql-ws.ts'
import type { GraphRequest, OperationResponse, RunOperation } from './operation.ts'
import { sendResults } from './result-text.ts'
import { endWithSession, openSession, type StreamSession } from './session.ts'
import { CLOSE, closeSocket, sendText } from './socket.ts'

/** The state of one connection. */
export interface SocketConnection {
  readonly socket: WebSocket
  /** Called when the client is known; the result is called when the connection ends. @throws ServiceError. */
  enter(principal: Principal): Release
  readonly correlator: string
  readonly active: Set<string>
  session?: StreamSession
  leave?: Release
}

/** The time in which a client has to send its token. */
const INIT_WAIT_MS = 3_000

type Ctx = Context<Record<string, unknown> | undefined, SocketConnection>

/** An operation for graphql-ws, which derives the kind of result from it; the client's own was run already. */
const PLACEHOLDER = { schema: buildSchema('type Query { ran: Boolean }'), document: parse('{ ran }') }

const authorizationOf = ({ connectionParams: params }: Ctx): string | undefined => {
  const value = params?.['Authorization'] ?? params?.['authorization']
  return typeof value === 'string' && value !== '' ? value : undefined
}

const closeCodeFor = (error: ServiceError, presented: boolean) => {
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
    session.signal.addEventListener('abort', () => closeWhenReported(extra))
    extra.leave = extra.enter(session.principal)
    if (extra.socket.readyState !== extra.socket.OPEN) release(extra)
    return true
  } catch (error) {
    const refusal = asServiceError(error)
    closeSocket(extra.socket, closeCodeFor(refusal, authorization !== undefined), refusal.message)
    return false
  }
}

const isRefused = (response: OperationResponse): response is { result: FormattedExecutionResult } =>
  'result' in response && !('data' in response.result)

const start = async (options: ProtocolOptions, ctx: Ctx, id: string, request: GraphRequest) => {
  const { app, run, maxActive } = options
  const { active, correlator, session, socket } = ctx.extra
  const { principal, signal } = session!
  if (active.size > maxActive) throw unavailable(`More than ${maxActive} operations on one connection`)
  const response = await run(request, { principal, correlator, authorization: authorizationOf(ctx)! })
  if (isRefused(response)) return response.result.errors!.map(fromFormatted)
  const outcome: OperationOutcome =
    'stream' in response
      ? sendResults(endWithSession(response.stream, signal), id, message =>
          sendText(socket, message, app.log),
        )
      : response.result
  return { ...PLACEHOLDER, contextValue: { outcome } }
}

/** The error of a stream itself: graphql-ws wraps it, and would leave out the path that it names. */
const unwrap = (error: GraphQLError): GraphQLError =>
  error.originalError instanceof GraphQLError ? error.originalError : error

export interface ProtocolOptions {
  readonly app: App
  readonly run: RunOperation
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
      ctx.extra.active.add(id)
      try {
        return await start(options, ctx, id, payload as GraphRequest)
      } catch (error) {
        return [toGraphQLError(error)]
      }
    },
    execute: ({ contextValue }) => (contextValue as { outcome: OperationOutcome }).outcome,
    // Results are in their final form already, so graphql-ws must not format them.
    onNext: (_ctx, _id, _payload, _args, result) => result,
    onError(ctx, id, _payload, errors) {
      ctx.extra.active.delete(id)
      setImmediate(closeWhenReported, ctx.extra)
      return options.formatErrors(errors.map(unwrap))
    },
    onComplete(ctx, id) {
      ctx.extra.active.delete(id)
    },
    onClose: ({ extra }) => release(extra),
  }
  return makeServer(handlers)
}
