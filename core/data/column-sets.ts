/** Sets of a table's columns, so that a statement reads no more of a row than is needed. */
import { LRUCache } from 'lru-cache'
import { Prisma } from './db.ts'

/** Columns of a table under the names of their fields, those of `Field` among them. */
export interface ColumnSet<Field extends string> {
  /** The same for the same columns of a table: what reads by equal keys can share a statement. */
  readonly key: number
  readonly has: (field: Field) => boolean
  /** What stands between `SELECT` and `FROM`. */
  readonly columns: Prisma.Sql
  /** Their names, for a statement around that one. */
  readonly names: Prisma.Sql
  /** Its key, where it is part of one. */
  toJSON(): number
}

/** The sets of one table. */
export interface ColumnSets<Field extends string> {
  readonly fields: readonly Field[]
  readonly all: ColumnSet<Field>
  readonly has: (name: string) => name is Field
  readonly of: <Some extends Field>(fields: readonly Some[]) => ColumnSet<Some>
  /** All that any of the sets has. */
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
