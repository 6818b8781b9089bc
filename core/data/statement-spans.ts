/**
 * Spans of statements, after OpenTelemetry's conventions for databases: each is named by what it does to which tables. Its
 * text has no values: these are parameters, and literals are left out.
 */
import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlQuery,
  SqlResultSet,
  Transaction,
} from '@prisma/driver-adapter-utils'
import { LRUCache } from 'lru-cache'
import type { Attributes, Tracing } from '../observability/tracing.ts'

/** Characters of a statement's text that are exported. */
const MAX_TEXT = 2_048
/** Parts of a statement that stand in its name. */
const MAX_PARTS = 6

const TEXT_LITERAL = /'[^']*'/g
const WORD_OR_NUMBER = /[$\w.]+/g
const WRITES = /\b(INSERT INTO|UPDATE|DELETE FROM)\s+(\w+\.\w+)/g
const READS = /\b(?:FROM|JOIN)\s+(\w+\.\w+)/g

/** One operation of a statement on a table. */
interface Part {
  readonly operation: string
  readonly table: string
}

/** The writes of a statement, or what it reads where it writes nothing; the names of common table expressions have no dot. */
const partsOf = (text: string): Part[] => {
  const writes = [...text.matchAll(WRITES)].map(([, words, table]) => ({
    operation: words!.split(' ')[0]!,
    table: table!,
  }))
  if (writes.length > 0) return writes
  const tables = new Set([...text.matchAll(READS)].map(([, table]) => table!))
  return [...tables].map(table => ({ operation: 'SELECT', table }))
}

/** The text of a statement without its literals, which code alone writes, and which need not be told. */
const withoutLiterals = (text: string): string =>
  text.replace(TEXT_LITERAL, '?').replace(WORD_OR_NUMBER, word => (/^\d/.test(word) ? '?' : word))

/** The name of a statement, as OpenTelemetry has it in `db.query.summary`: `INSERT events.event UPDATE books.book`. */
const summaryOf = (parts: readonly Part[]): string => {
  let last = ''
  const words = parts.slice(0, MAX_PARTS).flatMap(({ operation, table }) => {
    const isSame = operation === last
    last = operation
    return isSame ? [table] : [operation, table]
  })
  return words.join(' ')
}

interface Described {
  readonly name: string
  readonly attributes: Attributes
}

const describe = (text: string): Described => {
  const plain = text.replaceAll('"', '').replace(/\s+/g, ' ').trim()
  const parts = partsOf(plain)
  const [first, ...others] = parts
  const name = first ? summaryOf(parts) : (/^\w+/.exec(plain)?.[0].toUpperCase() ?? 'SQL')
  return {
    name,
    attributes: {
      'db.query.summary': name,
      'db.operation.name': others.length === 0 ? (first?.operation ?? name) : undefined,
      'db.collection.name': others.length === 0 ? first?.table : undefined,
      'db.query.text': withoutLiterals(plain).slice(0, MAX_TEXT),
    },
  }
}

/** Statements by their text: there are some hundred, and as many forms of them as clients select columns. */
const known = new LRUCache<string, Described>({ max: 1_000, memoMethod: describe })

/** Executes a statement within its span, where one is recorded of the work that it is a part of. */
export function traceStatement<Result extends { readonly rows?: readonly unknown[] } | number>(
  traces: Tracing,
  text: string,
  execute: () => Promise<Result>,
): Promise<Result> {
  if (!traces.current()?.isRecorded) return execute()
  const { name, attributes } = known.memo(text)
  const span = traces.part(name, { kind: 'client', attributes: { ...traces.database, ...attributes } })
  return traces.run(span, async () => {
    const result = await execute()
    const rows = typeof result === 'number' ? undefined : result.rows?.length
    span?.set({ 'db.response.returned_rows': rows })
    return result
  })
}

/** The same adapter of Prisma, or transaction of one, with spans for its statements. */
export const withStatementSpans = <Inner extends SqlDriverAdapter | Transaction>(
  traces: Tracing,
  inner: Inner,
): Inner =>
  new Proxy(inner, {
    get(target, name) {
      const own = target as SqlDriverAdapter
      if (name === 'queryRaw' || name === 'executeRaw')
        return (query: SqlQuery) =>
          traceStatement<SqlResultSet | number>(traces, query.sql, () => own[name](query))
      if (name === 'startTransaction')
        return async (level?: IsolationLevel) => withStatementSpans(traces, await own.startTransaction(level))
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
