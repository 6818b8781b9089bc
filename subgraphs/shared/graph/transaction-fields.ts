/** The fields of the `Transaction` interface, resolved alike for every kind. */

import { ServiceError } from '../errors/catalogue.ts'
import type { InterventionRow } from '../transactions/intervention.ts'
import type { TransactionKind, TransactionRow } from '../transactions/kind.ts'
import { customerOf, existingSubscriber } from './directory-entities.ts'
import type { GraphContext } from './loaders.ts'

const refuse = (role: string, field: string) =>
  new ServiceError('PERMISSION_DENIED', `A client of role ${role} may not see ${field}`)

const subscriber = async ({ mobileNumber }: TransactionRow, _: unknown, context: GraphContext) =>
  mobileNumber === null ? null : existingSubscriber(mobileNumber, context)

const customer = async (row: TransactionRow, _: unknown, context: GraphContext) => {
  const line =
    row.accountNumber || !row.mobileNumber ? null : await context.loaders.line.load(row.mobileNumber)
  const accountNumber = row.accountNumber ?? line?.accountNumber
  return accountNumber ? customerOf(accountNumber, context) : null
}

const postedBy = ({ clientId }: TransactionRow, _: unknown, { caller, loaders }: GraphContext) => {
  if (caller.principal.role === 'partner') throw refuse('partner', 'postedBy')
  return loaders.partner.load(clientId)
}

/** Who works for the operator is none of a partner's business; why it was done stands in `reason`. */
const interventions = ({ id }: TransactionRow, _: unknown, { caller, loaders }: GraphContext) => {
  if (caller.principal.role === 'partner') throw refuse('partner', 'interventions')
  return loaders.interventions.load(id)
}

/** An analyst sees no webhook address (docs/decisions.md, "Identity and access"); nobody sees the token. */
const webhook = ({ webhookUrl }: TransactionRow, _: unknown, { caller }: GraphContext) => {
  if (webhookUrl === null) return null
  if (caller.principal.role === 'analyst') throw refuse('analyst', 'webhook')
  return { notificationUrl: webhookUrl }
}

const webhookDeliveries = ({ id }: TransactionRow, _: unknown, { loaders }: GraphContext) =>
  loaders.deliveries.load(id)

/** Resolvers for a type that implements `Transaction`. */
export const transactionFields = (kind: TransactionKind) => ({
  id: (row: TransactionRow) => row.id,
  kind: () => kind.name,
  outcome: (row: TransactionRow) => kind.outcomes[row.status]!,
  transactionOperationStatus: (row: TransactionRow) => row.status,
  amount: ({ amount, currency }: TransactionRow) => amount && { value: amount, currency: currency! },
  points: ({ points }: TransactionRow) => points,
  subscriber,
  customer,
  postedBy,
  webhook,
  webhookDeliveries,
  interventions,
})

/** The fields of `Intervention`, resolved alike in every subgraph. */
export const interventionFields = {
  by: ({ clientId }: InterventionRow, _: unknown, { loaders }: GraphContext) =>
    loaders.partner.load(clientId),
}
