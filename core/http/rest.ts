/**
 * The REST adapter of all services: it turns a contract document and the operations of a service into routes. `steps`
 * has the stages of a request in their order (docs/decisions.md, "Identity and access").
 */
import type {
  FastifyInstance,
  FastifyRequest,
  FastifySchema,
  onRequestHookHandler,
  preValidationHookHandler,
} from 'fastify'
import { type Caller, requireRole } from '../access/principal.ts'
import { withDeadline } from '../async/deadline.ts'
import type { App } from '../context/app.ts'
import {
  type OpenApiDocument,
  type OperationContract,
  operationsOf,
  responseSchemas,
  routeOf,
} from '../contract/openapi.ts'
import { leadsToValue, ShapeError } from '../contract/shape.ts'
import { checkOf, missingBody } from '../contract/validation.ts'
import type { ServiceError } from '../errors/catalogue.ts'
import type { ShownRow } from '../transactions/columns.ts'
import type { TransactionKind } from '../transactions/kind.ts'
import type { Transactions } from '../transactions/service/transactions.ts'
import { mayAddFault } from '../values/json.ts'
import { authenticate, principalOf, restRequestOf } from './authenticate.ts'
import { numberFaultsOf } from './bodies.ts'
import { timeSpent } from './observe.ts'
import type { Operations } from './rest-operations.ts'
import {
  handleRead,
  isOfDatabase,
  ofDatabase,
  type RestDependencies,
  type RouteHandler,
} from './stored-responses.ts'

/** Compares handlers with the contract. @throws Error naming each operation or handler without a counterpart. */
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

/** Without a body neither content-type nor schema are checked, so its absence is a fault of its own. */
const requireBody: preValidationHookHandler = (request, _, done) => {
  if (request.body === undefined) throw missingBody()
  done()
}

/** Faults of the numbers that are kept: those of unknown fields are ignored, unless they have filled the report. */
const numbersOf = (request: FastifyRequest): readonly ServiceError[] => {
  const faults = numberFaultsOf(request)
  return mayAddFault(faults) ? faults.filter(({ field = '' }) => leadsToValue(request.body, field)) : faults
}

/** Faults of a body by its schema and by the scan of its numbers. @throws ServiceError for a body that is no object. */
const shapeOf = (request: FastifyRequest): ServiceError | undefined => {
  const { validationError } = request
  if (validationError !== undefined && !(validationError instanceof ShapeError)) throw validationError
  const numbers = numbersOf(request)
  return numbers.length > 0 ? ShapeError.with(numbers, validationError) : validationError
}

const handle = (app: RestDependencies, operation: Operations[string]): RouteHandler => {
  const { config, accessRecords } = app
  return async (request, reply) => {
    const trail = accessRecords.trailOf(request.facts!)
    const respond = (signal: AbortSignal) =>
      operation(restRequestOf(request, trail, signal, shapeOf(request)))
    const {
      status,
      headers = {},
      body,
    } = await withDeadline(config.requestTimeoutMs, respond, timeSpent(request))
    return reply.code(status).headers(headers).send(body)
  }
}

/** Reads of the database have a handler of their own. */
const handlerOf = (app: RestDependencies, contract: OperationContract, operation: Operations[string]) =>
  isOfDatabase(operation) ? handleRead(app, contract, operation) : handle(app, operation)

const steps = (app: RestDependencies, contract: OperationContract, operation: Operations[string]) => ({
  onRequest: [authenticate(app), checkRole(contract)],
  preValidation: contract.body ? [requireBody] : [],
  handler: handlerOf(app, contract, operation),
  config: {
    isList: contract.isList,
    reportsAll: true,
    way: 'REST' as const,
    operation: contract.operationId,
    hasValidator: contract.method === 'GET',
  },
  attachValidation: true,
})

/** Parameters have no schema: queries of lists have an error code of their own, and services read them. */
const schemaOf = (document: OpenApiDocument, contract: OperationContract): FastifySchema => ({
  response: responseSchemas(document, contract),
  ...(contract.body && { body: { $ref: contract.body } }),
})

/** Registers a service's REST paths. @throws Error where document and handlers do not match. */
export async function registerRest(
  server: FastifyInstance,
  app: RestDependencies,
  document: OpenApiDocument,
  operations: Operations,
) {
  const contract = operationsOf(document).filter(({ waits }) => !waits)
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

/** A transaction as the contract shows it to the caller. */
type ToBody<Body> = (app: App, caller: Caller, row: ShownRow<Body>) => unknown

/** The webhook as it is echoed: never with its token, and not to an analyst. */
export const webhookEcho = ({ principal }: Caller, { webhookUrl }: Pick<ShownRow, 'webhookUrl'>) =>
  webhookUrl === null || principal.role === 'analyst' ? {} : { webhook: { notificationUrl: webhookUrl } }

/**
 * The operations of a transaction kind by `operationId`: `createPayment`, and where the contract has a collection also
 * `listPayments` and `getPayment`.
 * @param toCreated makes the body of create where it is less than that of get.
 */
export const transactionOperations =
  <Body, Request>(kind: TransactionKind, toBody: ToBody<Body>, toCreated = toBody) =>
  (app: App, service: Transactions<Body, Request>): Operations => {
    const create: Operations = {
      // `Request` is generated from the schema that the body was checked against; stand-ins have its shape too.
      [kind.createOperation]: async ({ caller, body, shape, idempotencyKey: key }) => {
        const given = key === undefined ? undefined : { key, field: 'Idempotency-Key' }
        const { row, isReplayed } = await service.createOnce(caller, body as Request, given, shape)
        const headers: Record<string, string> = isReplayed ? { 'idempotency-replayed': 'true' } : {}
        return { status: 201, body: toCreated(app, caller, row), headers }
      },
    }
    if (kind.path === undefined) return create
    return {
      ...create,
      [`list${kind.typename}s`]: ofDatabase(async ({ caller, query }) => {
        const { rows, lastKey, total } = await service.list(caller, query)
        const headers = { 'content-last-key': lastKey, 'x-total-count': total }
        return { status: 200, body: rows.map(row => toBody(app, caller, row)), headers }
      }),
      [`get${kind.typename}`]: ofDatabase(async ({ caller, params }) => ({
        status: 200,
        body: toBody(app, caller, await service.get(caller, params[kind.idField]!)),
      })),
    }
  }
