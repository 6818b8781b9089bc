/** What is the same each time a planned operation is sent: whether it only reads, and the beginning of its body's text. */
import { LRUCache } from 'lru-cache'
import { MAX_DOCUMENT_BYTES, MAX_OPERATIONS } from '../../../subgraphs/shared/graph/document-cache.ts'

export interface SentOperation {
  /** Tells it from all others that are remembered, in fewer characters than its text. */
  readonly id: number
  /** Whether it only reads: a planned text begins with its kind or, for a query, need not. */
  readonly isQuery: boolean
  /** The body up to its variables, `"query"` and `"operationName"` written out. */
  readonly bodyStart: string
}

const known = new LRUCache<string, SentOperation>({
  max: MAX_OPERATIONS,
  maxSize: MAX_DOCUMENT_BYTES,
  sizeCalculation: ({ bodyStart }, query) => 2 * (query.length + bodyStart.length),
})

let last = 0

const prepare = (query: string, operationName: string | undefined): SentOperation => {
  const name = operationName ? `,"operationName":${JSON.stringify(operationName)}` : ''
  last += 1
  return {
    id: last,
    isQuery: /^\s*(query\b|\{)/.test(query),
    bodyStart: `{"query":${JSON.stringify(query)}${name},"variables":`,
  }
}

/** Prepares an operation once; a planned text has one name, which stands in it. */
export function sentOperation(query: string, operationName: string | undefined): SentOperation {
  const found = known.get(query)
  if (found) return found
  const prepared = prepare(query, operationName)
  known.set(query, prepared)
  return prepared
}
