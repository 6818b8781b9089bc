/**
 * SQL in and out: pieces that statements are made of (values tables, keys, literals and sets of columns), and the decoding of the
 * values that the database writes in text, to what Prisma's raw statements give for their types.
 */
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { Prisma } from '#prisma/generated/client.ts'

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

type Decode = (text: string) => unknown

const { INT2, INT4, INT8, FLOAT4, FLOAT8, BOOL, NUMERIC, UUID } = pg.types.builtins
const { TEXT, VARCHAR, BPCHAR, DATE, TIMESTAMP, TIMESTAMPTZ, JSON: PLAIN_JSON, JSONB } = pg.types.builtins
const NAME = 19
/** The result of a function that returns nothing, such as one that takes a lock. */
const VOID = 2278

/** The array type of each type that is read in arrays. */
const ARRAY_OF: Readonly<Record<number, number>> = {
  [BOOL]: 1000,
  [INT4]: 1007,
  [INT8]: 1016,
  [TEXT]: 1009,
  [VARCHAR]: 1015,
  [UUID]: 2951,
  [NUMERIC]: 1231,
  [TIMESTAMPTZ]: 1185,
  [JSONB]: 3807,
}

const DIGIT_0 = 48

const twoDigits = (text: string, at: number) =>
  (text.charCodeAt(at) - DIGIT_0) * 10 + text.charCodeAt(at + 1) - DIGIT_0

/** The first three decimals of a second, which begin at `from`; those after them are below what a Date holds. */
const millisecondsOf = (text: string, from: number, until: number) => {
  let milliseconds = 0
  let unit = 100
  for (let at = from; at < until && unit >= 1; at++) {
    milliseconds += (text.charCodeAt(at) - DIGIT_0) * unit
    unit /= 10
  }
  return milliseconds
}

const OFFSET = /([+-]\d\d)(:\d\d)?(:\d\d)?$/

/** Decodes the rare forms: years of five digits or before Christ, infinities, a session that is not in UTC. */
const unusualMoment = (text: string): Date =>
  new Date(
    text
      .replace(' ', 'T')
      .replace(OFFSET, (_, hours: string, minutes: string | undefined) => hours + (minutes ?? ':00')),
  )

const SECONDS_END = '2026-01-31 12:30:00'.length
const LEAST_YEAR = 100

/** `2026-01-31 12:30:00.123456+00`, read by its places: pages hold hundreds. */
const decodeMoment = (text: string): Date => {
  const end = text.length - 3
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const isUsual = text[4] === '-' && text[10] === ' ' && text.endsWith('+00') && year >= LEAST_YEAR
  if (!isUsual) return unusualMoment(text)
  const [month, day] = [twoDigits(text, 5) - 1, twoDigits(text, 8)]
  const [hours, minutes, seconds] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)]
  return new Date(
    Date.UTC(year, month, day, hours, minutes, seconds, millisecondsOf(text, SECONDS_END + 1, end)),
  )
}

const asItIs: Decode = text => text

/** Digits that a double holds exactly, with a sign. */
const EXACT_DIGITS = 15

/** Reads short numbers as doubles first, which takes a tenth of the time. */
const decodeBigint: Decode = text => BigInt(text.length <= EXACT_DIGITS ? Number(text) : text)

const SCALARS: Readonly<Record<number, Decode>> = {
  [INT2]: Number,
  [INT4]: Number,
  [INT8]: decodeBigint,
  [FLOAT4]: Number,
  [FLOAT8]: Number,
  [BOOL]: text => text === 't',
  [NUMERIC]: text => new Prisma.Decimal(text),
  [DATE]: text => new Date(text),
  [TIMESTAMP]: text => decodeMoment(`${text}+00`),
  [TIMESTAMPTZ]: decodeMoment,
  [PLAIN_JSON]: text => JSON.parse(text),
  [JSONB]: text => JSON.parse(text),
  [TEXT]: asItIs,
  [VARCHAR]: asItIs,
  [BPCHAR]: asItIs,
  [NAME]: asItIs,
  [UUID]: asItIs,
  [VOID]: () => null,
}

/** The elements as texts, in arrays again where there are several dimensions. */
const textsOf = pg.types.getTypeParser(ARRAY_OF[TEXT]!) as (text: string) => unknown[]

const decodeEach = (elements: readonly unknown[], decode: Decode): unknown[] =>
  elements.map(element => {
    if (Array.isArray(element)) return decodeEach(element, decode)
    return element === null ? null : decode(element as string)
  })

const arrays = Object.entries(ARRAY_OF).map(([type, array]): [number, Decode] => {
  const decode = SCALARS[Number(type)]!
  return [array, text => decodeEach(textsOf(text), decode)]
})

/** The decoder of each type that is read, by the type's number (`pg_type.oid`). */
export const DECODERS: Readonly<Record<number, Decode>> = { ...SCALARS, ...Object.fromEntries(arrays) }

/** The decoder of a type; that of a type without one throws when it is called. */
export const decoderOf = (type: number): Decode =>
  DECODERS[type] ??
  (() => {
    throw new Error(`No decoder for values of the type ${type}`)
  })
