/** Posts drafts: under the book's lock, a batch is decided on, numbered, written and committed together. */
import type { App } from '../app.ts'
import { type BookOfClients, holdBookOf } from '../data/book.ts'
import type { Transaction } from '../data/db.ts'
import { isRefusedInput } from '../data/failures.ts'
import { ServiceError } from '../errors.ts'
import { Batcher } from './batcher.ts'
import { type Draft, decide } from './decide.ts'
import { readFacts } from './facts.ts'
import { type TransactionKind, type TransactionRow, tableOf } from './kind.ts'

/** A draft's fate: its row, or why it was refused. */
export type Posted = TransactionRow | ServiceError

const MAX_BATCH = 256

const toRow = (
  kind: TransactionKind,
  draft: Draft,
  position: bigint,
  clientPosition: bigint,
  createdAt: Date,
) =>
  ({
    id: draft.id,
    position,
    clientId: draft.clientId,
    clientPosition,
    createdAt,
    clientCorrelatorId: draft.clientCorrelatorId ?? null,
    referenceCode: draft.referenceCode ?? null,
    status: kind.initial,
    completedAt: null,
    reason: null,
    accountNumber: draft.accountNumber ?? null,
    mobileNumber: draft.mobileNumber ?? null,
    currency: draft.currency ?? null,
    amount: draft.amount ?? null,
    points: draft.points ?? null,
    body: draft.body,
    webhookUrl: draft.webhookUrl ?? null,
    webhookToken: draft.webhookToken ?? null,
  }) as TransactionRow

/** Numbers what is accepted, overall and per client, from where the book stands. */
const number = (kind: TransactionKind, accepted: Draft[], book: BookOfClients): TransactionRow[] =>
  accepted.map((draft, index) => {
    const clientPosition = (book.clients.get(draft.clientId) ?? 0n) + 1n
    book.clients.set(draft.clientId, clientPosition)
    return toRow(kind, draft, book.position + BigInt(index) + 1n, clientPosition, book.now)
  })

/** JSON has no word for a bigint: it goes as text. Decimals and dates write themselves as text. */
const toJson = (rows: readonly TransactionRow[]) =>
  JSON.stringify(
    rows.map(row => ({ ...row, position: `${row.position}`, clientPosition: `${row.clientPosition}` })),
  )

/** One statement writes the rows and moves the book on, for all clients and for each. */
const write = (tx: Transaction, kind: TransactionKind, rows: TransactionRow[], book: BookOfClients) => {
  const books = [...book.clients, ['', book.position + BigInt(rows.length)] as const]
  return tx.$executeRaw`
    WITH written AS (
      INSERT INTO ${tableOf(kind)} (id, position, client_id, client_position, created_at, client_correlator_id,
        reference_code, status, account_number, mobile_number, currency, amount, points, body, webhook_url, webhook_token)
      SELECT id, position, "clientId", "clientPosition", "createdAt", "clientCorrelatorId", "referenceCode", status,
        "accountNumber", "mobileNumber", currency, amount, points, body, "webhookUrl", "webhookToken"
      FROM jsonb_to_recordset(${toJson(rows)}::jsonb) AS r (
        id uuid, position bigint, "clientId" text, "clientPosition" bigint, "createdAt" timestamptz,
        "clientCorrelatorId" text, "referenceCode" text, status text, "accountNumber" text, "mobileNumber" text,
        currency text, amount numeric, points numeric, body jsonb, "webhookUrl" text, "webhookToken" text))
    INSERT INTO books.book (name, client_id, position, written_at)
    SELECT ${kind.table}, client_id, position, ${book.now}::timestamptz
    FROM unnest(${books.map(([id]) => id)}::text[], ${books.map(([, at]) => at)}::bigint[]) AS b (client_id, position)
    ON CONFLICT (name, client_id) DO UPDATE SET position = excluded.position, written_at = excluded.written_at`
}

/** Decides on each draft; one whose request has timed out meanwhile is not written. */
const decideAll = async (app: App, tx: Transaction, kind: TransactionKind, batch: Batch, now: Date) => {
  const facts = await readFacts(tx, kind, batch.drafts, now, app.config.timezone)
  return batch.drafts.map((draft, index) =>
    batch.signals[index]!.aborted ? timedOut() : decide(kind, draft, facts),
  )
}

const timedOut = () =>
  new ServiceError('REQUEST_TIMEOUT_EXCEEDED', 'The request took too long; nothing was posted')

interface Batch {
  readonly drafts: Draft[]
  readonly signals: AbortSignal[]
}

const post = async (app: App, tx: Transaction, kind: TransactionKind, batch: Batch): Promise<Posted[]> => {
  const book = await holdBookOf(tx, kind.table, [...new Set(batch.drafts.map(draft => draft.clientId))])
  const refusals = await decideAll(app, tx, kind, batch, book.now)
  const accepted = batch.drafts.filter((_, index) => !refusals[index])
  if (accepted.length === 0) return refusals as ServiceError[]
  const rows = number(kind, accepted, book)
  await write(tx, kind, rows, book)
  const written = rows.values()
  return refusals.map(refusal => refusal ?? written.next().value!)
}

const postInTransaction = (app: App, kind: TransactionKind, batch: Batch): Promise<Posted[]> =>
  app.db.$transaction(tx => post(app, tx, kind, batch), {
    timeout: app.config.requestTimeoutMs,
    maxWait: app.config.requestTimeoutMs,
  })

/** One draft that the database cannot take must not refuse the others: they are then posted one by one. */
const postBatch = async (app: App, kind: TransactionKind, batch: Batch): Promise<Posted[]> => {
  try {
    return await postInTransaction(app, kind, batch)
  } catch (error) {
    if (batch.drafts.length === 1 || !isRefusedInput(error)) throw error
    const alone = batch.drafts.map((draft, i) => ({ drafts: [draft], signals: [batch.signals[i]!] }))
    const results: Posted[] = []
    for (const one of alone)
      results.push(...(await postInTransaction(app, kind, one).catch(failure => [failure])))
    return results
  }
}

/** Makes the function that posts drafts of a kind: it resolves once the draft is committed, or refused. */
export function createPoster(app: App, kind: TransactionKind) {
  const batcher = new Batcher<Draft, Posted>((drafts, signals) => postBatch(app, kind, { drafts, signals }), {
    maxBatch: MAX_BATCH,
    maxWaiting: app.config.maxInFlight,
  })
  return async (draft: Draft, signal: AbortSignal): Promise<TransactionRow> => {
    const posted = await batcher.add(draft, signal)
    if (posted instanceof Error) throw posted
    return posted
  }
}
