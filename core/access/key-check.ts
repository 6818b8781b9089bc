/** Check that the encryption key is the one that the database was encrypted with. */
import type { Db } from '../data/db.ts'
import { SetupError } from '../errors/catalogue.ts'
import { type Cipher, CipherError } from './cipher.ts'
import { readSigningKeys } from './signing-keys.ts'

/** Largest number of clients that are checked. A longer list of faults would not help an operator. */
const MAX_CLIENTS = 10_000

const wrongKey = (what: string) =>
  new SetupError(
    `SECRETS_KEY is not the one that this database was encrypted with: ${what} cannot be read. Start with the key it had before`,
  )

/** Tells whether the cipher can read an encrypted text. */
export const canRead = (cipher: Cipher, text: string): boolean => {
  try {
    cipher.decrypt(text)
    return true
  } catch (error) {
    if (error instanceof CipherError) return false
    throw error
  }
}

const clientSecrets = (db: Db) =>
  db.client.findMany({
    where: { webhookSecrets: { isEmpty: false } },
    select: { id: true, webhookSecrets: true },
    orderBy: { id: 'asc' },
    take: MAX_CLIENTS,
  })

/** Finds the ids of clients whose webhooks cannot be signed, since one of their secrets cannot be read. */
export async function unreadableClients(db: Db, cipher: Cipher): Promise<string[]> {
  const clients = await clientSecrets(db)
  return clients
    .filter(({ webhookSecrets }) => !webhookSecrets.every(text => canRead(cipher, text)))
    .map(({ id }) => id)
}

/** Checks the key by webhook secrets where there is no signing key: a right key reads at least one of them. */
const checkByClients = async (db: Db, cipher: Cipher) => {
  const secrets = (await clientSecrets(db)).flatMap(({ webhookSecrets }) => webhookSecrets)
  if (secrets.length > 0 && !secrets.some(text => canRead(cipher, text)))
    throw wrongKey('the webhook secrets of its clients')
}

/**
 * Checks that this key reads the secrets that are stored. The newest signing key decides.
 * @throws SetupError where they were encrypted with another key.
 */
export async function checkEncryptionKey(db: Db, cipher: Cipher): Promise<void> {
  const key = await db.signingKey.findFirst({ orderBy: [{ createdAt: 'desc' }, { kid: 'asc' }] })
  if (!key) return checkByClients(db, cipher)
  if (!canRead(cipher, key.privateJwk)) throw wrongKey('its signing key')
}

/**
 * Checks the key before a secret is encrypted. In a database without encrypted values it makes a signing key, which
 * identifies this encryption key from then on.
 */
export async function claimEncryptionKey(db: Db, cipher: Cipher): Promise<void> {
  await checkEncryptionKey(db, cipher)
  await readSigningKeys(db, cipher)
}
