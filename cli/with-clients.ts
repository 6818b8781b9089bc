/** The clients of the configured database, for one command. */
import { createCipher, loadEncryptionKey } from '#core/access/cipher.ts'
import { type Clients, createClients } from '#core/access/clients.ts'
import { claimEncryptionKey } from '#core/access/key-check.ts'
import { createWebhookSecrets, type WebhookSecrets } from '#core/access/webhook-secrets.ts'
import { withDatabase } from './open.ts'

/** The key is read, and on a new database made, only by those who encrypt; it is checked first. */
type OpenWebhookSecrets = () => Promise<WebhookSecrets>

/** Runs one command with them. */
export const withClients = <T>(run: (clients: Clients, webhookSecrets: OpenWebhookSecrets) => Promise<T>) =>
  withDatabase(({ prisma }, config) => {
    const clients = createClients(prisma, { countryCode: config.countryCode })
    return run(clients, async () => {
      const cipher = createCipher(loadEncryptionKey(config))
      await claimEncryptionKey(prisma, cipher)
      return createWebhookSecrets(prisma, cipher, clients)
    })
  })
