/** The graph for every kind of transaction: what its subgraph resolves as all the others do. */

import type { App } from '../context/app.ts'
import { readDocument } from '../contract/openapi.ts'
import type { ConnectionArgs } from '../transactions/connection.ts'
import { fieldNameOf, type TransactionKind, type TransactionRow } from '../transactions/kind.ts'
import type { TransactionService } from '../transactions/service.ts'
import { showPhone } from '../values/phone.ts'
import { connectionOf, connectionOfAll } from './connections.ts'
import { subscriberFields } from './directory-fields.ts'
import { msisdnOf, type SubscriberEntity } from './entities.ts'
import { eventResolvers } from './event-fields.ts'
import type { GraphContext } from './loaders.ts'
import { createInputValidator } from './mutation-input.ts'
import { nullIfNotFound } from './null-if-not-found.ts'
import { transactionFields } from './transaction-fields.ts'

/** A key or an argument under the contract's name of the id. */
type ById = Readonly<Record<string, string>>

const queriesOf = (app: App, kind: TransactionKind, service: TransactionService<unknown, never>) => ({
  [fieldNameOf(kind)]: (_: unknown, args: ById, { caller }: GraphContext) =>
    nullIfNotFound(service.get(caller, args[kind.idField]!)),
  [`${fieldNameOf(kind)}s`]: (_: unknown, args: ConnectionArgs, context: GraphContext) =>
    connectionOfAll(app, kind, args, context),
})

const ofSubscriber = (kind: TransactionKind) => ({
  __resolveReference: subscriberFields.__resolveReference,
  [`${fieldNameOf(kind)}s`]: (parent: SubscriberEntity, args: ConnectionArgs, context: GraphContext) =>
    connectionOf(kind, 'mobileNumber', msisdnOf(parent), args, context),
})

const entityOf = (kind: TransactionKind) => ({
  ...transactionFields(kind),
  __resolveReference: (reference: ById, { loaders }: GraphContext) =>
    loaders.transaction.load(reference[kind.idField]!),
  [kind.idField]: ({ id }: TransactionRow) => id,
})

/**
 * A kind's resolvers, to which its subgraph adds its own: `query` has `payment` and `payments`, `subscriber` the
 * reference and `payments`, `mutation` `createPayment`, `entity` what `Payment` has as a `Transaction` with a key,
 * and `events` whole types.
 * @param document the OpenAPI document that create's input is validated by.
 */
export const transactionResolvers = <Request>(
  app: App,
  kind: TransactionKind,
  service: TransactionService<unknown, Request>,
  document = readDocument(kind.service),
) => {
  const validateInput = createInputValidator<Request>(document, kind.createOperation)
  return {
    validateInput,
    query: queriesOf(app, kind, service),
    mutation: {
      [kind.createOperation]: (_: unknown, { input }: { input: unknown }, { caller }: GraphContext) =>
        service.create(caller, validateInput(caller, input)),
    },
    subscriber: ofSubscriber(kind),
    entity: entityOf(kind),
    events: eventResolvers(app, kind),
  }
}

/** The contract's group as the graph shows it: with the number that applies, be it the token's or the request's own. */
export const groupWithNumber = <Body extends object>({ body, mobileNumber }: TransactionRow): Body =>
  ({ ...(body as Body), mobileNumber }) as Body

/** The number of such a group. */
export const shownNumber = ({ mobileNumber }: { readonly mobileNumber?: string }): string =>
  showPhone(mobileNumber!)
