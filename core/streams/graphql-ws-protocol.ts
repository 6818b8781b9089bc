/** The graphql-transport-ws protocol over the graph: who connects, what is run, how it ends. */
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
import { asServiceError, ServiceError, unavailable } from '../errors/catalogue.ts'
import { fromFormatted, toGraphQLError } from '../errors/graphql-errors.ts'
import { makeServer, type Outcome, type ServerOptions } from '../third-party/graphql-ws.ts'
import { endWithSession } from './end-with-session.ts'
import { sendResults } from './next-messages.ts'
import type { GraphRequest, OperationResponse, RunOperation } from './operation.ts'
import { openSession, type Session } from './session.ts'
import { CLOSE, closeSocket, sendText } from './socket.ts'

/** What belongs to one connection. */
export interface SocketConnection {
  readonly socket: WebSocket
  /** Called when the client is known; the result is called when the connection ends. @throws ServiceError. */
  enter(principal: Principal): Release
  readonly correlator: string
  readonly active: Set<string>
  session?: Session
  leave?: Release
}

/** So soon a client has to say who it is. */
const INIT_WAIT_MS = 3_000

type Ctx = Context<Record<string, unknown> | undefined, SocketConnection>

/** graphql-ws asks for an operation to tell what kind of result is to come; that which came was run already. */
const PLACEHOLDER = { schema: buildSchema('type Query { ran: Boolean }'), document: parse('{ ran }') }

const authorizationOf = ({ connectionParams: params }: Ctx): string | undefined => {
  const value = params?.['Authorization'] ?? params?.['authorization']
  return typeof value === 'string' && value !== '' ? value : undefined
}

const closeCodeFor = (error: ServiceError, presented: boolean) => {
  if (error.code !== 'UNAUTHORIZED') return CLOSE.tryLater
  return presented ? CLOSE.forbidden : CLOSE.unauthorized
}

/** The subscriptions are told first, each by its own error; then the socket is closed. */
const closeWhenTold = ({ socket, active, session }: SocketConnection) => {
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
    session.signal.addEventListener('abort', () => closeWhenTold(extra))
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

const start = async (parts: ProtocolParts, ctx: Ctx, id: string, request: GraphRequest) => {
  const { app, run, maxActive } = parts
  const { active, correlator, session, socket } = ctx.extra
  const { principal, signal } = session!
  if (active.size > maxActive) throw unavailable(`More than ${maxActive} operations on one connection`)
  const response = await run(request, { principal, correlator, authorization: authorizationOf(ctx)! })
  if (isRefused(response)) return response.result.errors!.map(fromFormatted)
  const outcome: Outcome =
    'stream' in response
      ? sendResults(endWithSession(response.stream, signal), id, message =>
          sendText(socket, message, app.log),
        )
      : response.result
  return { ...PLACEHOLDER, contextValue: { outcome } }
}

/** graphql-ws wraps what a stream fails with, and would leave out the place that it names. */
const unwrap = (error: GraphQLError): GraphQLError =>
  error.originalError instanceof GraphQLError ? error.originalError : error

export interface ProtocolParts {
  readonly app: App
  readonly run: RunOperation
  /** Makes errors fit for the wire. */
  readonly formatErrors: (errors: readonly GraphQLError[]) => readonly GraphQLFormattedError[]
  /** How many operations one connection may have at a time. */
  readonly maxActive: number
}

/** The protocol's server for this process. */
export function createProtocol(parts: ProtocolParts) {
  const { app } = parts
  const options: ServerOptions<SocketConnection> = {
    connectionInitWaitTimeout: INIT_WAIT_MS,
    onConnect: ctx => connect(app, ctx),
    async onSubscribe(ctx, id, payload) {
      ctx.extra.active.add(id)
      try {
        return await start(parts, ctx, id, payload as GraphRequest)
      } catch (error) {
        return [toGraphQLError(error)]
      }
    },
    execute: ({ contextValue }) => (contextValue as { outcome: Outcome }).outcome,
    // Results are in their final form already; only what graphql-ws would turn them into is put aside.
    onNext: (_ctx, _id, _payload, _args, result) => result,
    onError(ctx, id, _payload, errors) {
      ctx.extra.active.delete(id)
      setImmediate(closeWhenTold, ctx.extra)
      return parts.formatErrors(errors.map(unwrap))
    },
    onComplete(ctx, id) {
      ctx.extra.active.delete(id)
    },
    onClose: ({ extra }) => release(extra),
  }
  return makeServer(options)
}
