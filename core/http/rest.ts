/**
 * The REST adapter that all services share: a contract document and its operations in, routes out. What happens
 * to a request stands in `steps`, in the order in which it happens (docs/decisions.md, "Identity and access").
 */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  onRequestHookHandler,
  preValidationHookHandler,
} from 'fastify'
import type { Caller } from '../access/caller.ts'
import { requireRole } from '../access/roles.ts'
import { withDeadline } from '../async/deadline.ts'
import type { App } from '../context/app.ts'
import { type OpenApiDocument, type OperationContract, operationsOf, routeOf } from '../contract/openapi.ts'
import { responseSchemas } from '../contract/response-schemas.ts'
import { ShapeError } from '../contract/shape.ts'
import { checkOf, missingBody } from '../contract/validation.ts'
import type { ServiceError } from '../errors/catalogue.ts'
import type { Query } from '../values/query.ts'
import { type AuthenticateParts, authenticate, principalOf } from './authenticate.ts'
import { numberFaultsOf } from './bodies.ts'
import { timeSpent } from './time-spent.ts'

/** What of a process REST uses. */
export type RestParts = AuthenticateParts & Pick<App, 'config'>

export interface RestRequest {
  readonly caller: Caller
  /** As it was sent, but for what its schema does not name; undefined where the operation takes none. */
  readonly body: unknown
  /** What the schema refuses of the body, in which something stands in for it: the operation must throw it. */
  readonly shape?: ServiceError
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
}

export interface RestResponse {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string | number>>
}

/** A service's handlers by `operationId`. */
export type Operations = Readonly<Record<string, (request: RestRequest) => Promise<RestResponse>>>

/** @throws Error naming every operation without a handler and every handler without an operation. */
function checkComplete(title: string, contract: readonly OperationContract[], operations: Operations): void {
  const declared = new Set(contract.map(({ operationId }) => operationId))
  const faults = [
    ...[...declared].filter(id => !(id in operations)).map(id => `operation ${id} has no handler`),
    ...Object.keys(operations)
      .filter(id => !declared.has(id))
      .map(id => `handler ${id} has no operation`),
  ]
  if (faults.length > 0) throw new Error(`${title}: ${faults.join('; ')}`)
}

const checkRole =
  ({ roles, operationId }: OperationContract): onRequestHookHandler =>
  (request, _, done) => {
    requireRole(principalOf(request), roles, operationId)
    done()
  }

/** Without a body no content-type is looked at and no schema, so its absence is a fault of its own. */
const requireBody: preValidationHookHandler = (request, _, done) => {
  if (request.body === undefined) throw missingBody()
  done()
}

/** What its schema, and the scan of its numbers, refuse of a body. @throws ServiceError for a body that is none. */
const shapeOf = (request: FastifyRequest): ServiceError | undefined => {
  const { validationError } = request
  if (validationError !== undefined && !(validationError instanceof ShapeError)) throw validationError
  const numbers = numberFaultsOf(request)
  return numbers.length > 0 ? ShapeError.with(numbers, validationError) : validationError
}

const toRequest = (request: FastifyRequest, signal: AbortSignal): RestRequest => ({
  caller: { principal: principalOf(request), correlator: request.id, signal },
  body: request.body,
  shape: shapeOf(request),
  params: request.params as Record<string, string>,
  query: request.query as Query,
})

const handle =
  (app: RestParts, operation: Operations[string]) => async (request: FastifyRequest, reply: FastifyReply) => {
    const response = await withDeadline(
      app.config.requestTimeoutMs,
      signal => operation(toRequest(request, signal)),
      timeSpent(request),
    )
    return reply
      .code(response.status)
      .headers(response.headers ?? {})
      .send(response.body)
  }

const steps = (app: RestParts, contract: OperationContract, operation: Operations[string]) => ({
  onRequest: [authenticate(app), checkRole(contract)],
  preValidation: contract.body ? [requireBody] : [],
  handler: handle(app, operation),
  config: { isList: contract.isList, tellsAll: true },
  attachValidation: true,
})

/** Parameters have no schema: list queries have an error code of their own, and are read by the services. */
const schemaOf = (document: OpenApiDocument, contract: OperationContract): FastifySchema => ({
  response: responseSchemas(document, contract),
  ...(contract.body && { body: { $ref: contract.body } }),
})

/** Registers a service's REST paths. Stops the start when document and handlers do not match. */
export async function registerRest(
  server: FastifyInstance,
  app: RestParts,
  document: OpenApiDocument,
  operations: Operations,
) {
  const contract = operationsOf(document)
  checkComplete(document.info.title, contract, operations)
  await server.register(async scope => {
    scope.setValidatorCompiler(({ schema }) => {
      const find = checkOf(document, (schema as { $ref: string }).$ref)
      return body => ({ error: find(body) })
    })
    for (const one of contract) {
      const { method, path, operationId } = one
      const schema = schemaOf(document, one)
      scope.route({ method, url: routeOf(path), schema, ...steps(app, one, operations[operationId]!) })
    }
  })
}
