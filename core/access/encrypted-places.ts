/** Columns of encrypted texts: how their rows are found, read in batches, and written where they are still as they were read. */
import { Prisma, type Statements } from '../data/db.ts'

/** A column of encrypted texts. */
export interface EncryptedPlace {
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

export interface EncryptedRow {
  readonly key: string
  readonly texts: readonly string[]
}

const BATCH = 500

/** Columns of callback tokens: those of transactions are found by their name, so that a further service needs no line here. */
export const findEncryptedPlaces = async (db: Statements): Promise<EncryptedPlace[]> => {
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
  const ofAccess = (table: string, key: string, column: string, isList = false): EncryptedPlace => ({
    name: `access.${table}`,
    table: Prisma.raw(`access.${table}`),
    key: Prisma.raw(key),
    type: Prisma.raw('text'),
    column: Prisma.raw(column),
    isList,
    waits: true,
  })
  const ofEndpoint = (column: string): EncryptedPlace => ({
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

const readBatch = (
  db: Statements,
  { table, key, type, column, isList }: EncryptedPlace,
  after: string | undefined,
) =>
  db.$queryRaw<EncryptedRow[]>`
    SELECT t.${key}::text AS key, ${isList ? Prisma.sql`t.${column}` : Prisma.sql`ARRAY[t.${column}]`} AS texts
    FROM ${table} t WHERE ${isList ? Prisma.sql`cardinality(t.${column}) > 0` : Prisma.sql`t.${column} IS NOT NULL`}
      AND ${after === undefined ? Prisma.sql`TRUE` : Prisma.sql`t.${key} > ${after}::${type}`}
    ORDER BY t.${key} LIMIT ${BATCH}`

/** Reads all rows of a place in batches. */
export async function* batchesOf(db: Statements, place: EncryptedPlace): AsyncGenerator<EncryptedRow[]> {
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
 * @returns the keys of the rows that were written.
 */
export const replaceEncrypted = async (
  db: Statements,
  { table, key, type, column, isList, waits }: EncryptedPlace,
  changes: readonly { key: string; before: readonly string[]; after: readonly string[] }[],
): Promise<string[]> => {
  const keys = changes.map(change => change.key)
  const olds = changes.map(({ before }) => before.join(BETWEEN))
  const news = changes.map(({ after }) => after.join(BETWEEN))
  // Immutable, since Citus takes nothing else beside columns of an update.
  const cell = (text: Prisma.Sql) => (isList ? Prisma.sql`string_to_array(${text}, ${BETWEEN}::text)` : text)
  const held = Prisma.sql`t.${column} = ${cell(Prisma.sql`v.before`)}`
  const value = cell(Prisma.sql`v.after`)
  const given = Prisma.sql`unnest(${keys}::text[], ${olds}::text[], ${news}::text[]) AS v (key, before, after)`
  const update = waits
    ? Prisma.sql`
      UPDATE ${table} t SET ${column} = ${value} FROM ${given} WHERE t.${key} = v.key::${type} AND ${held}`
    : Prisma.sql`
    WITH v AS (SELECT * FROM ${given}),
    free AS (
      SELECT t.${key} AS key FROM ${table} t JOIN v ON t.${key} = v.key::${type} WHERE ${held} FOR UPDATE OF t SKIP LOCKED)
    UPDATE ${table} t SET ${column} = ${value} FROM v JOIN free ON free.key = v.key::${type} WHERE t.${key} = free.key`
  const rows = await db.$queryRaw<{ key: string }[]>`${update} RETURNING t.${key}::text AS key`
  return rows.map(row => row.key)
}

/** Counts the rows of all places. */
export const countEncryptedRows = async (db: Statements): Promise<number> => {
  let total = 0
  for (const { table, column, isList } of await findEncryptedPlaces(db)) {
    const filled = isList ? Prisma.sql`cardinality(${column}) > 0` : Prisma.sql`${column} IS NOT NULL`
    const [row] = await db.$queryRaw<
      { rows: number }[]
    >`SELECT count(*)::int AS rows FROM ${table} WHERE ${filled}`
    total += row!.rows
  }
  return total
}
