/** The encryption key: `SECRETS_KEY`, or a file made once beside the embedded database. */
import { randomBytes } from 'node:crypto'
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
import { SetupError } from '../errors/setup-error.ts'

const KEY_BYTES = 32

const newKey = () => randomBytes(KEY_BYTES)

/** On the disk before it is used: a key lost in a power cut takes everything that was encrypted with it along. */
const writeDurably = (file: string, text: string) => {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Linked into place: never half a file, and never over the key of a process that was quicker. */
const keepNew = (file: string) => {
  const part = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeDurably(part, `${newKey().toString('base64')}\n`)
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
 * The 32 bytes that encrypt secrets at rest: `SECRETS_KEY`; without it `<DATA_DIR>/secrets.key` (mode 0600), made
 * on first use; for a database that keeps nothing, a key that is not kept either.
 */
export function loadEncryptionKey({ secretsKey, dataDir }: Pick<Config, 'secretsKey' | 'dataDir'>): Buffer {
  if (secretsKey !== undefined) return Buffer.from(secretsKey, 'base64')
  if (dataDir === MEMORY) return newKey()
  const file = join(dataDir, 'secrets.key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(file)) keepNew(file)
  return readKey(file)
}
