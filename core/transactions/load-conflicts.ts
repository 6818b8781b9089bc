/** Reads what new transactions can conflict with; the caller holds the sequence's lock, so what is read stays true. */

import { Prisma, type Reader } from '../data/db.ts'
import { givenRows } from '../data/given-rows.ts'
import { type Decimal, toDecimal } from '../values/decimal.ts'
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
  db: Reader,
  kind: TransactionKind,
  transactions: readonly Correlated[],
): Promise<Map<string, string>> => {
  const sent = transactions.filter(transaction => transaction.clientCorrelatorId !== undefined)
  if (sent.length === 0) return new Map()
  const given = sent.map(({ clientId, clientCorrelatorId }) => ({ clientId, clientCorrelatorId }))
  const rows = await db.$queryRaw<{ id: string; clientId: string; clientCorrelatorId: string }[]>`
    SELECT t.id, t.client_id AS "clientId", t.client_correlator_id AS "clientCorrelatorId"
    FROM ${givenRows(given, Prisma.sql`"clientId" text, "clientCorrelatorId" text`)} sent
    JOIN ${tableOf(kind)} t ON t.client_id = sent."clientId" AND t.client_correlator_id = sent."clientCorrelatorId"`
  return new Map(rows.map(row => [correlatorKey(row), row.id]))
}

/**
 * Ordered by the index that is meant (`OFFSET 0` keeps the order): where a table was empty when this was planned, any index
 * of the client's rows looks as good, and each reference would read all of them.
 */
const readReferences = async (db: Reader, kind: TransactionKind, transactions: readonly NewTransaction[]) => {
  const sent = transactions.filter(
    transaction => !transaction.clientCorrelatorId && transaction.accountNumber && transaction.referenceCode,
  )
  if (sent.length === 0) return new Set<string>()
  const given = sent.map(({ clientId, referenceCode }) => ({ clientId, referenceCode }))
  const rows = await db.$queryRaw<{ clientId: string; referenceCode: string; accountNumber: string }[]>`
    SELECT DISTINCT sent."clientId", sent."referenceCode", t.account_number AS "accountNumber"
    FROM ${givenRows(given, Prisma.sql`"clientId" text, "referenceCode" text`)} sent
    CROSS JOIN LATERAL (SELECT account_number FROM ${tableOf(kind)}
      WHERE client_id = sent."clientId" AND reference_code BETWEEN sent."referenceCode" AND sent."referenceCode"
      ORDER BY reference_code OFFSET 0) t`
  return new Set(rows.map(row => referenceKey(row)))
}

const OWNER_COLUMN = {
  accountNumber: Prisma.raw('account_number'),
  mobileNumber: Prisma.raw('mobile_number'),
}
const MEASURE_COLUMN = { amount: Prisma.raw('amount'), points: Prisma.raw('points') }

/** What this month's transactions of a client and owner add up to, per currency; what failed does not count. */
export async function readSpent(
  db: Reader,
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
  const rows = await db.$queryRaw<
    { clientId: string; holder: string; currency: string | null; sum: Prisma.Decimal }[]
  >`
    SELECT asked."clientId", asked.owner AS holder, t.currency, sum(t.${MEASURE_COLUMN[measure]}) AS sum
    FROM (SELECT DISTINCT * FROM ${givenRows(given, Prisma.sql`"clientId" text, owner text`)} given) asked
    CROSS JOIN LATERAL (SELECT * FROM ${tableOf(kind)}
      WHERE ${column} = asked.owner AND position >= (
        SELECT position FROM ${tableOf(kind)} WHERE created_at >= ${month} ORDER BY created_at LIMIT 1)
      ORDER BY position OFFSET 0) t
    WHERE t.client_id = asked."clientId" AND t.created_at >= ${month}
      AND t.status <> ALL (${statusesOf(kind, ['FAILED', 'CANCELLED', 'REVERSED'])}::text[])
    GROUP BY 1, 2, 3`
  return new Map(
    rows.map(row => [spentKey(row.clientId, row.holder, row.currency ?? ''), toDecimal(String(row.sum))]),
  )
}

/** Transactions that are there already and could be the same. */
export type Repeats = Pick<ExistingTransactions, 'correlators' | 'references'>

/** What the new transactions could repeat. */
export async function loadRepeats(
  db: Reader,
  kind: TransactionKind,
  transactions: readonly NewTransaction[],
): Promise<Repeats> {
  const [correlators, references] = await Promise.all([
    readCorrelators(db, kind, transactions),
    readReferences(db, kind, transactions),
  ])
  return { correlators, references }
}
