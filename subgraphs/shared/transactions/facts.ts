/** Reads what a batch of drafts can collide with; the caller holds the book, so what is read stays true. */
import { Prisma, type Transaction } from '../data/db.ts'
import { type Decimal, toDecimal } from '../values/decimal.ts'
import { startOfMonth } from '../values/time.ts'
import {
  correlatorKey,
  type Draft,
  type Facts,
  type Measured,
  measureOf,
  monthlyLimitOf,
  referenceKey,
  spentKey,
} from './decide.ts'
import { statusesOf, type TransactionKind, tableOf } from './kind.ts'

const readCorrelators = async (tx: Transaction, kind: TransactionKind, drafts: readonly Draft[]) => {
  const sent = drafts.filter(draft => draft.clientCorrelatorId !== undefined)
  if (sent.length === 0) return new Map<string, string>()
  const rows = await tx.$queryRaw<{ id: string; clientId: string; clientCorrelatorId: string }[]>`
    SELECT t.id, t.client_id AS "clientId", t.client_correlator_id AS "clientCorrelatorId"
    FROM unnest(${sent.map(draft => draft.clientId)}::text[], ${sent.map(draft => draft.clientCorrelatorId!)}::text[])
      AS sent (client_id, correlator)
    JOIN ${tableOf(kind)} t ON t.client_id = sent.client_id AND t.client_correlator_id = sent.correlator`
  return new Map(rows.map(row => [correlatorKey(row as unknown as Draft), row.id]))
}

const readReferences = async (tx: Transaction, kind: TransactionKind, drafts: readonly Draft[]) => {
  const sent = drafts.filter(draft => !draft.clientCorrelatorId && draft.accountNumber && draft.referenceCode)
  if (sent.length === 0) return new Set<string>()
  const rows = await tx.$queryRaw<{ clientId: string; referenceCode: string; accountNumber: string }[]>`
    SELECT DISTINCT t.client_id AS "clientId", t.reference_code AS "referenceCode", t.account_number AS "accountNumber"
    FROM unnest(${sent.map(draft => draft.clientId)}::text[], ${sent.map(draft => draft.referenceCode!)}::text[])
      AS sent (client_id, reference)
    JOIN ${tableOf(kind)} t ON t.client_id = sent.client_id AND t.reference_code = sent.reference`
  return new Set(rows.map(row => referenceKey(row as unknown as Draft)))
}

const HOLDER_COLUMN = {
  accountNumber: Prisma.raw('account_number'),
  mobileNumber: Prisma.raw('mobile_number'),
}
const MEASURE_COLUMN = { amount: Prisma.raw('amount'), points: Prisma.raw('points') }

/** What this month's transactions of a client and holder add up to, per currency; what failed does not count. */
export async function readSpent(
  tx: Transaction,
  kind: TransactionKind,
  drafts: readonly Measured[],
  month: Date,
): Promise<Map<string, Decimal>> {
  const limited = drafts.filter(draft => monthlyLimitOf(kind, draft) && measureOf(kind, draft))
  if (!kind.limit || limited.length === 0) return new Map()
  const { holder, measure } = kind.limit
  const column = HOLDER_COLUMN[holder]
  const rows = await tx.$queryRaw<
    { clientId: string; holder: string; currency: string | null; sum: Prisma.Decimal }[]
  >`
    SELECT t.client_id AS "clientId", t.${column} AS holder, t.currency, sum(t.${MEASURE_COLUMN[measure]}) AS sum
    FROM (SELECT DISTINCT * FROM unnest(${limited.map(d => d.clientId)}::text[], ${limited.map(d => d[holder] ?? '')}::text[]))
      AS asked (client_id, holder)
    JOIN ${tableOf(kind)} t ON t.${column} = asked.holder AND t.client_id = asked.client_id
    WHERE t.position >= (SELECT position FROM ${tableOf(kind)} WHERE created_at >= ${month} ORDER BY created_at LIMIT 1)
      AND t.created_at >= ${month}
      AND t.status <> ALL (${statusesOf(kind, ['FAILED', 'CANCELLED', 'REVERSED'])}::text[])
    GROUP BY 1, 2, 3`
  return new Map(
    rows.map(row => [spentKey(row.clientId, row.holder, row.currency ?? ''), toDecimal(String(row.sum))]),
  )
}

/** Everything `decide` needs to know about the drafts; `now` says which month it is in the operator's time zone. */
export async function readFacts(
  tx: Transaction,
  kind: TransactionKind,
  drafts: readonly Draft[],
  now: Date,
  timezone: string,
): Promise<Facts> {
  return {
    correlators: await readCorrelators(tx, kind, drafts),
    references: await readReferences(tx, kind, drafts),
    spent: await readSpent(tx, kind, drafts, startOfMonth(now, timezone)),
  }
}
