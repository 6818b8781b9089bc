/** The fields of the `Transaction` interface, resolved alike for every kind. */
import { ServiceError } from '../errors.ts'
import type { TransactionKind, TransactionRow } from '../transactions/kind.ts'
import { showPhone } from '../values/phone.ts'
import type { GraphContext } from './loaders.ts'

const refuse = (role: string, field: string) =>
  new ServiceError('PERMISSION_DENIED', `A client of role ${role} may not see ${field}`)

const subscriber = async ({ mobileNumber }: TransactionRow, _: unknown, { loaders }: GraphContext) => {
  const line = mobileNumber === null ? null : await loaders.line.load(mobileNumber)
  return line && { __typename: 'Subscriber' as const, mobileNumber: showPhone(line.number) }
}

const customer = async (row: TransactionRow, _: unknown, { loaders }: GraphContext) => {
  const line = row.accountNumber || !row.mobileNumber ? null : await loaders.line.load(row.mobileNumber)
  const customerAccountNumber = row.accountNumber ?? line?.accountNumber
  return customerAccountNumber ? { __typename: 'Customer' as const, customerAccountNumber } : null
}

const postedBy = ({ clientId }: TransactionRow, _: unknown, { caller, loaders }: GraphContext) => {
  if (caller.principal.role === 'partner') throw refuse('partner', 'postedBy')
  return loaders.partner.load(clientId)
}

/** An analyst sees no webhook address (docs/decisions.md, "roles"); nobody sees the token. */
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
  kind: () => kind.kind as never,
  outcome: (row: TransactionRow) => kind.outcomes[row.status]!,
  transactionOperationStatus: (row: TransactionRow) => row.status,
  amount: ({ amount, currency }: TransactionRow) => amount && { value: amount as never, currency: currency! },
  points: ({ points }: TransactionRow) => points as never,
  subscriber,
  customer,
  postedBy,
  webhook,
  webhookDeliveries,
})
