/** Says at start which rows the encryption key does not read, which would otherwise show at the first webhook. */
import type { Access } from './access/access.ts'
import { unreadableClients } from './access/key-check.ts'
import type { PrismaClient } from './data/db.ts'
import type { Logger } from './observability/log.ts'
import { countUnreadableTokens } from './webhooks/deliveries.ts'

const MAX_NAMED = 20

/** One warning, if there is anything to warn of. */
export async function warnOfUnreadable(
  prisma: PrismaClient,
  { cipher }: Pick<Access, 'cipher'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const clients = await unreadableClients(prisma, cipher)
  const callbackTokens = await countUnreadableTokens(prisma, cipher)
  if (clients.length === 0 && callbackTokens === 0) return
  log.warn(
    { clients: clients.slice(0, MAX_NAMED), clientCount: clients.length, callbackTokens },
    'encrypted with another SECRETS_KEY: webhooks of these clients cannot be signed until `clients rotate-webhook-secret`, ' +
      'and pending deliveries with these callback tokens cannot be sent',
  )
}
