/** A repeat is told before any rule: what was valid when it was first sent may have become invalid since. */
import type { App } from '../context/app.ts'
import { batchedLookup } from '../data/batched-lookup.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { correlatorKey } from './check-posting.ts'
import type { TransactionKind } from './kind.ts'
import { type Correlated, readCorrelators } from './load-conflicts.ts'
import { isRepeat, repeatOf } from './repeat.ts'

/** The client's fault. A fault of ours is told as it is: the same request may succeed when it is sent again. */
const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status < 500

const correlatorIn = ({ bodyPath }: TransactionKind, request: unknown): string | undefined => {
  const fields = request as Record<string, unknown>
  const group = (bodyPath ? fields[bodyPath] : fields) as { clientCorrelatorId?: string }
  return group.clientCorrelatorId
}

/**
 * Makes the function that posts a request, and where a rule refuses it looks whether it was posted before: then that
 * is what its client is told. What passes the rules costs no look-up, since whether it is a repeat is decided under the
 * sequence's lock, before its limits.
 */
export function createRepeatRecogniser(app: App, kind: TransactionKind) {
  const findFirst = batchedLookup(async (sent: readonly Correlated[]) => {
    const known = await readCorrelators(app.reader, kind, sent)
    return sent.map(one => known.get(correlatorKey(one)))
  })

  return async <T>(clientId: string, request: unknown, post: () => Promise<T>): Promise<T> => {
    try {
      return await post()
    } catch (error) {
      const clientCorrelatorId = correlatorIn(kind, request)
      if (!isRefusal(error) || isRepeat(error) || !clientCorrelatorId) throw error
      const first = await findFirst({ clientId, clientCorrelatorId })
      throw first === undefined ? error : repeatOf(kind, clientCorrelatorId, first)
    }
  }
}
