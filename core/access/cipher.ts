/** Encryption of secrets that must be readable again: callback tokens, signing keys, webhook secrets (AES-256-GCM). */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { MEMORY } from '../data/db.ts'
import { SetupError } from '../errors/catalogue.ts'

/** Encrypts and authenticates text that is stored in the database. */
export interface Cipher {
  encrypt(text: string): string
  /** @throws CipherError when the text was made with another key, or was changed since. */
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
const KEY_BYTES = 32
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

/** Makes a cipher with a key of 32 bytes. Equal texts give different results, since each takes a new nonce. */
export function createCipher(key: Buffer): Cipher {
  if (key.length !== KEY_BYTES) throw new RangeError(`a key has ${KEY_BYTES} bytes, not ${key.length}`)
  // Made once: preparing the bytes each time costs five times what encrypting a token does.
  const secret = createSecretKey(key)
  const decrypt = (text: string) => {
    if (!text.startsWith(PREFIX)) throw new CipherError()
    try {
      return open(secret, text)
    } catch (cause) {
      throw new CipherError(cause)
    }
  }
  return { encrypt: text => seal(secret, text), decrypt }
}

/** Writes to the disk before the key is used: all data encrypted with a key are lost if a power cut loses it. */
const writeDurably = (file: string, text: string) => {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Links the file into place: never half of one, and never over the key of a faster process. */
const keepNew = (file: string) => {
  const part = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeDurably(part, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
    linkSync(part, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(part, { force: true })
  }
}

const readKey = (file: string): Buffer => {
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
  if (key.length === KEY_BYTES) return key
  throw new SetupError(
    `${file} must hold ${KEY_BYTES} bytes in base64, not ${key.length}; restore it from a backup`,
  )
}

/**
 * Loads the 32 bytes that encrypt secrets at rest: `SECRETS_KEY`; without it `<DATA_DIR>/secrets.key` (mode 0600), made
 * on first use; for a database in memory, a key that is not stored either.
 */
export function loadEncryptionKey({ secretsKey, dataDir }: Pick<Config, 'secretsKey' | 'dataDir'>): Buffer {
  if (secretsKey !== undefined) return Buffer.from(secretsKey, 'base64')
  if (dataDir === MEMORY) return randomBytes(KEY_BYTES)
  const file = join(dataDir, 'secrets.key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(file)) keepNew(file)
  return readKey(file)
}
