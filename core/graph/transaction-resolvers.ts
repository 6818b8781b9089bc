/** Resolvers of a kind of transaction that its subgraph has like all others, and the input of its mutations. */
import type { GraphQLResolveInfo } from 'graphql'
import { type Caller, requireRole } from '../access/principal.ts'
import type { App } from '../context/app.ts'
import { type OpenApiDocument, operationsOf, readDocument } from '../contract/openapi.ts'
import { checkOf } from '../contract/validation.ts'
import { invalidField, ServiceError } from '../errors/catalogue.ts'
import { fieldNameOf, type TransactionKind } from '../transactions/kind.ts'
import type { ConnectionArgs } from '../transactions/read/connection.ts'
import type { Transactions } from '../transactions/service/transactions.ts'
import { Decimal, toJsonNumber } from '../values/money.ts'
import { showPhone } from '../values/phone.ts'
import { CalendarDay } from '../values/time.ts'
import { connectionOf, connectionOfAll, entityColumns, selectedPage } from './connections.ts'
import { msisdnOf, type SubscriberEntity, subscriberFields } from './directory-fields.ts'
import type { GraphContext } from './loaders.ts'
import { eventResolvers, reading, transactionFields } from './transaction-fields.ts'

/** Key or argument, named as the contract names the id. */
type ById = Readonly<Record<string, string>>

interface CreateArgs {
  readonly input: unknown
  readonly idempotencyKey?: string | null
}

const queriesOf = (app: App, kind: TransactionKind, service: Transactions<unknown, never>) => {
  const selected = selectedPage(kind)
  return {
    [fieldNameOf(kind)]: (_: unknown, args: ById, { caller }: GraphContext) =>
      nullIfNotFound(service.get(caller, args[kind.idField]!)),
    [`${fieldNameOf(kind)}s`]: (
      _: unknown,
      args: ConnectionArgs,
      context: GraphContext,
      info: GraphQLResolveInfo,
    ) => connectionOfAll(app, kind, args, context, selected(info)),
  }
}

const ofSubscriber = (kind: TransactionKind) => {
  const selected = selectedPage(kind)
  return {
    __resolveReference: subscriberFields.__resolveReference,
    [`${fieldNameOf(kind)}s`]: (
      parent: SubscriberEntity,
      args: ConnectionArgs,
      context: GraphContext,
      info: GraphQLResolveInfo,
    ) => connectionOf(kind, 'mobileNumber', msisdnOf(parent), args, context, selected(info)),
  }
}

const entityOf = (kind: TransactionKind) => {
  const columnsOf = entityColumns(kind)
  return {
    ...transactionFields(kind),
    __resolveReference: (reference: ById, { loaders }: GraphContext, info: GraphQLResolveInfo) =>
      loaders.transaction.load({ id: reference[kind.idField]!, columns: columnsOf(info) }),
    [kind.idField]: reading(['id'], ({ id }) => id),
  }
}

/**
 * Makes a kind's resolvers, to which its subgraph adds its own: `query` has `payment` and `payments`, `subscriber` the
 * reference and `payments`, `mutation` `createPayment`, `entity` the fields of `Payment` as a `Transaction` with a key,
 * and `events` whole types.
 * @param document the OpenAPI document by which the input of the mutation is validated.
 */
export const transactionResolvers = <Request>(
  app: App,
  kind: TransactionKind,
  service: Transactions<unknown, Request>,
  document = readDocument(kind.service),
) => {
  const validateInput = createInputValidator<Request>(document, kind.createOperation)
  return {
    validateInput,
    query: queriesOf(app, kind, service),
    mutation: {
      [kind.createOperation]: async (
        _: unknown,
        { input, idempotencyKey: key }: CreateArgs,
        { caller }: GraphContext,
      ) => {
        const { body, shape } = validateInput(caller, input)
        const given = key == null ? undefined : { key, field: 'idempotencyKey' }
        return (await service.createOnce(caller, body, given, shape)).row
      },
    },
    subscriber: ofSubscriber(kind),
    entity: entityOf(kind),
    events: eventResolvers(app, kind),
  }
}

/** Resolves a group of the contract with the number that applies: the token's or the request's own. */
export const groupWithNumber = <Body extends object>() =>
  reading(['body', 'mobileNumber'], ({ body, mobileNumber }) => ({ ...(body as Body), mobileNumber }) as Body)

/** Resolves the time when a transaction reached this status; the contract has no date for any other end. */
export const dateOf = (done: string) =>
  reading(['status', 'completedAt'], ({ status, completedAt }) => (status === done ? completedAt : null))

/** Number of such a group, as clients see it. */
export const shownNumber = ({ mobileNumber }: { readonly mobileNumber?: string }): string =>
  showPhone(mobileNumber!)

/** Replaces NOT_FOUND by null, as the graph does; only REST responds with 404. */
export const nullIfNotFound = async <T>(result: Promise<T>): Promise<T | null> => {
  try {
    return await result
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** REST body of an input, and its faults by the schema (as in `RestRequest`). */
export interface ValidatedInput<Body> {
  readonly body: Body
  readonly shape: ServiceError | undefined
}

/**
 * Turns an input into the REST body of the same operation.
 * @throws ServiceError for a client whose role may not call the operation, as REST does before it reads a body.
 */
export type ValidateInput<Body> = (caller: Caller, input: unknown) => ValidatedInput<Body>

/** Makes the validation of one mutation's input by the operation of the contract that it stands for. */
function createInputValidator<Body>(document: OpenApiDocument, operationId: string): ValidateInput<Body> {
  const operation = operationsOf(document).find(candidate => candidate.operationId === operationId)!
  const check = checkOf(document, operation.body!)
  return ({ principal }, input) => {
    requireRole(principal, operation.roles, operationId)
    const body = toRestBody(input)
    const shape = check(body)
    return { body: body as Body, shape }
  }
}

const toNumber = (path: string, value: Decimal): number => {
  try {
    return toJsonNumber(value)
  } catch {
    throw invalidField(path, 'TOO_MANY_DIGITS', 'has more digits than can be kept exactly')
  }
}

/** Turns an input into a REST body: null becomes absent, a Decimal a JSON number, an instant or a day its text. */
function toRestBody(value: unknown, path = ''): unknown {
  if (Decimal.isDecimal(value)) return toNumber(path, value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof CalendarDay) return value.day
  if (Array.isArray(value)) return value.map((item, index) => toRestBody(item, `${path}[${index}]`))
  if (typeof value !== 'object' || value === null) return value
  const given = Object.entries(value).filter(([, field]) => field !== null && field !== undefined)
  return Object.fromEntries(
    given.map(([name, field]) => [name, toRestBody(field, path ? `${path}.${name}` : name)]),
  )
}
