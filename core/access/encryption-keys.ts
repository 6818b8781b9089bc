/**
 * Keys that encrypt secrets at rest: `SECRETS_KEY` with those of `SECRETS_KEY_ALSO`, or the files of an embedded database.
 * While the key is being changed there are two: one encrypts, both decrypt.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { MEMORY } from '../data/db.ts'
import { SetupError } from '../errors/catalogue.ts'
import { type Cipher, createCipher, KEY_BYTES } from './cipher.ts'

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

/** Keys of 32 bytes: the one that encrypts, and further ones that decrypt. */
export interface EncryptionKeys {
  readonly key: Buffer
  readonly others: readonly Buffer[]
}

type KeySettings = Pick<Config, 'secretsKey' | 'secretsKeysAlso' | 'dataDir'>

const keyFile = (dataDir: string) => join(dataDir, 'secrets.key')
const nextKeyFile = (dataDir: string) => join(dataDir, 'secrets.key.next')

/**
 * Loads the keys: `SECRETS_KEY` and `SECRETS_KEY_ALSO`; without them `<DATA_DIR>/secrets.key` (mode 0600), made on first
 * use, and the one that a change of the key has begun to use; for a database in memory, a key that is not stored either.
 */
export function loadEncryptionKeys({ secretsKey, secretsKeysAlso, dataDir }: KeySettings): EncryptionKeys {
  const others = secretsKeysAlso.map(text => Buffer.from(text, 'base64'))
  if (secretsKey !== undefined) return { key: Buffer.from(secretsKey, 'base64'), others }
  if (dataDir === MEMORY) return { key: randomBytes(KEY_BYTES), others }
  const [file, next] = [keyFile(dataDir), nextKeyFile(dataDir)]
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(file)) keepNew(file)
  return { key: readKey(file), others: [...(existsSync(next) ? [readKey(next)] : []), ...others] }
}

/** Makes the cipher of the configured keys. */
export const loadCipher = (settings: KeySettings): Cipher => {
  const { key, others } = loadEncryptionKeys(settings)
  return createCipher(key, others)
}

/** Change of the key in files: `finish` puts the new one in the old one's place, and keeps the old one for older backups. */
interface KeyChange extends EncryptionKeys {
  finish(): void
}

/** Keeps the old key beside the new one, by the time of the change: backups that were made before need it. */
const replaceKey = (file: string, next: string): void => {
  linkSync(file, `${file}.until-${new Date().toISOString().replaceAll(':', '')}`)
  renameSync(next, file)
}

/**
 * Begins to change the key of an embedded database's folder, or goes on where a change was stopped. The new key is on the
 * disk before it encrypts anything.
 */
export function changeKeyFile({ dataDir }: Pick<Config, 'dataDir'>): KeyChange {
  const [file, next] = [keyFile(dataDir), nextKeyFile(dataDir)]
  if (!existsSync(next)) keepNew(next)
  return { key: readKey(next), others: [readKey(file)], finish: () => replaceKey(file, next) }
}

/** Puts a key into a new database's folder. @throws SetupError where another one is there. */
export function placeKeyFile(dataDir: string, key: Buffer): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = keyFile(dataDir)
  if (!existsSync(file)) writeDurably(file, `${key.toString('base64')}\n`)
  if (!readKey(file).equals(key)) throw new SetupError(`${file} is another key: name another folder`)
}
