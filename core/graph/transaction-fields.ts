/**
 * Fields that every subgraph resolves alike: of the `Transaction` interface, its groups, interventions and deliveries,
 * and the queries of events.
 */

import type { GraphQLResolveInfo } from 'graphql'
import type { Caller } from '../access/principal.ts'
import { recordReach } from '../access/visibility.ts'
import type { App } from '../context/app.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { type EventFilterInput, type EventRow, eventFilterFor } from '../events/event.ts'
import { fromEventCursor, readBounds, toEventCursor } from '../events/read.ts'
import type { ResolvedRow } from '../transactions/columns.ts'
import { fieldNameOf, type TransactionKind } from '../transactions/kind.ts'
import type { InterventionRow } from '../transactions/settle/intervene.ts'
import { toDecimal } from '../values/money.ts'
import type { DeliveryRow } from '../webhooks/deliveries.ts'
import { withoutAddress } from '../webhooks/response-excerpt.ts'
import { entityColumns } from './connections.ts'
import { customerOf, existingSubscriber } from './directory-fields.ts'
import type { GraphContext } from './loaders.ts'
import { resolversOf } from './row-resolvers.ts'

const refuse = (role: string, field: string) =>
  new ServiceError('PERMISSION_DENIED', `A client of role ${role} may not see ${field}`)

/** Makes a resolver of a transaction's field that reads these columns. */
export const reading = resolversOf<ResolvedRow>()

const subscriber = reading(['mobileNumber'], async ({ mobileNumber }, _, context) =>
  mobileNumber === null ? null : existingSubscriber(mobileNumber, context),
)

const customer = reading(['accountNumber', 'mobileNumber'], async (row, _, context) => {
  const line =
    row.accountNumber || !row.mobileNumber ? null : await context.loaders.line.load(row.mobileNumber)
  const accountNumber = row.accountNumber ?? line?.accountNumber
  return accountNumber ? customerOf(accountNumber, context) : null
})

const postedBy = reading(['clientId'], ({ clientId }, _, { caller, loaders }) => {
  if (caller.principal.role === 'partner') throw refuse('partner', 'postedBy')
  return loaders.partner.load(clientId)
})

/** Interventions name the operator's staff, so partners may not see them; each states its `reason`. */
const interventions = reading(['id'], ({ id }, _, { caller, loaders }) => {
  if (caller.principal.role === 'partner') throw refuse('partner', 'interventions')
  return loaders.interventions.load(id)
})

/** Hides the webhook address from analysts (docs/decisions.md, "Identity and access"), and the token from all clients. */
const webhook = reading(['webhookUrl'], ({ webhookUrl }, _, { caller }) => {
  if (webhookUrl === null) return null
  if (caller.principal.role === 'analyst') throw refuse('analyst', 'webhook')
  return { notificationUrl: webhookUrl }
})

/** Resolvers of a type that implements `Transaction`. */
export const transactionFields = (kind: TransactionKind) => ({
  id: reading(['id'], ({ id }) => id),
  kind: reading([], () => kind.name),
  outcome: reading(['status'], ({ status }) => kind.outcomes[status]!),
  transactionOperationStatus: reading(['status'], ({ status }) => status),
  amount: reading(['amount', 'currency'], ({ amount, currency }) =>
    amount === null ? null : { value: amount, currency: currency! },
  ),
  points: reading(['points'], ({ points }) => points),
  subscriber,
  customer,
  postedBy,
  webhook,
  webhookDeliveries: reading(['id'], ({ id }, _, { loaders }) => loaders.deliveries.load(id)),
  interventions,
})

/** Fields of `Intervention`. */
export const interventionFields = {
  by: ({ clientId }: InterventionRow, _: unknown, { loaders }: GraphContext) =>
    loaders.partner.load(clientId),
}

interface MoneyParent {
  amount?: number
  isVatIncluded?: boolean
  vatAmount?: number
  isTaxIncluded?: boolean
  taxAmount?: number
}

const exact = (value: number | undefined) => (value === undefined ? null : toDecimal(value))

/** Fields of PaymentInformation, PaymentItem, RechargeInformation and RechargeItem; flags are false by default (contract). */
export const moneyFields = {
  amount: ({ amount }: MoneyParent) => toDecimal(amount!),
  isVatIncluded: ({ isVatIncluded }: MoneyParent) => isVatIncluded ?? false,
  vatAmount: ({ vatAmount }: MoneyParent) => exact(vatAmount),
  isTaxIncluded: ({ isTaxIncluded }: MoneyParent) => isTaxIncluded ?? false,
  taxAmount: ({ taxAmount }: MoneyParent) => exact(taxAmount),
}

/** Fields of PaymentMetaData and RechargeMetaData. */
export const metaDataFields = { fee: ({ fee }: { fee?: number }) => exact(fee) }

/** Whether a client sees webhook addresses; analysts do not (docs/decisions.md, "Identity and access"). */
const seesAddress = ({ principal }: Caller): boolean => principal.role !== 'analyst'

const notificationUrl = ({ url }: DeliveryRow, _: unknown, { caller }: GraphContext) => {
  if (seesAddress(caller)) return url
  throw new ServiceError('PERMISSION_DENIED', 'A client of role analyst may not see notificationUrl')
}

/** Hides the address in errors too: excerpts of responses that earlier versions kept may contain it. */
const lastError = ({ url, lastStatus, lastError }: DeliveryRow, _: unknown, { caller }: GraphContext) =>
  seesAddress(caller) ? lastError : withoutAddress(lastError, lastStatus, url)

const attemptLog = async ({ id, url }: DeliveryRow, _: unknown, { caller, loaders }: GraphContext) => {
  const log = await loaders.attempts.load(id)
  if (seesAddress(caller)) return log
  return log.map(one => ({ ...one, error: withoutAddress(one.error, one.status, url) }))
}

/** Fields of `WebhookDelivery`. */
export const deliveryFields = {
  client: ({ clientId }: DeliveryRow, _: unknown, { loaders }: GraphContext) =>
    loaders.partner.load(clientId),
  notificationUrl,
  lastError,
  attemptLog,
}

interface EventArgs {
  readonly filter?: EventFilterInput | null
  readonly after?: string | null
}

/** Fields of an event of any kind. */
export const eventFields = { cursor: ({ position }: EventRow) => toEventCursor(position) }

/** Root fields about events that every subgraph has. */
export const eventQueries = ({ db }: App) => ({
  latestEventCursor: async () => toEventCursor((await readBounds(db)).head),
})

/** Makes a subscription to events: its stream is the feed's, and each event is resolved like any object. */
export const eventSubscription = (app: App, idField: string, kinds?: readonly string[]) => ({
  subscribe: (_: unknown, { filter, after }: EventArgs, { caller }: GraphContext) => {
    const narrowed = eventFilterFor(caller, idField, kinds ? { ...filter, kinds } : filter)
    recordReach(caller, narrowed)
    return app.feed.subscribe(narrowed, after == null ? undefined : fromEventCursor('after', after))
  },
  resolve: (event: EventRow) => event,
})

/** Makes the resolvers of a service's `Subscription`, its event type and that type's detail: `paymentEvents`, `PaymentEvent`, … */
export const eventResolvers = (app: App, kind: TransactionKind) => {
  const noun = fieldNameOf(kind)
  const columnsOf = entityColumns(kind)
  return {
    Subscription: { [`${noun}Events`]: eventSubscription(app, kind.idField, [kind.name]) },
    [`${kind.typename}Event`]: {
      ...eventFields,
      eventDetail: (event: EventRow) => event,
      [noun]: (
        { transactionId }: EventRow,
        _: unknown,
        { loaders }: GraphContext,
        info: GraphQLResolveInfo,
      ) => loaders.transaction.load({ id: transactionId, columns: columnsOf(info) }),
    },
    [`${kind.typename}EventDetail`]: { [kind.idField]: ({ transactionId }: EventRow) => transactionId },
  }
}
