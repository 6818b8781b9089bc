/**
 * The check of a new transaction against those that exist: a pure function, run under the sequence's lock, so that what
 * it is given stays true until the commit.
 */
import { ServiceError } from '#core/errors/catalogue.ts'
import { combine } from '#core/errors/faults.ts'
import { Decimal } from '#core/values/decimal.ts'
import type { TransactionKind } from '../kind.ts'
import { alreadyPosted, correlatorKey } from './idempotency.ts'
import { fieldOf, type Measured, type NewTransaction } from './validate.ts'

/** The transactions that exist, as far as new ones can conflict with them. */
export interface ExistingTransactions {
  /** Ids by `correlatorKey`. */
  readonly correlators: Map<string, string>
  /** The references of accounts, by `referenceKey`. */
  readonly references: Set<string>
  /** This month's sums by `spentKey`. */
  readonly spent: Map<string, Decimal>
}

type Spent = Pick<ExistingTransactions, 'spent'>

export const referenceKey = (
  transaction: Pick<NewTransaction, 'clientId' | 'referenceCode' | 'accountNumber'>,
): string => JSON.stringify([transaction.clientId, transaction.referenceCode, transaction.accountNumber])

export const spentKey = (clientId: string, owner: string, currency: string): string =>
  JSON.stringify([clientId, owner, currency])

/** The measure that counts against the client's limits: the amount, or the points. */
export const measureOf = (kind: TransactionKind, transaction: Measured): Decimal | undefined =>
  kind.limit && transaction[kind.limit.measure]

/** The monthly limit of the transaction's client, if it has one. */
export const monthlyLimitOf = (kind: TransactionKind, { limits }: Measured): Decimal | undefined =>
  kind.limit && (kind.limit.measure === 'amount' ? limits.monthlyAmount : limits.monthlyPoints)

const maximumOf = (kind: TransactionKind, { limits }: Measured): Decimal | undefined =>
  kind.limit && (kind.limit.measure === 'amount' ? limits.maxAmount : limits.maxPoints)

const ownSpentKey = (kind: TransactionKind, transaction: Measured) =>
  spentKey(transaction.clientId, transaction[kind.limit!.owner] ?? '', transaction.currency ?? '')

/** The field by which a limit is exceeded; an eligibility query has but one. */
const measuredAt = ({ limit }: TransactionKind, transaction: Measured) =>
  transaction.measuredAt ?? limit!.measure

/** The refusal of a transaction that is more than its client may post at once. */
export const aboveMaximum = (kind: TransactionKind, transaction: Measured): ServiceError | undefined => {
  const maximum = maximumOf(kind, transaction)
  if (!maximum || !measureOf(kind, transaction)?.gt(maximum)) return undefined
  const field = measuredAt(kind, transaction)
  return new ServiceError(
    'CARRIER_BILLING.UNAUTHORIZED_AMOUNT',
    `${field} must not be greater than ${maximum}, the most this client may post at once`,
    { field, limit: { max: maximum.toNumber() } },
  )
}

const aboveMonthly = (
  kind: TransactionKind,
  transaction: Measured,
  existing: Spent,
): ServiceError | undefined => {
  const limit = monthlyLimitOf(kind, transaction)
  if (!limit) return undefined
  const spent = existing.spent.get(ownSpentKey(kind, transaction)) ?? new Decimal(0)
  if (spent.plus(measureOf(kind, transaction)!).lte(limit)) return undefined
  const field = measuredAt(kind, transaction)
  const left = Decimal.max(limit.minus(spent), 0)
  const used = `${spent} of this month's ${limit} ${transaction.currency ?? 'points'}`
  return new ServiceError(
    'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED',
    `${field} is more than what is left: ${used} for ${transaction[kind.limit!.owner]} are used`,
    { field, limit: { max: left.toNumber() } },
  )
}

/** The limits that a transaction would exceed. Nothing is remembered, since eligibility queries call this too. */
export const beyondLimits = (kind: TransactionKind, transaction: Measured, existing: Spent): ServiceError[] =>
  [aboveMaximum(kind, transaction), aboveMonthly(kind, transaction, existing)].filter(
    refusal => refusal !== undefined,
  )

/** The refusal of a reference that was posted for the account before; a correlator tells two payments apart. */
const duplicate = (
  { bodyPath }: TransactionKind,
  transaction: NewTransaction,
  existing: ExistingTransactions,
): ServiceError | undefined => {
  if (
    transaction.clientCorrelatorId ||
    !transaction.accountNumber ||
    !existing.references.has(referenceKey(transaction))
  )
    return undefined
  const field = fieldOf(bodyPath, 'referenceCode')
  return new ServiceError(
    'ALREADY_EXISTS',
    `${field} ${transaction.referenceCode} was already posted for account ${transaction.accountNumber}; ` +
      'send a clientCorrelatorId to tell two payments apart',
    { field },
  )
}

/** Remembers an accepted transaction, so that the next one in the same batch conflicts with it. */
const remember = (
  kind: TransactionKind,
  transaction: NewTransaction,
  existing: ExistingTransactions,
): void => {
  if (transaction.clientCorrelatorId) existing.correlators.set(correlatorKey(transaction), transaction.id)
  existing.references.add(referenceKey(transaction))
  if (!kind.limit) return
  const spent = existing.spent.get(ownSpentKey(kind, transaction)) ?? new Decimal(0)
  existing.spent.set(ownSpentKey(kind, transaction), spent.plus(measureOf(kind, transaction)!))
}

/**
 * Checks one transaction, in the order of checks that the contract's clients rely on: correlator that was used before (400),
 * limits (403), duplicate (409).
 * @returns the refusal; undefined when the transaction is accepted, and then remembered in `existing`.
 */
export function checkPosting(
  kind: TransactionKind,
  transaction: NewTransaction,
  existing: ExistingTransactions,
): ServiceError | undefined {
  const { clientCorrelatorId } = transaction
  const first = clientCorrelatorId && existing.correlators.get(correlatorKey(transaction))
  if (first) return alreadyPosted(kind, clientCorrelatorId, first)
  const refusal = combine(beyondLimits(kind, transaction, existing)) ?? duplicate(kind, transaction, existing)
  if (!refusal) remember(kind, transaction, existing)
  return refusal
}
