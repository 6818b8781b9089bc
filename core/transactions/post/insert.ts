/** Inserts new transactions: under the sequence's lock, a batch is checked, numbered, written and committed together. */

import { invalidToken } from '#core/access/claims.ts'
import { Batcher } from '#core/async/batcher.ts'
import { beginWriting, isOver } from '#core/async/deadline.ts'
import type { Platform } from '#core/context/app.ts'
import { isRefusedInput } from '#core/data/database-errors.ts'
import type { Prisma, Statements } from '#core/data/db.ts'
import { bookOf, type ClientSequences, lockClientSequences } from '#core/data/gapless-sequence.ts'
import { ServiceError } from '#core/errors/catalogue.ts'
import { currentFacts } from '#core/observability/request-facts.ts'
import { batchObserver, tracing } from '#core/observability/tracing.ts'
import { startOfMonth } from '#core/values/time.ts'
import { insertRows, toRow } from '../columns.ts'
import type { TransactionKind, TransactionRow } from '../kind.ts'
import { checkPosting } from './check.ts'
import { insertKeys } from './idempotency-key.ts'
import { readDuplicates, readRemoved, readSpent } from './refusals.ts'
import type { NewTransaction } from './validate.ts'

/** A new transaction's row, or why it was refused. */
export type Inserted = TransactionRow | ServiceError

/** New transactions on their way, and the deadlines of their requests. */
interface Batch {
  readonly transactions: NewTransaction[]
  readonly signals: AbortSignal[]
}

const MAX_BATCH = 256
/** A standstill, for a batch takes milliseconds. */
const STANDSTILL_MS = 5_000

const timedOut = () =>
  new ServiceError('REQUEST_TIMEOUT_EXCEEDED', 'The request took too long; nothing was posted')

/** The refusal of each transaction, if any. One whose request has timed out meanwhile is not written. */
const checkAll = async (
  app: Platform,
  tx: Statements,
  kind: TransactionKind,
  { transactions, signals }: Batch,
) => {
  const clientIds = [...new Set(transactions.map(({ clientId }) => clientId))]
  // Sent together, so that the sequence is locked for a round trip less; rows are read once it is locked.
  const [sequence, duplicates] = await Promise.all([
    lockClientSequences(tx, kind, clientIds),
    readDuplicates(tx, kind, transactions),
  ])
  const [removed, spent] = await Promise.all([
    readRemoved(tx, app.config, clientIds, sequence),
    readSpent(tx, kind, transactions, startOfMonth(sequence.now, app.config.timezone)),
  ])
  const existing = { ...duplicates, spent }
  const refusals = transactions.map((transaction, index) => {
    if (isOver(signals[index]!)) return timedOut()
    if (removed.has(transaction.clientId)) return invalidToken('client', 'The client is not known')
    return checkPosting(kind, transaction, existing)
  })
  return { sequence, refusals }
}

/** Numbers transactions, overall and per client, from the head of the sequence. */
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

/** Writes the rows and their keys, and advances the sequences, for all clients and for each, by one statement. */
const writeRows = (
  tx: Statements,
  kind: TransactionKind,
  rows: TransactionRow[],
  keys: Prisma.Sql,
  sequence: ClientSequences,
) => {
  const heads = [...sequence.clients, ['', sequence.position + BigInt(rows.length)] as const]
  return tx.$executeRaw`
    WITH written AS (${insertRows(kind, rows)})${keys}
    INSERT INTO ${bookOf(kind)} (name, client_id, position, written_at)
    SELECT ${kind.table}, client_id, position, ${sequence.now}::timestamptz
    FROM unnest(${heads.map(([id]) => id)}::text[], ${heads.map(([, at]) => at)}::bigint[]) AS b (client_id, position)
    ON CONFLICT (name, client_id) DO UPDATE SET position = excluded.position, written_at = excluded.written_at`
}

const insertAccepted = async (
  app: Platform,
  tx: Statements,
  kind: TransactionKind,
  batch: Batch,
): Promise<Inserted[]> => {
  const { sequence, refusals } = await checkAll(app, tx, kind, batch)
  const accepted = batch.transactions.filter((_, index) => !refusals[index])
  if (accepted.length === 0) return refusals as ServiceError[]
  const signals = batch.signals.filter((_, index) => !refusals[index])
  for (const signal of signals) beginWriting(signal)
  const rows = number(kind, accepted, sequence)
  await writeRows(tx, kind, rows, insertKeys(kind, accepted), sequence)
  // Nothing is committed where every request has timed out meanwhile.
  if (signals.every(isOver)) throw timedOut()
  const written = rows.values()
  return refusals.map(refusal => refusal ?? written.next().value!)
}

/** Inserts a batch; one transaction that the database cannot take does not refuse the others, which go one by one then. */
const insertBatch = async (app: Platform, kind: TransactionKind, batch: Batch): Promise<Inserted[]> => {
  const insert = (one: Batch) =>
    app.db.$transaction(tx => insertAccepted(app, tx, kind, one), { timeout: app.config.requestTimeoutMs })
  try {
    return await insert(batch)
  } catch (error) {
    if (batch.transactions.length === 1 || !isRefusedInput(error)) throw error
    const results: Inserted[] = []
    for (const [index, transaction] of batch.transactions.entries()) {
      const alone = { transactions: [transaction], signals: [batch.signals[index]!] }
      results.push(...(await insert(alone).catch(failure => [failure])))
    }
    return results
  }
}

/** Makes the function that inserts transactions of a kind: it resolves once the transaction is committed, or refused. */
export function createInserter(app: Platform, kind: TransactionKind) {
  const batcher = new Batcher<NewTransaction, Inserted>(
    (transactions, signals) => insertBatch(app, kind, { transactions, signals }),
    {
      maxBatch: MAX_BATCH,
      maxWaiting: app.config.maxInFlight,
      rounds: app.watchdog.over(`posting of ${kind.name}`, STANDSTILL_MS),
      observer: tracing && batchObserver(tracing, `post ${kind.name}`),
    },
  )
  return async (transaction: NewTransaction, signal: AbortSignal): Promise<TransactionRow> => {
    const facts = currentFacts()
    facts?.database.begin()
    try {
      const trace = facts?.trace
      const traced = trace === undefined ? transaction : { ...transaction, trace }
      const posted = await batcher.add(traced, signal)
      if (posted instanceof Error) throw posted
      if (facts) facts.transactionId = posted.id
      return posted
    } finally {
      facts?.database.end()
    }
  }
}
