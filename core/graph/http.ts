/** GraphQL over HTTP at a subgraph: graphql-http reads the request and formats the response, the executor does the work. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ExecutionArgs, GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { OperationArgs } from 'graphql-http'
import { GATEWAY_SEAL } from '../access/gateway-seal.ts'
import type { Caller } from '../access/principal.ts'
import { withDeadline } from '../async/deadline.ts'
import { CollectedTrail } from '../audit/access-recorder.ts'
import type { App } from '../context/app.ts'
import { invalid, toGraphQL } from '../errors/catalogue.ts'
import { authenticate, callerOf, createPortUsage } from '../http/authenticate.ts'
import { keepConnection, logFailure, requestFailure, sendFailure } from '../http/errors.ts'
import type { HttpReply, HttpRequest } from '../http/exchange.ts'
import { timeSpent } from '../http/observe.ts'
import { CollectedStatements, EXPLAIN, EXPLAINED, withSink } from '../observability/explanation.ts'
import { clientOperation } from '../streams/result-stream.ts'
import { createHandler, type HandlerOptions } from '../third-party/graphql-http.ts'
import { type Query, requireUtf8 } from '../values/text.ts'
import { type Admit, type Admitted, NotAdmitted } from './admission.ts'
import { publicExtensions } from './error-format.ts'
import type { Executor } from './executor.ts'
import type { Subgraph } from './subgraph.ts'

export interface GraphHttpOptions {
  readonly app: App
  readonly subgraph: Subgraph
  readonly executor: Executor
  readonly admit: Admit
}

/** Body after the JSON parser. */
type Body = string | Record<string, unknown> | null

const JSON_TYPE = 'application/json; charset=utf-8'

/** Factor of the quotas at this port, which are counted apart: one operation at the gateway becomes several fetches. */
const FETCHES = 10

const NO_MUTATION = { status: 405, reason: 'METHOD_NOT_ALLOWED', headers: { allow: 'POST' } } as const

/** @throws ServiceError for a subscription, which has no single result, and for a mutation by GET. */
const checkMethod = ({ type }: Admitted, method: string) => {
  if (type === 'subscription')
    throw invalid('Subscriptions are served over WebSocket', { reason: 'INVALID_OPERATION' })
  if (type === 'mutation' && method === 'GET')
    throw invalid('Mutations are possible by POST alone', NO_MUTATION)
}

/** Replaces the content type, which was checked before the body was read: the library knows one spelling of it. */
const headersOf = ({ method, headers }: FastifyRequest) =>
  method === 'POST' ? { ...headers, 'content-type': 'application/json' } : headers

interface HttpResult {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/** Member of a response's extensions: the subjects that the fetch reached, for the gateway to record. */
export const SUBJECTS = 'subjects'

/** Request on its way through graphql-http, with the status of its response. */
class Exchange {
  readonly #options: GraphHttpOptions
  readonly #request: FastifyRequest
  readonly #caller: Caller
  /** Subjects that a gateway records itself; absent for a client that calls this port. */
  readonly #collected: CollectedTrail | undefined
  /** Statements that a gateway explains; absent where it explains nothing. */
  readonly #statements: CollectedStatements | undefined
  #executed = false
  #status: number | undefined

  constructor(options: GraphHttpOptions, request: FastifyRequest, signal: AbortSignal) {
    this.#options = options
    this.#request = request
    const { access, accessRecords } = options.app
    const caller = callerOf(accessRecords, request, signal)
    this.#collected = access.seals.isSealed(request.headers[GATEWAY_SEAL]) ? new CollectedTrail() : undefined
    if (this.#collected && request.headers[EXPLAIN] === '1') this.#statements = new CollectedStatements()
    this.#caller = { ...caller, trail: this.#collected ?? caller.trail }
  }

  async respond(): Promise<HttpResult> {
    const { method, url, body } = this.#request
    const headers = headersOf(this.#request)
    const handle = createHandler(this.#handlerOptions())
    const request = { method, url, headers, body: body as Body, raw: undefined, context: undefined }
    const [text, init] = await handle(request)
    if (text === null)
      throw invalid(init.statusText, { status: init.status, headers: init.headers as Record<string, string> })
    return { status: this.#executed ? 200 : (this.#status ?? init.status), headers: init.headers ?? {}, text }
  }

  #handlerOptions(): HandlerOptions {
    return {
      onSubscribe: (_, params) => this.#admit(params as Parameters<Admit>[0]),
      execute: args => this.#execute(args),
      formatError: error => this.#format(error),
    }
  }

  async #admit(params: Parameters<Admit>[0]): Promise<OperationArgs<undefined> | readonly GraphQLError[]> {
    try {
      const admitted = await this.#options.admit(params, this.#caller.principal)
      checkMethod(admitted, this.#request.method)
      const { document, operationName, variables: variableValues, type } = admitted
      const { facts } = this.#request
      if (facts) facts.operationType = type
      return { schema: this.#options.subgraph.schema, document, operationName, variableValues }
    } catch (error) {
      if (error instanceof NotAdmitted) return error.errors
      throw error
    }
  }

  async #execute({ document, operationName, variableValues }: ExecutionArgs) {
    const { facts } = this.#request
    if (facts) facts.operation = clientOperation(operationName)
    const execute = () =>
      this.#options.executor.execute({
        document,
        operationName: operationName ?? undefined,
        variables: variableValues ?? undefined,
        caller: this.#caller,
        context: this.#options.subgraph.context(this.#caller),
      })
    const result = await (this.#statements ? withSink(this.#statements, execute) : execute())
    this.#executed = 'data' in result
    const extensions = this.#reported()
    return extensions ? { ...result, extensions } : result
  }

  /** Reports to a gateway what it records or explains itself. */
  #reported(): Record<string, unknown> | undefined {
    const subjects = this.#collected?.subjects.size ? [...this.#collected.subjects] : undefined
    const statements = this.#statements?.statements
    if (!subjects && !statements) return undefined
    return { ...(subjects && { [SUBJECTS]: subjects }), ...(statements && { [EXPLAINED]: statements }) }
  }

  /** Formats an error; errors of an execution come here too, in their final form. */
  #format(error: Error | GraphQLError | GraphQLFormattedError): GraphQLFormattedError {
    const known = error instanceof GraphQLError ? error : new GraphQLError(error.message)
    const final = error instanceof Error ? this.#options.executor.format([known], this.#caller)[0]! : error
    this.#request.facts?.failInGraph(final)
    this.#status ??= (final.extensions as { http: { status: number } }).http.status
    return final
  }
}

/** Responds to a failed request as GraphQL does, with its status and headers; as JSON unless another type is given. */
export const respondGraphFailure = (
  error: Error,
  request: HttpRequest,
  reply: HttpReply,
  type = JSON_TYPE,
): HttpReply => {
  const response = requestFailure(error)
  logFailure(request, error, response)
  keepConnection(error, request, reply)
  request.facts?.fail(response)
  return reply
    .code(response.status)
    .headers(response.headers)
    .type(type)
    .send(JSON.stringify({ errors: [toGraphQL(response)] }))
}

/** Responds to a failure as REST does, with the wrong parameter and the reason as the graph has them. */
export const sendFailureWithReason = (
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => sendFailure(error, request, reply, ({ extensions }) => publicExtensions(extensions))

/** Serves a subgraph at `/graphql`: the token is verified before any other part of a request is read. */
export function registerGraphHttp(server: FastifyInstance, options: GraphHttpOptions): void {
  const { app } = options
  server.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    config: { way: 'FETCH' },
    onRequest: authenticate({ ...app, usage: createPortUsage(FETCHES) }),
    async handler(request, reply) {
      if (request.method === 'GET') requireUtf8(request.query as Query)
      const response = await withDeadline(
        app.config.requestTimeoutMs,
        signal => new Exchange(options, request, signal).respond(),
        timeSpent(request),
      )
      return reply.code(response.status).headers(response.headers).send(response.text)
    },
    errorHandler: respondGraphFailure,
  })
}
