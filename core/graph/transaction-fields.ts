/** The fields of the `Transaction` interface, resolved alike for every kind. */

import { ServiceError } from '../errors/catalogue.ts'
import type { TransactionKind, TransactionRow } from '../transactions/kind.ts'
import type { InterventionRow } from '../transactions/settle/intervene.ts'
import { customerOf, existingSubscriber } from './directory-entities.ts'
import type { GraphContext } from './loaders.ts'
import { resolversOf } from './selected-columns.ts'

const refuse = (role: string, field: string) =>
  new ServiceError('PERMISSION_DENIED', `A client of role ${role} may not see ${field}`)

/** Makes a resolver of a transaction's field, by the columns that it reads. */
export const reading = resolversOf<TransactionRow>()

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

/** Who works for the operator is none of a partner's business; why it was done stands in `reason`. */
const interventions = reading(['id'], ({ id }, _, { caller, loaders }) => {
  if (caller.principal.role === 'partner') throw refuse('partner', 'interventions')
  return loaders.interventions.load(id)
})

/** An analyst sees no webhook address (docs/decisions.md, "Identity and access"); nobody sees the token. */
const webhook = reading(['webhookUrl'], ({ webhookUrl }, _, { caller }) => {
  if (webhookUrl === null) return null
  if (caller.principal.role === 'analyst') throw refuse('analyst', 'webhook')
  return { notificationUrl: webhookUrl }
})

/** Resolvers for a type that implements `Transaction`. */
export const transactionFields = (kind: TransactionKind) => ({
  id: reading(['id'], ({ id }) => id),
  kind: reading([], () => kind.name),
  outcome: reading(['status'], ({ status }) => kind.outcomes[status]!),
  transactionOperationStatus: reading(['status'], ({ status }) => status),
  amount: reading(
    ['amount', 'currency'],
    ({ amount, currency }) => amount && { value: amount, currency: currency! },
  ),
  points: reading(['points'], ({ points }) => points),
  subscriber,
  customer,
  postedBy,
  webhook,
  webhookDeliveries: reading(['id'], ({ id }, _, { loaders }) => loaders.deliveries.load(id)),
  interventions,
})

/** The fields of `Intervention`, resolved alike in every subgraph. */
export const interventionFields = {
  by: ({ clientId }: InterventionRow, _: unknown, { loaders }: GraphContext) =>
    loaders.partner.load(clientId),
}
