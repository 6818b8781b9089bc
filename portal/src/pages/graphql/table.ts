/** An answer as tables: each list in it is one, with a column for each value of its entries. */
import type { Cell } from '../../kit/copy.ts'

export interface Table {
  /** Place of the list in the data: `subscriber.timeline.nodes`. */
  readonly path: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toCell = (value: unknown): Cell =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell)

/** The values of an entry by their paths, those of objects within it as well; a list within it is one value. */
const flatten = (fields: Fields, prefix = ''): [path: string, value: Cell][] =>
  Object.entries(fields).flatMap(([name, value]): [string, Cell][] =>
    isFields(value) ? flatten(value, `${prefix}${name}.`) : [[prefix + name, toCell(value)]],
  )

const tableOf = (path: string, entries: readonly unknown[]): Table => {
  const flat = entries.map(entry => new Map(isFields(entry) ? flatten(entry) : [['value', toCell(entry)]]))
  const all = [...new Set(flat.flatMap(one => [...one.keys()]))]
  // An object that one entry lacks is null there, and values of its own elsewhere: they take its place.
  const within = (name: string) => all.filter(other => other.startsWith(`${name}.`))
  const columns = all.flatMap(name => {
    if (all.some(other => name.startsWith(`${other}.`))) return []
    const inner = within(name)
    return inner.length > 0 ? inner : [name]
  })
  return { path, columns, rows: flat.map(one => columns.map(column => one.get(column))) }
}

const listsIn = (value: unknown, path: string): Table[] => {
  if (Array.isArray(value)) return value.length > 0 ? [tableOf(path, value)] : []
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => listsIn(inner, path ? `${path}.${name}` : name))
}

/** Values beside the lists, as one row. */
const singleOf = (data: Fields): Table[] => {
  const withoutLists = (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(([, value]) => !Array.isArray(value))
        .map(([name, value]) => [name, isFields(value) ? withoutLists(value) : value]),
    )
  const table = tableOf('data', [withoutLists(data)])
  return table.columns.length > 0 ? [table] : []
}

/** The tables of an answer's data, the longest first. */
export const tablesOf = (data: unknown): Table[] =>
  isFields(data)
    ? [...listsIn(data, '').toSorted((one, other) => other.rows.length - one.rows.length), ...singleOf(data)]
    : []

/** Events of a subscription as one table: each event is an entry, without the name of its field. */
export const eventTable = (events: readonly unknown[]): Table =>
  tableOf(
    'events',
    events.map(data => (isFields(data) ? (Object.values(data).find(isFields) ?? data) : data)),
  )
