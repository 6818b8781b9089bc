/** A transaction that was posted before under the same `clientCorrelatorId`, as its sender is told of it. */
import { invalid, type ServiceError } from '../errors/catalogue.ts'
import type { TransactionKind } from './kind.ts'
import { fieldOf } from './new-transaction.ts'

/**
 * 400 naming the first transaction: in the message, in `Location` where it can be read by REST, and in the graph as
 * `extensions.existingId`.
 */
export const repeatOf = (kind: TransactionKind, correlator: string, existingId: string): ServiceError =>
  invalid(
    `${fieldOf(kind.bodyPath, 'clientCorrelatorId')} ${correlator} already exists on the server: it is ${kind.idField} ${existingId}`,
    {
      headers: kind.path ? { location: `${kind.path}/${existingId}` } : undefined,
      field: fieldOf(kind.bodyPath, 'clientCorrelatorId'),
      reason: 'DUPLICATE_CORRELATOR',
      extensions: { existingId },
    },
  )

/** Whether a refusal says that the transaction exists already. */
export const isRepeat = ({ extensions }: ServiceError): boolean => extensions['existingId'] !== undefined
