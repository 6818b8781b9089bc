/** Reads what new transactions can conflict with; the caller holds the sequence's lock, so what is read stays true. */

import { Prisma, type Transaction } from '../data/db.ts'
import { givenRows } from '../data/given-rows.ts'
import { type Decimal, toDecimal } from '../values/decimal.ts'
import { startOfMonth } from '../values/time.ts'
import {
  correlatorKey,
  type ExistingTransactions,
  measureOf,
  monthlyLimitOf,
  referenceKey,
  spentKey,
} from './check-posting.ts'
import { statusesOf, type TransactionKind, tableOf } from './kind.ts'
import type { Measured, NewTransaction } from './new-transaction.ts'

/** As much of a request as a repeat is recognised by. */
export type Correlated = Pick<NewTransaction, 'clientId' | 'clientCorrelatorId'>

/** The ids of those that were posted already, by `correlatorKey`. */
export const readCorrelators = async (
  tx: Transaction,
  kind: TransactionKind,
  transactions: readonly Correlated[],
): Promise<Map<string, string>> => {
  const sent = transactions.filter(transaction => transaction.clientCorrelatorId !== undefined)
  if (sent.length === 0) return new Map()
  const given = sent.map(({ clientId, clientCorrelatorId }) => ({ clientId, clientCorrelatorId }))
  const rows = await tx.$queryRaw<{ id: string; clientId: string; clientCorrelatorId: string }[]>`
    SELECT t.id, t.client_id AS "clientId", t.client_correlator_id AS "clientCorrelatorId"
    FROM ${givenRows(given, Prisma.sql`"clientId" text, "clientCorrelatorId" text`)} sent
    JOIN ${tableOf(kind)} t ON t.client_id = sent."clientId" AND t.client_correlator_id = sent."clientCorrelatorId"`
  return new Map(rows.map(row => [correlatorKey(row), row.id]))
}

const readReferences = async (
  tx: Transaction,
  kind: TransactionKind,
  transactions: readonly NewTransaction[],
) => {
  const sent = transactions.filter(
    transaction => !transaction.clientCorrelatorId && transaction.accountNumber && transaction.referenceCode,
  )
  if (sent.length === 0) return new Set<string>()
  const given = sent.map(({ clientId, referenceCode }) => ({ clientId, referenceCode }))
  const rows = await tx.$queryRaw<{ clientId: string; referenceCode: string; accountNumber: string }[]>`
    SELECT DISTINCT t.client_id AS "clientId", t.reference_code AS "referenceCode", t.account_number AS "accountNumber"
    FROM ${givenRows(given, Prisma.sql`"clientId" text, "referenceCode" text`)} sent
    JOIN ${tableOf(kind)} t ON t.client_id = sent."clientId" AND t.reference_code = sent."referenceCode"`
  return new Set(rows.map(row => referenceKey(row)))
}

const OWNER_COLUMN = {
  accountNumber: Prisma.raw('account_number'),
  mobileNumber: Prisma.raw('mobile_number'),
}
const MEASURE_COLUMN = { amount: Prisma.raw('amount'), points: Prisma.raw('points') }

/** What this month's transactions of a client and owner add up to, per currency; what failed does not count. */
export async function readSpent(
  tx: Transaction,
  kind: TransactionKind,
  transactions: readonly Measured[],
  month: Date,
): Promise<Map<string, Decimal>> {
  const limited = transactions.filter(
    transaction => monthlyLimitOf(kind, transaction) && measureOf(kind, transaction),
  )
  if (!kind.limit || limited.length === 0) return new Map()
  const { holder, measure } = kind.limit
  const column = OWNER_COLUMN[holder]
  const given = limited.map(({ clientId, [holder]: owner = '' }) => ({ clientId, owner }))
  const rows = await tx.$queryRaw<
    { clientId: string; holder: string; currency: string | null; sum: Prisma.Decimal }[]
  >`
    SELECT t.client_id AS "clientId", t.${column} AS holder, t.currency, sum(t.${MEASURE_COLUMN[measure]}) AS sum
    FROM (SELECT DISTINCT * FROM ${givenRows(given, Prisma.sql`"clientId" text, owner text`)} given) asked
    JOIN ${tableOf(kind)} t ON t.${column} = asked.owner AND t.client_id = asked."clientId"
    WHERE t.position >= (SELECT position FROM ${tableOf(kind)} WHERE created_at >= ${month} ORDER BY created_at LIMIT 1)
      AND t.created_at >= ${month}
      AND t.status <> ALL (${statusesOf(kind, ['FAILED', 'CANCELLED', 'REVERSED'])}::text[])
    GROUP BY 1, 2, 3`
  return new Map(
    rows.map(row => [spentKey(row.clientId, row.holder, row.currency ?? ''), toDecimal(String(row.sum))]),
  )
}

/**
 * Everything that `checkPosting` needs to know about the new transactions; `now` says which month it is in the
 * operator's time zone.
 */
export async function loadConflicts(
  tx: Transaction,
  kind: TransactionKind,
  transactions: readonly NewTransaction[],
  now: Date,
  timezone: string,
): Promise<ExistingTransactions> {
  return {
    correlators: await readCorrelators(tx, kind, transactions),
    references: await readReferences(tx, kind, transactions),
    spent: await readSpent(tx, kind, transactions, startOfMonth(now, timezone)),
  }
}
