/** The secrets of a client: the newest, and after a rotation with an overlap the one before, until its end. */
import type { ClientRecord } from './clients.ts'
import { verifySecret } from './secret-hash.ts'

type Secrets = Pick<ClientRecord, 'id' | 'secretHash' | 'previousSecretHash' | 'previousSecretEnds'>

const previousHash = ({ previousSecretHash, previousSecretEnds }: Secrets, now: number) =>
  previousSecretEnds && previousSecretEnds.getTime() > now ? previousSecretHash : null

/**
 * Whether it is one of the client's, in a time that tells nothing. Too many at once: SERVICE_UNAVAILABLE.
 * @param now milliseconds since 1970.
 */
export async function isSecretOf(client: Secrets, secret: string, now: number): Promise<boolean> {
  if (await verifySecret(secret, client.secretHash, client.id)) return true
  const previous = previousHash(client, now)
  return previous ? verifySecret(secret, previous, client.id) : false
}
