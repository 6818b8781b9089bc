/** Some months of history for the demo, so that lists, timelines and sums show something to who only wants to look. */

import type { PrismaClient, Transaction } from '../../subgraphs/shared/data/db.ts'
import { ensureSequence } from '../../subgraphs/shared/data/gapless-sequence.ts'
import { appendEvents, EVENT_SEQUENCE, type NewEvent } from '../../subgraphs/shared/events/append.ts'
import { type TransactionKind, tableOf } from '../../subgraphs/shared/transactions/kind.ts'
import { newId } from '../../subgraphs/shared/values/id.ts'
import { type DemoEntry, HISTORY_CLIENT, historyOf } from './entries.ts'

const isCompleted = ({ outcomes }: TransactionKind, { status }: DemoEntry) => outcomes[status] === 'COMPLETED'

const toRow = (entry: DemoEntry, index: number) => ({
  ...entry,
  position: index + 1,
  clientId: HISTORY_CLIENT,
})

const writeRows = (tx: Transaction, kind: TransactionKind, entries: DemoEntry[]) => tx.$executeRaw`
  INSERT INTO ${tableOf(kind)} (id, position, client_id, client_position, created_at, client_correlator_id,
    reference_code, status, completed_at, reason, account_number, mobile_number, currency, amount, points, body)
  SELECT id, position, "clientId", position, "createdAt", "clientCorrelatorId", "referenceCode", status, "completedAt",
    reason, "accountNumber", "mobileNumber", currency, amount, points, body
  FROM jsonb_to_recordset(${JSON.stringify(entries.map(toRow))}::jsonb) AS r (
    id uuid, position bigint, "clientId" text, "createdAt" timestamptz, "clientCorrelatorId" text,
    "referenceCode" text, status text, "completedAt" timestamptz, reason text, "accountNumber" text,
    "mobileNumber" text, currency text, amount numeric, points numeric, body jsonb)`

/** The sequence may be there already, empty, made by a process that starts at the same time. */
const writeBooks = (tx: Transaction, { table }: TransactionKind, entries: DemoEntry[]) => tx.$executeRaw`
  INSERT INTO books.book (name, client_id, position, written_at)
  SELECT ${table}, client_id, ${entries.length}, ${entries.at(-1)!.createdAt}::timestamptz
  FROM unnest(${['', HISTORY_CLIENT]}::text[]) AS b (client_id)
  ON CONFLICT (name, client_id) DO UPDATE SET position = excluded.position, written_at = excluded.written_at`

const toEvent = (kind: TransactionKind, entry: DemoEntry): NewEvent => {
  const completed = isCompleted(kind, entry)
  return {
    eventid: newId(entry.completedAt),
    kind: kind.name,
    eventType: completed ? 'PAYMENT_COMPLETED' : 'PAYMENT_FAILED',
    eventTime: entry.completedAt,
    transactionId: entry.id,
    operationStatus: entry.status,
    status: completed ? 'succeeded' : 'failed',
    description: entry.reason,
    clientCorrelatorId: entry.clientCorrelatorId,
    paymentDate: completed ? entry.completedAt : null,
    clientId: HISTORY_CLIENT,
    accountNumber: entry.accountNumber,
    mobileNumber: entry.mobileNumber,
  }
}

/**
 * Writes the history, all or nothing, up to `now`. It moves no balance: those of the directory are today's.
 */
export async function writeHistory(prisma: PrismaClient, now: Date): Promise<void> {
  await ensureSequence(prisma, EVENT_SEQUENCE)
  await prisma.$transaction(async tx => {
    const events: NewEvent[] = []
    for (const [kind, entries] of historyOf(now)) {
      await writeRows(tx, kind, entries)
      await writeBooks(tx, kind, entries)
      events.push(...entries.map(entry => toEvent(kind, entry)))
    }
    events.sort((a, b) => a.eventTime.getTime() - b.eventTime.getTime())
    await appendEvents(tx, events)
  })
}
