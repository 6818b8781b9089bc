/** Opens the configured database for one administration command, and closes it after. */
import { createCipher, loadEncryptionKey } from '#core/access/cipher.ts'
import { type Clients, createClients } from '#core/access/clients.ts'
import { claimEncryptionKey } from '#core/access/key-check.ts'
import { createWebhookSecrets, type WebhookSecrets } from '#core/access/webhook-secrets.ts'
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
