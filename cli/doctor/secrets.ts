/** Check that SECRETS_KEY reads what is encrypted in the database. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Cipher } from '#core/access/cipher.ts'
import { loadCipher } from '#core/access/encryption-keys.ts'
import { checkEncryptionKey, unreadableClients } from '#core/access/key-check.ts'
import { countUnreadableWebhookKeys } from '#core/access/webhook-keys.ts'
import type { Config } from '#core/config/config.ts'
import type { Database } from '#core/data/db.ts'
import { SetupError } from '#core/errors/catalogue.ts'
import { countUnreadableTokens } from '#core/webhooks/deliveries.ts'
import { type Finding, found } from './finding.ts'

const KEY = 'SECRETS_KEY'
const SECRETS = 'secrets'

const MAX_NAMED = 5

const named = (ids: readonly string[]) =>
  `${ids.slice(0, MAX_NAMED).join(', ')}${ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : ''}`

/** Secrets of single rows, of which the key may fail to read some although it is the right one for the rest. */
const checkRows = async ({ db }: Database, cipher: Cipher): Promise<Finding[]> => {
  const clients = await unreadableClients(db, cipher)
  const tokens = await countUnreadableTokens(db, cipher)
  const keys = await countUnreadableWebhookKeys(db, cipher)
  const unreadable = [
    ...(keys > 0
      ? [
          found.degraded(
            SECRETS,
            `${keys} key(s) that sign webhooks were encrypted with another key, and sign nothing: make a new one with npm run cli -- keys rotate --webhooks.`,
          ),
        ]
      : []),
    ...(clients.length > 0
      ? [
          found.degraded(
            SECRETS,
            `Webhooks of ${named(clients)} cannot be signed, since their secrets were encrypted with another key: give new ones with npm run cli -- clients rotate-webhook-secret.`,
          ),
        ]
      : []),
    ...(tokens > 0
      ? [
          found.degraded(
            SECRETS,
            `${tokens} waiting webhook(s) cannot be sent, since their callback tokens were encrypted with another key: start with the key they had, or have their partners post anew.`,
          ),
        ]
      : []),
  ]
  return unreadable.length > 0 ? unreadable : [found.well(SECRETS, 'Every kept secret can be read.')]
}

/** Checks the key. The file of an embedded database's key is not made here. */
export async function checkSecrets(database: Database, config: Config): Promise<readonly Finding[]> {
  const file = join(config.dataDir, 'secrets.key')
  if (config.secretsKey === undefined && !existsSync(file)) {
    const key = await database.db.signingKey.count()
    return key === 0
      ? [found.unchecked(KEY, `There is no key in ${file} yet: the first start makes it.`)]
      : [
          found.broken(
            KEY,
            `${file} is missing, so that no server reads the secrets of this database: restore it from a backup, or set SECRETS_KEY as it was.`,
          ),
        ]
  }
  const cipher = loadCipher(config)
  try {
    await checkEncryptionKey(database.db, cipher)
  } catch (error) {
    if (error instanceof SetupError) return [found.broken(KEY, `${error.message}.`)]
    throw error
  }
  return [found.well(KEY, 'SECRETS_KEY reads what is encrypted.'), ...(await checkRows(database, cipher))]
}
