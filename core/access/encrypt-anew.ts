/**
 * Change of `SECRETS_KEY` in the database: what another key encrypted is encrypted with the new one, in batches that take no
 * lock for longer than a moment. A change that was stopped goes on where it is begun again: rows with the new key are passed
 * over.
 */
import { type Db, Prisma, type Statements } from '../data/db.ts'
import { type Cipher, createCipher } from './cipher.ts'
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

/** A column of encrypted texts. */
interface Place {
  readonly name: string
  readonly table: Prisma.Sql
  readonly key: Prisma.Sql
  /** Type of the key, by which it is compared. */
  readonly type: Prisma.Sql
  readonly column: Prisma.Sql
  /** Whether a row has several texts. */
  readonly isList?: boolean
  /**
   * Whether rows that something else holds are waited for. On Citus tables of `access` stand on every node, and nodes do not
   * agree on rows that are passed over.
   */
  readonly waits?: boolean
}

interface EncryptedRow {
  readonly key: string
  readonly texts: readonly string[]
}

const BATCH = 500
/** Passes over all rows, each of which finds only what changed meanwhile. */
const MAX_PASSES = 10

/** Columns of callback tokens: those of transactions are found by their name, so that a further service needs no line here. */
const findPlaces = async (db: Statements): Promise<Place[]> => {
  const tables = await db.$queryRaw<{ schema: string; table: string; column: string }[]>`
    SELECT table_schema::text AS schema, table_name::text AS table, column_name::text AS column
    FROM information_schema.columns
    WHERE column_name = 'webhook_token' OR (table_schema, table_name, column_name) = ('events', 'delivery', 'token')
    ORDER BY (table_name = 'delivery'), table_schema`
  const tokens = tables.map(({ schema, table, column }) => ({
    name: `${schema}.${table}`,
    table: Prisma.raw(`"${schema}"."${table}"`),
    key: Prisma.raw('id'),
    type: Prisma.raw('uuid'),
    column: Prisma.raw(column),
  }))
  const ofAccess = (table: string, key: string, column: string, isList = false): Place => ({
    name: `access.${table}`,
    table: Prisma.raw(`access.${table}`),
    key: Prisma.raw(key),
    type: Prisma.raw('text'),
    column: Prisma.raw(column),
    isList,
    waits: true,
  })
  const ofEndpoint = (column: string): Place => ({
    name: `events.registered_endpoint.${column}`,
    table: Prisma.raw('events.registered_endpoint'),
    key: Prisma.raw('id'),
    type: Prisma.raw('uuid'),
    column: Prisma.raw(column),
  })
  return [
    ...tokens,
    ofEndpoint('secret'),
    ofEndpoint('previous_secret'),
    ofAccess('client', 'id', 'webhook_secrets', true),
    ofAccess('webhook_key', 'kid', 'private_jwk'),
    // The last: a server with the new key alone does not start until all else has it.
    ofAccess('signing_key', 'kid', 'private_jwk'),
  ]
}

const readBatch = (db: Statements, { table, key, type, column, isList }: Place, after: string | undefined) =>
  db.$queryRaw<EncryptedRow[]>`
    SELECT t.${key}::text AS key, ${isList ? Prisma.sql`t.${column}` : Prisma.sql`ARRAY[t.${column}]`} AS texts
    FROM ${table} t WHERE ${isList ? Prisma.sql`cardinality(t.${column}) > 0` : Prisma.sql`t.${column} IS NOT NULL`}
      AND ${after === undefined ? Prisma.sql`TRUE` : Prisma.sql`t.${key} > ${after}::${type}`}
    ORDER BY t.${key} LIMIT ${BATCH}`

/** Reads all rows of a place in batches. */
async function* batchesOf(db: Statements, place: Place): AsyncGenerator<EncryptedRow[]> {
  let after: string | undefined
  for (;;) {
    const rows = await readBatch(db, place, after)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    after = rows.at(-1)!.key
  }
}

/** Character that no encrypted text has. */
const BETWEEN = '\n'

/**
 * Replaces texts where they are still as they were read. Rows that a request or a worker holds are left to the next pass, so
 * that neither waits for the other; those of `access` are few, and waited for.
 */
const replace = (
  db: Statements,
  { table, key, type, column, isList, waits }: Place,
  changes: readonly { key: string; before: readonly string[]; after: readonly string[] }[],
): Promise<number> => {
  const keys = changes.map(change => change.key)
  const olds = changes.map(({ before }) => before.join(BETWEEN))
  const news = changes.map(({ after }) => after.join(BETWEEN))
  // Immutable, since Citus takes nothing else beside columns of an update.
  const cell = (text: Prisma.Sql) => (isList ? Prisma.sql`string_to_array(${text}, ${BETWEEN}::text)` : text)
  const held = Prisma.sql`t.${column} = ${cell(Prisma.sql`v.before`)}`
  const value = cell(Prisma.sql`v.after`)
  const given = Prisma.sql`unnest(${keys}::text[], ${olds}::text[], ${news}::text[]) AS v (key, before, after)`
  if (waits)
    return db.$executeRaw`
      UPDATE ${table} t SET ${column} = ${value} FROM ${given} WHERE t.${key} = v.key::${type} AND ${held}`
  return db.$executeRaw`
    WITH v AS (SELECT * FROM ${given}),
    free AS (
      SELECT t.${key} AS key FROM ${table} t JOIN v ON t.${key} = v.key::${type} WHERE ${held} FOR UPDATE OF t SKIP LOCKED)
    UPDATE ${table} t SET ${column} = ${value} FROM v JOIN free ON free.key = v.key::${type} WHERE t.${key} = free.key`
}

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
  onRows: (place: Place, rows: readonly EncryptedRow[]) => Promise<void>,
  onSeen: (rows: number) => void,
): Promise<KeyUse[]> => {
  const uses: KeyUse[] = []
  for (const place of await findPlaces(db)) {
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

const countRows = async (db: Statements): Promise<number> => {
  let total = 0
  for (const { table, column, isList } of await findPlaces(db)) {
    const filled = isList ? Prisma.sql`cardinality(${column}) > 0` : Prisma.sql`${column} IS NOT NULL`
    const [row] = await db.$queryRaw<
      { rows: number }[]
    >`SELECT count(*)::int AS rows FROM ${table} WHERE ${filled}`
    total += row!.rows
  }
  return total
}

export interface EncryptedAnew {
  /** Rows that were changed. */
  readonly changed: number
  /** Counts of the last pass over all values, in which nothing was left to change. */
  readonly uses: readonly KeyUse[]
}

/**
 * Encrypts all that another of the keys encrypted with the first, and looks at every value again until none is left.
 * @param onProgress is given rows looked at and their number, again from 0 for each pass.
 * @throws Error where processes go on encrypting with another key.
 */
export async function encryptAnew(
  db: Db,
  keys: EncryptionKeys,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<EncryptedAnew> {
  const ciphers = ciphersOf(keys)
  const renew = (text: string) =>
    classify(ciphers, text) === 'other' ? ciphers.current.encrypt(ciphers.all.decrypt(text)) : text
  let changed = 0
  for (let passes = 0; passes < MAX_PASSES; passes++) {
    const total = await countRows(db)
    let done = 0
    const uses = await pass(
      db,
      ciphers,
      async (place, rows) => {
        const changes = rows.map(({ key, texts }) => ({ key, before: texts, after: texts.map(renew) }))
        changed += await replace(db, place, changes)
      },
      rows => {
        done += rows
        onProgress(done, total)
      },
    )
    if (uses.every(({ other }) => other === 0)) return { changed, uses }
  }
  throw new Error(
    'A server still encrypts with the other key: start all of them with the new SECRETS_KEY and the other in SECRETS_KEY_ALSO, then repeat this',
  )
}
