/** Corrections of a statement: transactions of earlier days whose outcome has changed since the statement before. */
import type { Prisma, Statements } from '#core/data/db.ts'
import { tableOf } from '#core/transactions/kind.ts'
import { localDay } from '#core/values/time.ts'
import type { Kinds } from '../kinds.ts'
import { kindsInOrder } from './rows.ts'

/** Changed outcome of a transaction of an earlier day. */
export interface StoredCorrection {
  readonly id: string
  readonly kind: string
  readonly number: string
  readonly corrects: string
  readonly outcome: string
  readonly amount: string | null
  readonly currency: string | null
  readonly points: string | null
  readonly reason: string
  readonly at: string
}

interface CorrectionRow {
  readonly clientId: string
  readonly id: string
  readonly number: bigint
  readonly createdAt: Date
  readonly status: string
  readonly reason: string
  readonly at: Date
  readonly amount: Prisma.Decimal | null
  readonly currency: string | null
  readonly points: Prisma.Decimal | null
}

/**
 * Finds the transactions of days before this one that have ended, or were taken back, since the statements before. Events and
 * transactions are read one after the other, for they may stand on different nodes.
 */
export async function readCorrections(
  tx: Statements,
  kinds: Kinds,
  [after, until]: readonly [bigint, bigint],
  start: Date,
  timezone: string,
): Promise<Map<string, StoredCorrection[]>> {
  const found: (readonly [string, StoredCorrection])[] = []
  for (const kind of kindsInOrder(kinds)) {
    const rows = await tx.$queryRaw<CorrectionRow[]>`
      WITH event AS MATERIALIZED (
        SELECT e.position, e.transaction_id, e.operation_status, e.description, e.event_time FROM events.event e
        WHERE e.position > ${after}::bigint AND e.position <= ${until}::bigint AND e.kind = ${kind.name}),
      earlier AS MATERIALIZED (
        SELECT t.client_id, t.id, t.client_position, t.created_at, t.amount, t.currency, t.points FROM ${tableOf(kind)} t
        WHERE t.id IN (SELECT event.transaction_id FROM event) AND t.created_at < ${start}::timestamptz)
      SELECT t.client_id AS "clientId", t.id, t.client_position AS number, t.created_at AS "createdAt",
        e.operation_status AS status, e.description AS reason, e.event_time AS at, t.amount, t.currency, t.points
      FROM event e JOIN earlier t ON t.id = e.transaction_id ORDER BY e.position`
    for (const { clientId, createdAt, status, at, ...row } of rows)
      found.push([
        clientId,
        {
          ...row,
          kind: kind.name,
          number: `${row.number}`,
          corrects: localDay(createdAt, timezone),
          outcome: kind.outcomes[status]!,
          amount: row.amount && String(row.amount),
          points: row.points && String(row.points),
          at: at.toISOString(),
        },
      ])
  }
  const byClient = Map.groupBy(found, ([clientId]) => clientId)
  return new Map([...byClient].map(([clientId, entries]) => [clientId, entries.map(([, one]) => one)]))
}
