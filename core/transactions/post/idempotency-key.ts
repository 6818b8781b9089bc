/**
 * Idempotency keys: a client may give a request a key of its own, and a repetition gets the first response again. A key
 * is kept in its transaction's schema and committed with it, for as long: what was posted is repeated, never posted twice,
 * and a request that was refused leaves its key free.
 */
import { createHash } from 'node:crypto'
import type { App } from '#core/context/app.ts'
import { batchedLookup } from '#core/data/batched-lookup.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import { invalid, invalidField, KEY_REUSED_STATUS, ServiceError } from '#core/errors/catalogue.ts'
import { withoutSecrets } from '#core/values/card.ts'
import { COLUMNS } from '../columns.ts'
import { type TransactionKind, type TransactionRow, tableOf } from '../kind.ts'

/** A key of a client, as a text by which it is found in a map. */
export const keyName = (clientId: string, key: string): string => JSON.stringify([clientId, key])

/** The key of a request, and the digest of what it asks for. */
export interface IdempotencyKey {
  readonly key: string
  readonly digest: string
}

const MAX_LENGTH = 255
const VISIBLE = /^[\x21-\x7e]{1,255}$/

/**
 * Checks a key.
 * @param field the header or argument that has it.
 * @throws ServiceError INVALID_ARGUMENT unless it has 1 to 255 visible ASCII characters.
 */
export const checkIdempotencyKey = (field: string, key: string): void => {
  if (!VISIBLE.test(key))
    throw invalidField(
      field,
      'BAD_FORMAT',
      `must be 1 to ${MAX_LENGTH} visible ASCII characters, without spaces`,
      {
        limit: { min: 1, max: MAX_LENGTH },
      },
    )
}

/** The table of a kind's keys as SQL. */
const keysOf = ({ schema }: TransactionKind): Prisma.Sql => Prisma.raw(`"${schema}"."idempotency_key"`)

/** An instant in one spelling: the graph writes it in another than REST may have sent. */
const asInstant = (name: string, value: unknown): unknown => {
  const instant = name === 'expiryTime' && typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(instant) ? value : instant
}

/** The part of a body that is compared: members in one order, without what is never kept of a card, and without the callback's token. */
const comparable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const { notificationAuthToken: _, ...kept } = withoutSecrets(value as Record<string, unknown>)
  const members = Object.entries(kept).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(asInstant(name, member))]))
}

/** Digest of a request. The transaction's id is part of it, so that equal digests tell nothing of equal requests. */
export const digestOf = (transactionId: string, request: unknown): string =>
  createHash('sha256')
    .update(transactionId)
    .update(JSON.stringify(comparable(request)))
    .digest('base64url')

/** A key that was taken by a request of which the response is on its way: thrown under the sequence's lock. */
export class KeyTaken extends ServiceError {
  constructor() {
    super(
      'SERVICE_UNAVAILABLE',
      'A request with the same idempotency key is being answered; try again shortly',
      {
        headers: { 'retry-after': '1' },
      },
    )
  }
}

/** The client and the key of a transaction, if it has one. */
interface Keyed {
  readonly clientId: string
  readonly idempotency?: IdempotencyKey | undefined
}

const namesOf = (transactions: readonly Keyed[]) =>
  transactions.flatMap(({ clientId, idempotency }) =>
    idempotency ? [{ clientId, key: idempotency.key }] : [],
  )

/** The keys among these that are taken already, as `keyName` writes them. */
export async function readTakenKeys(
  db: Statements,
  kind: TransactionKind,
  transactions: readonly Keyed[],
): Promise<Set<string>> {
  const given = namesOf(transactions)
  if (given.length === 0) return new Set()
  const rows = await db.$queryRaw<{ clientId: string; key: string }[]>`
    SELECT sent."clientId", sent.key FROM ${valuesTable(given, Prisma.sql`"clientId" text, key text`)} sent
    JOIN ${keysOf(kind)} k ON k.client_id = sent."clientId" AND k.key = sent.key`
  return new Set(rows.map(({ clientId, key }) => keyName(clientId, key)))
}

/** The part of the statement that writes transactions which writes their keys; empty where none has one. */
export const insertKeys = (
  kind: TransactionKind,
  transactions: readonly (Keyed & { readonly id: string })[],
): Prisma.Sql => {
  const rows = transactions.flatMap(({ id, clientId, idempotency }) =>
    idempotency ? [{ id, clientId, ...idempotency }] : [],
  )
  if (rows.length === 0) return Prisma.empty
  return Prisma.sql`, keyed AS (
    INSERT INTO ${keysOf(kind)} (client_id, key, transaction_id, digest)
    SELECT k."clientId", k.key, k.id, k.digest
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS k (id uuid, "clientId" text, key text, digest text))`
}

/** The first transaction of a key, with the digest of its request. */
interface First extends TransactionRow<never> {
  readonly digest: string
}

type Name = Readonly<Record<'clientId' | 'key', string>>

const readFirst = async (db: Statements, kind: TransactionKind, names: readonly Name[]) => {
  const rows = await db.$queryRaw<(First & { readonly key: string })[]>`
    SELECT ${COLUMNS}, k.key, k.digest
    FROM ${valuesTable(names, Prisma.sql`"clientId" text, key text`)} sent
    JOIN ${keysOf(kind)} k ON k.client_id = sent."clientId" AND k.key = sent.key
    JOIN ${tableOf(kind)} t ON t.id = k.transaction_id`
  const found = new Map(rows.map(row => [keyName(row.clientId, row.key), row]))
  return names.map(({ clientId, key }) => found.get(keyName(clientId, key)))
}

const reused = (kind: TransactionKind, { id }: First, field: string) =>
  invalid(
    `${field} was used for another request, which posted ${kind.idField} ${id}: use a new key, or send that request again`,
    {
      status: KEY_REUSED_STATUS,
      field,
      reason: 'IDEMPOTENCY_KEY_REUSED',
      extensions: { existingId: id },
    },
  )

const tokenOf = (request: unknown): string | undefined =>
  (request as { webhook?: { notificationAuthToken?: string } }).webhook?.notificationAuthToken || undefined

/** Whether the callback's token is the same; one that cannot be read any more is taken for the same. */
const hasSameToken = (
  { access }: Pick<App, 'access'>,
  { webhookToken }: First,
  request: unknown,
): boolean => {
  const sent = tokenOf(request)
  if (webhookToken === null) return sent === undefined
  try {
    return access.cipher.decrypt(webhookToken) === sent
  } catch {
    return true
  }
}

/** A request with a key. */
export interface KeyedRequest {
  readonly clientId: string
  readonly key: string
  readonly request: unknown
  /** The header or argument that has the key. */
  readonly field: string
}

/**
 * Makes the function that finds the transaction which an earlier request with the same key has posted, as it was then.
 * It resolves with undefined where the key is free.
 * @throws ServiceError INVALID_ARGUMENT (422) where that was another request.
 */
export const createReplay = <Body>(
  app: App,
  kind: TransactionKind,
): ((keyed: KeyedRequest) => Promise<TransactionRow<Body> | undefined>) => {
  const find = batchedLookup((names: readonly Name[]) => readFirst(app.db, kind, names))
  return async ({ clientId, key, request, field }) => {
    const first = await find({ clientId, key })
    if (!first) return undefined
    if (first.digest !== digestOf(first.id, request) || !hasSameToken(app, first, request))
      throw reused(kind, first, field)
    return { ...first, status: kind.initial, completedAt: null, reason: null }
  }
}
