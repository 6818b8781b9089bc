/** Some months of history for the demo, so that lists, timelines and sums of a trial show something. */

import type { Db, Statements } from '#core/data/db.ts'
import { bookOf, ensureSequence } from '#core/data/gapless-sequence.ts'
import { appendEvents, EVENT_SEQUENCE, type NewEvent } from '#core/events/append.ts'
import { insertRows, toRow } from '#core/transactions/columns.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { newId } from '#core/values/id.ts'
import { toDecimal } from '#core/values/money.ts'
import { type DemoEntry, HISTORY_CLIENT, historyOf } from './entries.ts'

const isCompleted = ({ outcomes }: TransactionKind, { status }: DemoEntry) => outcomes[status] === 'COMPLETED'

const exact = (value: number | undefined) => (value === undefined ? null : toDecimal(value))

const toRows = (entries: DemoEntry[]) =>
  entries.map((entry, index) => {
    const position = BigInt(index + 1)
    const numbers = { amount: exact(entry.amount), points: exact(entry.points) }
    return toRow({
      ...entry,
      ...numbers,
      position,
      clientId: HISTORY_CLIENT,
      clientPosition: position,
    })
  })

/** Creates the sequences of a kind; another process that starts at the same time may have created them empty. */
const writeSequences = (tx: Statements, kind: TransactionKind, entries: DemoEntry[]) => tx.$executeRaw`
  INSERT INTO ${bookOf(kind)} (name, client_id, position, written_at)
  SELECT ${kind.table}, client_id, ${entries.length}, ${entries.at(-1)!.createdAt}::timestamptz
  FROM unnest(${['', HISTORY_CLIENT]}::text[]) AS b (client_id)
  ON CONFLICT (name, client_id) DO UPDATE SET position = excluded.position, written_at = excluded.written_at`

/** Marks all transactions of the history as settled. */
const markSettled = (tx: Statements, { name }: TransactionKind, entries: DemoEntry[]) => tx.$executeRaw`
  INSERT INTO charging.progress (kind, position) VALUES (${name}, ${entries.length})
  ON CONFLICT (kind) DO UPDATE SET position = excluded.position`

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
export async function writeHistory(db: Db, now: Date): Promise<void> {
  await ensureSequence(db, EVENT_SEQUENCE)
  await db.$transaction(async tx => {
    const events: NewEvent[] = []
    for (const [kind, entries] of historyOf(now)) {
      await tx.$executeRaw`${insertRows(kind, toRows(entries))}`
      await writeSequences(tx, kind, entries)
      await markSettled(tx, kind, entries)
      events.push(...entries.map(entry => toEvent(kind, entry)))
    }
    events.sort((a, b) => a.eventTime.getTime() - b.eventTime.getTime())
    await appendEvents(tx, events)
  })
}
