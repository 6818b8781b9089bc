/** Encryption of secrets that must be readable again: callback tokens, signing keys, webhook secrets (AES-256-GCM). */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

/** Encrypts and authenticates text that is stored in the database. */
export interface Cipher {
  encrypt(text: string): string
  /**
   * Decrypts a text.
   * @throws CipherError when the text was made with another key, or was changed since.
   */
  decrypt(text: string): string
}

/** Thrown for a wrong key or a changed text, which authenticated encryption cannot tell apart. */
export class CipherError extends Error {
  constructor(cause?: unknown) {
    super(
      'An encrypted value cannot be read: SECRETS_KEY is not the one it was made with, or it was altered',
      { cause },
    )
    this.name = 'CipherError'
  }
}

const ALGORITHM = 'aes-256-gcm'
/** Bytes of a key. */
export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Version of the format, so that a later one can be distinguished. */
const PREFIX = 'v1.'

const seal = (key: KeyObject, text: string) => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(PREFIX),
  )
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

const open = (key: KeyObject, text: string) => {
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(PREFIX))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([opened, decipher.final()]).toString('utf8')
}

const toSecret = (key: Buffer): KeyObject => {
  if (key.length !== KEY_BYTES) throw new RangeError(`a key has ${KEY_BYTES} bytes, not ${key.length}`)
  // Made once: preparing the bytes each time costs five times what encrypting a token does.
  return createSecretKey(key)
}

/**
 * Makes a cipher with a key of 32 bytes. Equal texts give different results, since each takes a new nonce.
 * @param others further keys, which decrypt what was encrypted with them, while the key is being changed.
 */
export function createCipher(key: Buffer, others: readonly Buffer[] = []): Cipher {
  const secret = toSecret(key)
  const readers = [secret, ...others.map(toSecret)]
  const decrypt = (text: string) => {
    if (!text.startsWith(PREFIX)) throw new CipherError()
    let cause: unknown
    for (const reader of readers) {
      try {
        return open(reader, text)
      } catch (error) {
        cause = error
      }
    }
    throw new CipherError(cause)
  }
  return { encrypt: text => seal(secret, text), decrypt }
}
