/** Opens the configured database for one administration command, and closes it after. */

import { type Clients, createClients } from '#core/access/clients.ts'
import { loadCipher } from '#core/access/encryption-keys.ts'
import { claimEncryptionKey } from '#core/access/key-check.ts'
import { createWebhookSecrets, type WebhookSecrets } from '#core/access/webhook-secrets.ts'
import { administrator } from '#core/audit/acts.ts'
import { type Config, readConfig } from '#core/config/config.ts'
import { checkSchema, type Database, MEMORY, openDatabase } from '#core/data/db.ts'
import { SetupError } from '#core/errors/catalogue.ts'
import { seedDemo } from '#prisma/demo/seed.ts'

/**
 * Opens the database that the server would open, with the demo data that the server would put into an empty one.
 * @throws InUseError when another process has the embedded one; SetupError when there is nothing to administer.
 */
async function openForAdministration(config: Config): Promise<Database> {
  if (config.databaseUrl === undefined && config.dataDir === MEMORY) {
    throw new SetupError('DATA_DIR=memory: keeps nothing, so there is nothing to administer')
  }
  const database = await openDatabase(config)
  try {
    await checkSchema(database)
    if (!config.readOnly) await seedDemo(database, config)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Runs one command on the open database. */
export async function withDatabase<T>(run: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig()
  const database = await openForAdministration(config)
  try {
    return await run(database, config)
  } finally {
    await database.close()
  }
}

/**
 * Opens the webhook secrets: reads the encryption key, which a new database gets now, and checks it. Only commands that
 * encrypt call it.
 */
type OpenWebhookSecrets = () => Promise<WebhookSecrets>

/** Runs one command with the clients of the configured database. */
export const withClients = <T>(run: (clients: Clients, webhookSecrets: OpenWebhookSecrets) => Promise<T>) =>
  withDatabase(({ db }, config) => {
    const clients = createClients(db, { countryCode: config.countryCode, by: administrator() })
    return run(clients, async () => {
      const cipher = loadCipher(config)
      await claimEncryptionKey(db, cipher)
      return createWebhookSecrets(db, cipher, clients)
    })
  })
