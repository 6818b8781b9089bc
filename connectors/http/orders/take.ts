/** Taking in: what create left in its initial status becomes an order, and none is looked at twice. */
import type { App } from '#core/context/app.ts'
import type { PrismaClient, Statements } from '#core/data/db.ts'
import type { Settlement, TransactionKind, TransactionRow } from '#core/transactions/kind.ts'
import { endStretch, isAnyNew, lockNew, openIntake, takeStretch } from '#core/transactions/settle/settle.ts'

const MAX_BATCH = 200

/** Opens the kind's progress; what the ledger could not settle is taken in again, and is the outside system's. */
export const openProgress = async (db: PrismaClient, kind: TransactionKind): Promise<void> => {
  await openIntake(db, kind)
  await db.$executeRaw`
    WITH aside AS (DELETE FROM charging.set_aside WHERE kind = ${kind.name} RETURNING position)
    UPDATE charging.progress SET position = least(position, (SELECT min(position) - 1 FROM aside))
    WHERE kind = ${kind.name}`
}

/** Whose orders are sent one after the other: those of the account whose dues they move, else those of the number. */
const ownerOf = ({ charge }: TransactionKind, row: TransactionRow): string =>
  (charge.moves?.balance === 'dues' ? row.accountNumber : (row.mobileNumber ?? row.accountNumber)) ?? row.id

const writeOrders = (tx: Statements, settlement: Settlement, rows: readonly TransactionRow<never>[]) => {
  const { kind } = settlement
  const orders = rows.map(row => ({
    id: row.id,
    owner: ownerOf(kind, row),
    position: `${row.position}`,
    createdAt: row.createdAt,
    expiresAt: settlement.expiresAt?.(row),
  }))
  return tx.$executeRaw`
    INSERT INTO charging."order" (transaction_id, kind, owner, position, created_at, expires_at)
    SELECT id, ${kind.name}, owner, position, "createdAt", "expiresAt"
    FROM jsonb_to_recordset(${JSON.stringify(orders)}::jsonb)
      AS o (id uuid, owner text, position bigint, "createdAt" timestamptz, "expiresAt" timestamptz)
    ON CONFLICT DO NOTHING`
}

/** Whether there may be more. */
const takeBatch = async (tx: Statements, settlement: Settlement): Promise<boolean> => {
  const { kind } = settlement
  const stretch = await takeStretch(tx, kind, MAX_BATCH)
  if (!stretch) return false
  await writeOrders(tx, settlement, await lockNew(tx, kind, stretch))
  await endStretch(tx, kind, stretch)
  return stretch.to - stretch.from === BigInt(MAX_BATCH)
}

/**
 * Makes orders of all transactions that wait.
 * @param progress called after each batch.
 */
export async function takeIn(
  { reader, writer }: App,
  settlement: Settlement,
  progress: () => void = () => undefined,
): Promise<void> {
  if (!(await isAnyNew(reader, settlement.kind))) return
  let isFull: boolean
  do {
    isFull = await writer.transaction(tx => takeBatch(tx, settlement))
    progress()
  } while (isFull)
}
