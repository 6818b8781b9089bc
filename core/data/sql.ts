/** Pieces of SQL that statements are made of: values tables, keys, literals and sets of columns. */
import { LRUCache } from 'lru-cache'
import { Prisma } from './db.ts'

const toJson = (rows: readonly object[]) => JSON.stringify(rows.map(row => ({ ...row, given: 1 })))

/**
 * A values table: the rows that a statement brings along, as they can stand in `FROM`, before an alias.
 *
 * PostgreSQL takes a table made of JSON to have 100 rows, and one made of an array to have 10: enough to read a whole table
 * beside it, where that was small or empty when the statement was planned. It does so ever after, since plans are kept by
 * connection. So each row says `given`, and the statement asks for it: of a condition without statistics PostgreSQL expects
 * one row, and joins to one row by key.
 * @param columns names and types, e.g. `id uuid, "clientId" text`: the names are those of the rows' fields.
 */
export const valuesTable = (rows: readonly object[], columns: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (SELECT * FROM jsonb_to_recordset(${toJson(rows)}::jsonb) AS r (given int, ${columns}) WHERE r.given = 1)`

/**
 * Keys to look up, each once, as they can stand in `FROM` before an alias, with the column `key`. One row is expected of
 * them, whether their number is known or not. Of `= ANY` of an array PostgreSQL expects ten while it does not know how many
 * there are, so that it makes a new plan at each execution, which takes longer than the look-up.
 */
export const keysTable = (keys: readonly string[]): Prisma.Sql => Prisma.sql`
  (SELECT k.key FROM unnest(${[...new Set(keys)]}::text[]) WITH ORDINALITY AS k (key, nth) WHERE k.nth = abs(k.nth))`

const WORD = /^[A-Za-z]{1,32}$/

/**
 * A status or the like as a literal, where a parameter would not do: a partial index is found by its literal alone. Words
 * come from the code; anything that a request could have sent into it fails.
 * @throws Error when it is no plain word.
 */
export function sqlWord(word: string): Prisma.Sql {
  if (!WORD.test(word)) throw new Error('Only a plain word can be a literal in SQL')
  return Prisma.raw(`'${word}'`)
}

/** Columns of a table under the names of their fields, those of `Field` among them. */
export interface ColumnSet<Field extends string> {
  /** The same for the same columns of a table: reads by equal keys can share a statement. */
  readonly key: number
  readonly has: (field: Field) => boolean
  /** The text between `SELECT` and `FROM`. */
  readonly columns: Prisma.Sql
  /** Their names, for a statement around that one. */
  readonly names: Prisma.Sql
  /** Its key, where it is part of one. */
  toJSON(): number
}

/** The sets of one table's columns, so that a statement reads no more of a row than is needed. */
export interface ColumnSets<Field extends string> {
  readonly fields: readonly Field[]
  readonly all: ColumnSet<Field>
  readonly has: (name: string) => name is Field
  readonly of: <Some extends Field>(fields: readonly Some[]) => ColumnSet<Some>
  /** All columns that any of the sets has. */
  readonly union: <Some extends Field>(sets: readonly ColumnSet<Some>[]) => ColumnSet<Some>
}

/** Clients choose what they select: no more sets than these are remembered. */
const MAX_KEPT = 500

/** @param columns the SQL of each field; at most 31 of them. */
export function createColumnSets<Field extends string>(
  columns: Readonly<Record<Field, string>>,
): ColumnSets<Field> {
  const every = Object.keys(columns) as Field[]
  const kept = new LRUCache<number, ColumnSet<Field>>({ max: MAX_KEPT })
  const create = (key: number): ColumnSet<Field> => {
    const fields = every.filter((_, index) => key & (1 << index))
    return {
      key,
      has: field => fields.includes(field),
      columns: Prisma.raw(fields.map(field => `${columns[field]} AS "${field}"`).join(', ')),
      names: Prisma.raw(fields.map(field => `"${field}"`).join(', ')),
      toJSON: () => key,
    }
  }
  const byKey = (key: number) => {
    const set = kept.get(key) ?? create(key)
    kept.set(key, set)
    return set
  }
  const bit = (field: Field) => 1 << every.indexOf(field)
  const of = <Some extends Field>(fields: readonly Some[]): ColumnSet<Some> =>
    byKey(fields.reduce((key, field) => key | bit(field), 0))
  return {
    fields: every,
    all: of(every),
    has: (name): name is Field => Object.hasOwn(columns, name),
    of,
    union: sets => byKey(sets.reduce((key, set) => key | set.key, 0)),
  }
}
