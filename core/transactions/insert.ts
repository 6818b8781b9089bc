/** Inserts new transactions: under the sequence's lock, a batch is checked, numbered, written and committed together. */

import { Batcher } from '../async/batcher.ts'
import { beginWriting, isOver } from '../async/deadline.ts'
import type { App } from '../context/app.ts'
import { isRefusedInput } from '../data/database-errors.ts'
import type { Statements } from '../data/db.ts'
import { type ClientSequences, lockClientSequences } from '../data/gapless-sequence.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { startOfMonth } from '../values/time.ts'
import { checkPosting } from './check-posting.ts'
import { insertRows, toRow } from './columns.ts'
import type { TransactionKind, TransactionRow } from './kind.ts'
import { loadRepeats, type Repeats, readSpent } from './load-conflicts.ts'
import type { NewTransaction } from './new-transaction.ts'
import { clientRemoved, readRemoved } from './removed-clients.ts'

/** What became of a new transaction: its row, or why it was refused. */
export type Inserted = TransactionRow | ServiceError

const MAX_BATCH = 256
/** For a batch, which takes milliseconds. */
const STANDSTILL_MS = 5_000

/** Numbers what is accepted, overall and per client, from the head of the sequence. */
const number = (
  kind: TransactionKind,
  accepted: NewTransaction[],
  sequence: ClientSequences,
): TransactionRow[] =>
  accepted.map((transaction, index) => {
    const clientPosition = (sequence.clients.get(transaction.clientId) ?? 0n) + 1n
    sequence.clients.set(transaction.clientId, clientPosition)
    return toRow({
      ...transaction,
      position: sequence.position + BigInt(index) + 1n,
      clientPosition,
      createdAt: sequence.now,
      status: kind.initial,
    })
  })

/** One statement writes the rows and advances the sequences, for all clients and for each. */
const writeRows = (
  tx: Statements,
  kind: TransactionKind,
  rows: TransactionRow[],
  sequence: ClientSequences,
) => {
  const heads = [...sequence.clients, ['', sequence.position + BigInt(rows.length)] as const]
  return tx.$executeRaw`
    WITH written AS (${insertRows(kind, rows)})
    INSERT INTO books.book (name, client_id, position, written_at)
    SELECT ${kind.table}, client_id, position, ${sequence.now}::timestamptz
    FROM unnest(${heads.map(([id]) => id)}::text[], ${heads.map(([, at]) => at)}::bigint[]) AS b (client_id, position)
    ON CONFLICT (name, client_id) DO UPDATE SET position = excluded.position, written_at = excluded.written_at`
}

const clientsOf = ({ transactions }: Batch) => [...new Set(transactions.map(({ clientId }) => clientId))]

/** Checks each transaction; one whose request has timed out meanwhile is not written, whatever it waited for. */
const checkAll = async (
  app: App,
  tx: Statements,
  kind: TransactionKind,
  batch: Batch,
  { sequence, repeats }: Locked,
) => {
  const month = startOfMonth(sequence.now, app.config.timezone)
  const [removed, spent] = await Promise.all([
    readRemoved(tx, app.config, clientsOf(batch), sequence),
    readSpent(tx, kind, batch.transactions, month),
  ])
  const existing = { ...repeats, spent }
  return batch.transactions.map((transaction, index) => {
    if (isOver(batch.signals[index]!)) return timedOut()
    if (removed.has(transaction.clientId)) return clientRemoved()
    return checkPosting(kind, transaction, existing)
  })
}

/** The sequence, and what was there when it was locked. */
interface Locked {
  readonly sequence: ClientSequences
  readonly repeats: Repeats
}

/** Sent together, so that the sequence is locked for a round trip less; what is there is read once it is locked. */
const lock = async (tx: Statements, kind: TransactionKind, batch: Batch): Promise<Locked> => {
  const [sequence, repeats] = await Promise.all([
    lockClientSequences(tx, kind.table, clientsOf(batch)),
    loadRepeats(tx, kind, batch.transactions),
  ])
  return { sequence, repeats }
}

const timedOut = () =>
  new ServiceError('REQUEST_TIMEOUT_EXCEEDED', 'The request took too long; nothing was posted')

interface Batch {
  readonly transactions: NewTransaction[]
  readonly signals: AbortSignal[]
}

const insertAccepted = async (
  app: App,
  tx: Statements,
  kind: TransactionKind,
  batch: Batch,
): Promise<Inserted[]> => {
  const locked = await lock(tx, kind, batch)
  const { sequence } = locked
  const refusals = await checkAll(app, tx, kind, batch, locked)
  const accepted = batch.transactions.filter((_, index) => !refusals[index])
  if (accepted.length === 0) return refusals as ServiceError[]
  const signals = batch.signals.filter((_, index) => !refusals[index])
  for (const signal of signals) beginWriting(signal)
  const rows = number(kind, accepted, sequence)
  await writeRows(tx, kind, rows, sequence)
  // Where nobody's time has lasted, nothing is committed.
  if (signals.every(isOver)) throw timedOut()
  const written = rows.values()
  return refusals.map(refusal => refusal ?? written.next().value!)
}

const insertInTransaction = (app: App, kind: TransactionKind, batch: Batch): Promise<Inserted[]> =>
  app.writer.transaction(tx => insertAccepted(app, tx, kind, batch), app.config.requestTimeoutMs)

/** One transaction that the database cannot take must not refuse the others: they are then inserted one by one. */
const insertBatch = async (app: App, kind: TransactionKind, batch: Batch): Promise<Inserted[]> => {
  try {
    return await insertInTransaction(app, kind, batch)
  } catch (error) {
    if (batch.transactions.length === 1 || !isRefusedInput(error)) throw error
    const alone = batch.transactions.map((transaction, i) => ({
      transactions: [transaction],
      signals: [batch.signals[i]!],
    }))
    const results: Inserted[] = []
    for (const one of alone)
      results.push(...(await insertInTransaction(app, kind, one).catch(failure => [failure])))
    return results
  }
}

/** Makes the function that inserts transactions of a kind: it resolves once the transaction is committed, or refused. */
export function createInserter(app: App, kind: TransactionKind) {
  const batcher = new Batcher<NewTransaction, Inserted>(
    (transactions, signals) => insertBatch(app, kind, { transactions, signals }),
    {
      maxBatch: MAX_BATCH,
      maxWaiting: app.config.maxInFlight,
      rounds: app.watchdog.over(`posting of ${kind.name}`, STANDSTILL_MS),
    },
  )
  return async (transaction: NewTransaction, signal: AbortSignal): Promise<TransactionRow> => {
    const posted = await batcher.add(transaction, signal)
    if (posted instanceof Error) throw posted
    return posted
  }
}
