/**
 * The check of a new transaction against those that exist: a pure function, run under the sequence's lock, so that what
 * it is given stays true until the commit. A correlator that was used before is recognized earlier too, before any rule.
 */

import type { Platform } from '../../context/app.ts'
import { batchedLookup } from '../../data/batched-lookup.ts'
import { Prisma, type Statements } from '../../data/db.ts'
import { valuesTable } from '../../data/sql.ts'
import { invalid, ServiceError } from '../../errors/catalogue.ts'
import { combine } from '../../errors/faults.ts'
import { Decimal } from '../../values/money.ts'
import { type TransactionKind, tableOf } from '../kind.ts'
import { KeyTaken, keyName } from './idempotency-key.ts'
import { fieldOf, type Measured, type NewTransaction } from './validate.ts'

/** The transactions that exist, as far as new ones can conflict with them. */
export interface ExistingTransactions {
  /** Ids by `correlatorKey`. */
  readonly correlators: Map<string, string>
  /** The references of accounts, by `referenceKey`. */
  readonly references: Set<string>
  /** This month's sums by `spentKey`. */
  readonly spent: Map<string, Decimal>
  /** Idempotency keys that are taken, by `keyName`. */
  readonly keys: Set<string>
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
  const said =
    `${transaction.referenceCode} was already posted for account ${transaction.accountNumber}; ` +
    'send a clientCorrelatorId to tell two payments apart'
  return new ServiceError('ALREADY_EXISTS', `${field} ${said}`, { field, sentence: `${said}.` })
}

/** Remembers an accepted transaction, so that the next one in the same batch conflicts with it. */
const remember = (
  kind: TransactionKind,
  transaction: NewTransaction,
  existing: ExistingTransactions,
): void => {
  if (transaction.clientCorrelatorId) existing.correlators.set(correlatorKey(transaction), transaction.id)
  if (transaction.idempotency) existing.keys.add(keyName(transaction.clientId, transaction.idempotency.key))
  existing.references.add(referenceKey(transaction))
  if (!kind.limit) return
  const spent = existing.spent.get(ownSpentKey(kind, transaction)) ?? new Decimal(0)
  existing.spent.set(ownSpentKey(kind, transaction), spent.plus(measureOf(kind, transaction)!))
}

/**
 * Checks one transaction, in the order of checks that the contract's clients rely on: correlator that was used before (400),
 * limits (403), duplicate (409). An idempotency key that is taken comes before all of them, since its request is answered by
 * what was posted.
 * @returns the refusal; undefined when the transaction is accepted, and then remembered in `existing`.
 */
export function checkPosting(
  kind: TransactionKind,
  transaction: NewTransaction,
  existing: ExistingTransactions,
): ServiceError | undefined {
  const { clientCorrelatorId, clientId, idempotency } = transaction
  if (idempotency && existing.keys.has(keyName(clientId, idempotency.key))) return new KeyTaken()
  const first = clientCorrelatorId && existing.correlators.get(correlatorKey(transaction))
  if (first) return alreadyPosted(kind, clientCorrelatorId, first)
  const refusal = combine(beyondLimits(kind, transaction, existing)) ?? duplicate(kind, transaction, existing)
  if (!refusal) remember(kind, transaction, existing)
  return refusal
}

/** The fields that identify a request of a client. */
type Correlated = Pick<NewTransaction, 'clientId' | 'clientCorrelatorId'>

/** The key of `readCorrelators`. */
export const correlatorKey = ({ clientId, clientCorrelatorId }: Correlated): string =>
  JSON.stringify([clientId, clientCorrelatorId])

/** The ids of the transactions that were posted already, by `correlatorKey`. */
export const readCorrelators = async (
  db: Statements,
  kind: TransactionKind,
  transactions: readonly Correlated[],
): Promise<Map<string, string>> => {
  const sent = transactions.filter(transaction => transaction.clientCorrelatorId !== undefined)
  if (sent.length === 0) return new Map()
  const given = sent.map(({ clientId, clientCorrelatorId }) => ({ clientId, clientCorrelatorId }))
  const rows = await db.$queryRaw<{ id: string; clientId: string; clientCorrelatorId: string }[]>`
    SELECT t.id, t.client_id AS "clientId", t.client_correlator_id AS "clientCorrelatorId"
    FROM ${valuesTable(given, Prisma.sql`"clientId" text, "clientCorrelatorId" text`)} sent
    JOIN ${tableOf(kind)} t ON t.client_id = sent."clientId" AND t.client_correlator_id = sent."clientCorrelatorId"`
  return new Map(rows.map(row => [correlatorKey(row), row.id]))
}

/**
 * The refusal of a second request: 400 naming the first transaction, in the message, in `Location` where it can be read
 * by REST, and in the graph as `extensions.existingId`.
 */
export const alreadyPosted = (
  kind: TransactionKind,
  correlator: string,
  existingId: string,
): ServiceError => {
  const field = fieldOf(kind.bodyPath, 'clientCorrelatorId')
  const said = `${correlator} already exists on the server: it is ${kind.idField} ${existingId}`
  return invalid(`${field} ${said}`, {
    headers: kind.path ? { location: `${kind.path}/${existingId}` } : undefined,
    field,
    sentence: `${said}.`,
    reason: 'DUPLICATE_CORRELATOR',
    extensions: { existingId },
  })
}

const correlatorIn = ({ bodyPath }: TransactionKind, request: unknown): string | undefined => {
  const fields = request as Record<string, unknown>
  const group = (bodyPath ? fields[bodyPath] : fields) as { clientCorrelatorId?: string }
  return group.clientCorrelatorId
}

/** A request, and the function that posts it. */
type Post = <T>(clientId: string, request: unknown, post: () => Promise<T>) => Promise<T>

/**
 * Makes the function that posts a request and, where a rule refuses it, looks whether it was posted before: then its
 * client is told so, since what was valid at first may have become invalid. A request that passes the rules costs no
 * look-up: whether it was posted before is decided under the sequence's lock, before its limits.
 */
export function createIdempotency(app: Platform, kind: TransactionKind): Post {
  const findFirst = batchedLookup(async (sent: readonly Correlated[]) => {
    const known = await readCorrelators(app.db, kind, sent)
    return sent.map(one => known.get(correlatorKey(one)))
  })

  return async (clientId, request, post) => {
    try {
      return await post()
    } catch (error) {
      // After a failure of the server the same request may succeed: it is reported as it is.
      const isRefusal = error instanceof ServiceError && error.status < 500
      const clientCorrelatorId = correlatorIn(kind, request)
      if (!isRefusal || error.extensions['existingId'] !== undefined || !clientCorrelatorId) throw error
      const first = await findFirst({ clientId, clientCorrelatorId })
      throw first === undefined ? error : alreadyPosted(kind, clientCorrelatorId, first)
    }
  }
}
