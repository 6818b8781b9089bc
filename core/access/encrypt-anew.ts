/**
 * Change of `SECRETS_KEY` in the database: what another key encrypted is encrypted with the new one, in batches that take no
 * lock for longer than a moment. A change that was stopped goes on where it is begun again: rows with the new key are passed
 * over.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Db, Statements } from '../data/db.ts'
import { SetupError } from '../errors/catalogue.ts'
import { type Cipher, createCipher } from './cipher.ts'
import {
  batchesOf,
  countEncryptedRows,
  type EncryptedPlace,
  type EncryptedRow,
  findEncryptedPlaces,
  replaceEncrypted,
} from './encrypted-places.ts'
import type { EncryptionKeys } from './encryption-keys.ts'
import { canRead } from './key-check.ts'

/** Number of encrypted values in one place, by the key that reads them. */
export interface KeyUse {
  /** Table, as `schema.table`. */
  readonly place: string
  /** Number that the key that encrypts reads. */
  current: number
  /** Number that a further key reads, still to be changed. */
  other: number
  /** Number that no key reads. */
  unreadable: number
}

/** Passes over all rows, each of which finds only what changed, or was held, meanwhile. */
const MAX_PASSES = 10
/** Rest before the second pass in milliseconds, so that who holds a row may end; each later one is longer by as much. */
const REST_MS = 50

interface Ciphers {
  /** The key that encrypts, alone. */
  readonly current: Cipher
  /** All keys. */
  readonly all: Cipher
}

const ciphersOf = ({ key, others }: EncryptionKeys): Ciphers => ({
  current: createCipher(key),
  all: createCipher(key, others),
})

const classify = ({ current, all }: Ciphers, text: string): keyof Omit<KeyUse, 'place'> =>
  canRead(current, text) ? 'current' : canRead(all, text) ? 'other' : 'unreadable'

/** Goes over all encrypted values once. @param onRows is given the rows that have texts of another key. */
const pass = async (
  db: Statements,
  ciphers: Ciphers,
  onRows: (place: EncryptedPlace, rows: readonly EncryptedRow[]) => Promise<void>,
  onSeen: (rows: number) => void,
): Promise<KeyUse[]> => {
  const uses: KeyUse[] = []
  for (const place of await findEncryptedPlaces(db)) {
    const use: KeyUse = { place: place.name, current: 0, other: 0, unreadable: 0 }
    uses.push(use)
    for await (const rows of batchesOf(db, place)) {
      const found = rows.map(row => row.texts.map(text => classify(ciphers, text)))
      for (const kind of found.flat()) use[kind]++
      const old = rows.filter((_, index) => found[index]!.includes('other'))
      if (old.length > 0) await onRows(place, old)
      onSeen(rows.length)
    }
  }
  return uses
}

/** Counts encrypted values by the key that reads them. */
export const countKeyUse = (db: Db, keys: EncryptionKeys): Promise<KeyUse[]> =>
  pass(
    db,
    ciphersOf(keys),
    async () => undefined,
    () => undefined,
  )

export interface EncryptedAnew {
  /** Rows that were changed. */
  readonly changed: number
  /** Counts of the last pass over all values, in which nothing was left to change. */
  readonly uses: readonly KeyUse[]
}

const STILL_WRITTEN =
  'A server still encrypts with the other key: start all of them with the new SECRETS_KEY and the other in SECRETS_KEY_ALSO, then repeat this'

const heldText = (held: readonly EncryptedPlace[]): string =>
  `All else is done, but other sessions hold ${held.length} row(s) of ${[...new Set(held.map(({ name }) => name))].join(', ')}: ` +
  'end those (pg_locks and pg_stat_activity name them), then repeat this'

/** Rows of one pass that the other key encrypted. */
class Found {
  /** Places of the rows that were left since something held them, by place and key. */
  readonly held = new Map<string, EncryptedPlace>()
  /** Number of rows that were written since the pass before. */
  written = 0

  add(place: EncryptedPlace, keys: readonly string[], changed: readonly string[], before: Found): void {
    const done = new Set(changed)
    for (const key of keys) {
      const id = `${place.name} ${key}`
      if (!before.held.has(id)) this.written++
      if (!done.has(key)) this.held.set(id, place)
    }
  }
}

/**
 * Encrypts all that another of the keys encrypted with the first, and looks at every value again until none is left.
 * @param onProgress is given rows looked at and their number, again from 0 for each pass.
 * @param restMs rest before the second pass in milliseconds; each later one is longer by as much.
 * @throws SetupError where processes go on encrypting with another key, or hold rows all the time.
 */
export async function encryptAnew(
  db: Db,
  keys: EncryptionKeys,
  onProgress: (done: number, total: number) => void = () => undefined,
  restMs = REST_MS,
): Promise<EncryptedAnew> {
  const ciphers = ciphersOf(keys)
  const renew = (text: string) =>
    classify(ciphers, text) === 'other' ? ciphers.current.encrypt(ciphers.all.decrypt(text)) : text
  let changed = 0
  let before = new Found()
  /** Whether the last pass changed all that it found, none of which was written after the one before. */
  const isOver = () => before.written === 0 && before.held.size === 0
  for (let passes = 0; passes < MAX_PASSES || isOver(); passes++) {
    if (before.held.size > 0) await delay(passes * restMs)
    const total = await countEncryptedRows(db)
    const found = new Found()
    let done = 0
    const uses = await pass(
      db,
      ciphers,
      async (place, rows) => {
        const changes = rows.map(({ key, texts }) => ({ key, before: texts, after: texts.map(renew) }))
        const written = await replaceEncrypted(db, place, changes)
        changed += written.length
        found.add(
          place,
          rows.map(({ key }) => key),
          written,
          before,
        )
      },
      rows => {
        done += rows
        onProgress(done, total)
      },
    )
    if (uses.every(({ other }) => other === 0)) return { changed, uses }
    before = found
  }
  throw new SetupError(before.written > 0 ? STILL_WRITTEN : heldText([...before.held.values()]))
}
