/** The graph for every kind of transaction: what its subgraph resolves as all the others do. */

import type { GraphQLResolveInfo } from 'graphql'
import type { App } from '../context/app.ts'
import { readDocument } from '../contract/openapi.ts'
import { fieldNameOf, type TransactionKind } from '../transactions/kind.ts'
import type { ConnectionArgs } from '../transactions/read/connection.ts'
import type { Transactions } from '../transactions/service/transactions.ts'
import { showPhone } from '../values/phone.ts'
import { connectionOf, connectionOfAll } from './connections.ts'
import { subscriberFields } from './directory-fields.ts'
import { msisdnOf, type SubscriberEntity } from './entities.ts'
import { eventResolvers } from './event-fields.ts'
import type { GraphContext } from './loaders.ts'
import { createInputValidator } from './mutation-input.ts'
import { nullIfNotFound } from './null-if-not-found.ts'
import { entityColumns, selectedPage } from './transaction-columns.ts'
import { reading, transactionFields } from './transaction-fields.ts'

/** A key or an argument under the contract's name of the id. */
type ById = Readonly<Record<string, string>>

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
 * A kind's resolvers, to which its subgraph adds its own: `query` has `payment` and `payments`, `subscriber` the
 * reference and `payments`, `mutation` `createPayment`, `entity` what `Payment` has as a `Transaction` with a key,
 * and `events` whole types.
 * @param document the OpenAPI document that create's input is validated by.
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
      [kind.createOperation]: (_: unknown, { input }: { input: unknown }, { caller }: GraphContext) => {
        const { body, shape } = validateInput(caller, input)
        return service.create(caller, body, shape)
      },
    },
    subscriber: ofSubscriber(kind),
    entity: entityOf(kind),
    events: eventResolvers(app, kind),
  }
}

/** The contract's group as the graph shows it: with the number that applies, be it the token's or the request's own. */
export const groupWithNumber = <Body extends object>() =>
  reading(['body', 'mobileNumber'], ({ body, mobileNumber }) => ({ ...(body as Body), mobileNumber }) as Body)

/** When a transaction was carried out, of which the contract tells no other end. */
export const dateOf = (done: string) =>
  reading(['status', 'completedAt'], ({ status, completedAt }) => (status === done ? completedAt : null))

/** The number of such a group. */
export const shownNumber = ({ mobileNumber }: { readonly mobileNumber?: string }): string =>
  showPhone(mobileNumber!)
