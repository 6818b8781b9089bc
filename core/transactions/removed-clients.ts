/**
 * Clients that were removed while what they post was on its way. A client is removed under the locks of all sequences
 * (`cli/remove-client.ts`), and only one without transactions: so it is looked for under the lock of its first one alone.
 */
import { invalidToken } from '../access/claims.ts'
import type { Config } from '../config/config.ts'
import type { Statements } from '../data/db.ts'
import type { ClientSequences } from '../data/gapless-sequence.ts'

/** Whether there are clients that only the issuer of their tokens knows. */
const knowsAll = ({ jwksUrl, registeredOnly }: Config['auth']): boolean =>
  jwksUrl === undefined || registeredOnly

/** Those of the clients that there are no more; the caller holds the lock of the sequence. */
export async function readRemoved(
  tx: Statements,
  { auth }: Pick<Config, 'auth'>,
  clientIds: readonly string[],
  { clients }: ClientSequences,
): Promise<ReadonlySet<string>> {
  const first = clientIds.filter(id => !clients.has(id))
  if (first.length === 0 || !knowsAll(auth)) return new Set()
  const known = await tx.$queryRaw<
    { id: string }[]
  >`SELECT id FROM access.client WHERE id = ANY (${first}::text[])`
  const ids = new Set(known.map(({ id }) => id))
  return new Set(first.filter(id => !ids.has(id)))
}

export const clientRemoved = () => invalidToken('The client is not known')
