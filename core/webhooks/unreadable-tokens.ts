/** Callback tokens of pending deliveries that the encryption key does not read. */
import type { Cipher } from '../access/cipher.ts'
import { canRead } from '../access/key-check.ts'
import type { PrismaClient } from '../data/db.ts'

/** So many are tried; beyond, the number is a least one. */
export const MAX_TOKENS_TRIED = 1_000

/** How many there are among `MAX_TOKENS_TRIED` pending deliveries with a token. */
export async function countUnreadableTokens(prisma: PrismaClient, cipher: Cipher): Promise<number> {
  const rows = await prisma.$queryRaw<{ token: string }[]>`
    SELECT token FROM events.delivery WHERE status = 'PENDING' AND token IS NOT NULL LIMIT ${MAX_TOKENS_TRIED}`
  return rows.filter(({ token }) => !canRead(cipher, token)).length
}
