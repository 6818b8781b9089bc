/** The secrets that sign a client's webhooks: kept encrypted, the newest first, two while they are being changed. */
import { randomBytes } from 'node:crypto'
import type { PrismaClient } from '../data/db.ts'
import { notFound } from '../errors/catalogue.ts'
import type { Cipher } from './cipher.ts'
import type { Clients } from './clients.ts'

export interface WebhookSecrets {
  /** Those that sign at the moment, the newest first; none for a client without. */
  of(clientId: string): Promise<string[]>
  /** Gives a new one, shown this once; the one before signs along. Unknown: NOT_FOUND. */
  rotate(clientId: string): Promise<string>
  /** Ends the one before. Unknown: NOT_FOUND. */
  finishRotation(clientId: string): Promise<void>
}

/** The webhook secrets in this database. */
export function createWebhookSecrets(
  prisma: PrismaClient,
  cipher: Cipher,
  clients: Pick<Clients, 'find'>,
): WebhookSecrets {
  const change = (id: string, next: (kept: string[]) => string[]) =>
    prisma.$transaction(async tx => {
      const [client] = await tx.$queryRaw<{ kept: string[] | null }[]>`
        SELECT webhook_secrets AS kept FROM access.client WHERE id = ${id} FOR UPDATE`
      if (!client) throw notFound(`Client ${id}`)
      await tx.client.update({ where: { id }, data: { webhookSecrets: next(client.kept ?? []) } })
    })
  return {
    async of(clientId) {
      const kept = (await clients.find(clientId))?.webhookSecrets ?? []
      return kept.map(cipher.decrypt)
    },
    async rotate(clientId) {
      const secret = newWebhookSecret()
      await change(clientId, kept => [cipher.encrypt(secret), ...kept.slice(0, 1)])
      return secret
    },
    finishRotation: clientId => change(clientId, kept => kept.slice(0, 1)),
  }
}

export const WEBHOOK_SECRET_PREFIX = 'whsec_'

/** The specification asks for 24 to 64 bytes. */
const SECRET_BYTES = 32

/** A new signing secret, in the form that the specification's libraries take. */
export const newWebhookSecret = (): string =>
  WEBHOOK_SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
