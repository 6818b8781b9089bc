/**
 * REST reads of the database: their responses are given again while they are true, with the hash of their bytes for the ETag.
 * They go the direct way (`direct-way.ts`), once Fastify has served one of their route.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireRole } from '../access/principal.ts'
import { clientAlone } from '../access/visibility.ts'
import { withDeadline } from '../async/deadline.ts'
import { sharedKey } from '../async/single-flight.ts'
import type { App } from '../context/app.ts'
import type { OperationContract } from '../contract/openapi.ts'
import { type AuthenticateDependencies, authenticate, principalOf, restRequestOf } from './authenticate.ts'
import { type DirectRoute, serveDirectly } from './direct-way.ts'
import { sendFailureDirectly } from './errors.ts'
import type { HttpRequest } from './exchange.ts'
import { timeSpent } from './observe.ts'
import type { Operations, RestResponse } from './rest-operations.ts'
import type { SharedAnswer } from './validators.ts'

/** Parts of a process that serve REST. */
export type RestDependencies = AuthenticateDependencies & Pick<App, 'config' | 'accessRecords' | 'answers'>

type Operation = Operations[string]

const repeatable = new WeakSet<Operation>()

/**
 * Marks an operation whose response depends on the request, its client and the database alone: on no clock, and on nothing that
 * this process or another system knows.
 */
export const ofDatabase = <Marked extends Operation>(operation: Marked): Marked => {
  repeatable.add(operation)
  return operation
}

export const isOfDatabase = (operation: Operation): boolean => repeatable.has(operation)

const JSON_TYPE = 'application/json; charset=utf-8'

/** Writes a body as the contract has it for a status. */
type WriteBody = (status: number, body: object) => string

/** Makes the function that writes bodies as Fastify writes them on a route with these statuses. */
const writerOf = (reply: FastifyReply, statuses: readonly string[]): WriteBody => {
  const byStatus = new Map(
    statuses.map(one => [one, reply.getSerializationFunction(one, 'application/json')]),
  )
  return (status, body) => (byStatus.get(String(status)) ?? JSON.stringify)(body as Record<string, unknown>)
}

interface DatabaseRead {
  readonly app: RestDependencies
  readonly contract: OperationContract
  readonly operation: Operation
}

/** Response whose body is written. */
interface Written extends RestResponse, SharedAnswer {
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: string
}

/** Answers with a stored response, or with one that is stored for the next; with a new one where none are stored. */
const respondOrRepeat = async (
  { app, operation }: DatabaseRead,
  request: HttpRequest,
  write: WriteBody,
): Promise<Written> => {
  const { answers, accessRecords, config } = app
  const trail = accessRecords.trailOf(request.facts!)
  const asked = `${request.routeOptions.config.operation}\n${request.url}`
  const read = (signal: AbortSignal) => operation(restRequestOf(request, trail, signal))
  const make = async (): Promise<Written> => {
    const response = await withDeadline(config.requestTimeoutMs, read, timeSpent(request))
    const { status, headers = {}, body } = response
    const text = write(status, body as object)
    return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: text }
  }
  if (!answers) return make()
  // An answer as before waits for the moment of the database alone, which has a limit of its own.
  const stored = await answers.answer({
    key: sharedKey(clientAlone(principalOf(request)), asked),
    trail,
    make,
    bytesOf: ({ body }) => 2 * body.length,
  })
  request.stored = stored
  return stored
}

/** Makes the direct route of a read, whose steps are those of its Fastify route. */
const directRoute = (
  read: DatabaseRead,
  { url = '', config }: FastifyRequest['routeOptions'],
  write: WriteBody,
): DirectRoute => {
  const { app, contract } = read
  const authenticateFirst = authenticate(app)
  const fail: DirectRoute['fail'] = (error, request, reply) =>
    sendFailureDirectly(error, request, reply, write)
  return {
    method: 'GET',
    url,
    config,
    takes: (accept = '') => !accept.includes('text/html'),
    async admit(request, reply) {
      await authenticateFirst(request, reply)
      requireRole(principalOf(request), contract.roles, contract.operationId)
    },
    async respond(request, reply) {
      const { status, headers, body } = await respondOrRepeat(read, request, write)
      reply.code(status).headers(headers)
      return body
    },
    refuse: fail,
    fail,
  }
}

/** Handler of a Fastify route. */
export type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Makes the handler of a read of the database. */
export const handleRead = (
  app: DatabaseRead['app'],
  contract: OperationContract,
  operation: Operation,
): RouteHandler => {
  const read = { app, contract, operation }
  let write: WriteBody | undefined
  return async (request, reply) => {
    if (!write) {
      // Fastify's serializers are to be had of a reply alone.
      write = writerOf(reply, Object.keys(contract.responses))
      serveDirectly(request.server, directRoute(read, request.routeOptions, write))
    }
    const { status, headers, body } = await respondOrRepeat(read, request, write)
    return reply.code(status).headers(headers).send(body)
  }
}
