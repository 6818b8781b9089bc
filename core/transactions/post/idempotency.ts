/**
 * Idempotency: a transaction that was posted before under the same `clientCorrelatorId` is not posted again, and its
 * sender is referred to the first.
 */
import type { Platform } from '#core/context/app.ts'
import { batchedLookup } from '#core/data/batched-lookup.ts'
import { Prisma, type Reader } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import { invalid, ServiceError } from '#core/errors/catalogue.ts'
import { type TransactionKind, tableOf } from '../kind.ts'
import { fieldOf, type NewTransaction } from './validate.ts'

/** The fields that identify a request of a client. */
type Correlated = Pick<NewTransaction, 'clientId' | 'clientCorrelatorId'>

/** The key of `readCorrelators`. */
export const correlatorKey = ({ clientId, clientCorrelatorId }: Correlated): string =>
  JSON.stringify([clientId, clientCorrelatorId])

/** The ids of the transactions that were posted already, by `correlatorKey`. */
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
    FROM ${valuesTable(given, Prisma.sql`"clientId" text, "clientCorrelatorId" text`)} sent
    JOIN ${tableOf(kind)} t ON t.client_id = sent."clientId" AND t.client_correlator_id = sent."clientCorrelatorId"`
  return new Map(rows.map(row => [correlatorKey(row), row.id]))
}

/**
 * The refusal of a second request: 400 naming the first transaction, in the message, in `Location` where it can be read
 * by REST, and in the graph as `extensions.existingId`.
 */
export const alreadyPosted = (
  kind: TransactionKind,
  correlator: string,
  existingId: string,
): ServiceError => {
  const field = fieldOf(kind.bodyPath, 'clientCorrelatorId')
  return invalid(`${field} ${correlator} already exists on the server: it is ${kind.idField} ${existingId}`, {
    headers: kind.path ? { location: `${kind.path}/${existingId}` } : undefined,
    field,
    reason: 'DUPLICATE_CORRELATOR',
    extensions: { existingId },
  })
}

const correlatorIn = ({ bodyPath }: TransactionKind, request: unknown): string | undefined => {
  const fields = request as Record<string, unknown>
  const group = (bodyPath ? fields[bodyPath] : fields) as { clientCorrelatorId?: string }
  return group.clientCorrelatorId
}

/** A request, and the function that posts it. */
type Post = <T>(clientId: string, request: unknown, post: () => Promise<T>) => Promise<T>

/**
 * Makes the function that posts a request and, where a rule refuses it, looks whether it was posted before: then its
 * client is told so, since what was valid at first may have become invalid. A request that passes the rules costs no
 * look-up: whether it was posted before is decided under the sequence's lock, before its limits.
 */
export function createIdempotency(app: Platform, kind: TransactionKind): Post {
  const findFirst = batchedLookup(async (sent: readonly Correlated[]) => {
    const known = await readCorrelators(app.reader, kind, sent)
    return sent.map(one => known.get(correlatorKey(one)))
  })

  return async (clientId, request, post) => {
    try {
      return await post()
    } catch (error) {
      // After a failure of the server the same request may succeed: it is reported as it is.
      const isRefusal = error instanceof ServiceError && error.status < 500
      const clientCorrelatorId = correlatorIn(kind, request)
      if (!isRefusal || error.extensions['existingId'] !== undefined || !clientCorrelatorId) throw error
      const first = await findFirst({ clientId, clientCorrelatorId })
      throw first === undefined ? error : alreadyPosted(kind, clientCorrelatorId, first)
    }
  }
}
