/** A planned operation: the parts that are the same each time it is sent, derived from its text once. */
import { Kind, OperationTypeNode, parse } from 'graphql'
import { LRUCache } from 'lru-cache'
import { MAX_DOCUMENT_BYTES, MAX_OPERATIONS } from '#core/graph/documents.ts'
import type { Fetch } from './transport.ts'

export interface SentOperation {
  /** An identifier among all operations that are kept, shorter than the text. */
  readonly id: number
  readonly isQuery: boolean
  /** The fields that it selects at its root. */
  readonly rootFields: readonly string[]
  /** Text of the body up to its variables, with `"query"` and `"operationName"`. */
  readonly bodyStart: string
}

const known = new LRUCache<string, SentOperation>({
  max: MAX_OPERATIONS,
  maxSize: MAX_DOCUMENT_BYTES,
  sizeCalculation: ({ bodyStart }, query) => 2 * (query.length + bodyStart.length),
})

let last = 0

const prepare = (query: string, operationName: string | undefined): SentOperation => {
  const { definitions } = parse(query, { noLocation: true })
  const operation = definitions.find(one => one.kind === Kind.OPERATION_DEFINITION)
  const selections = operation?.selectionSet.selections ?? []
  const name = operationName ? `,"operationName":${JSON.stringify(operationName)}` : ''
  last += 1
  return {
    id: last,
    isQuery: operation?.operation === OperationTypeNode.QUERY,
    rootFields: selections.flatMap(one => (one.kind === Kind.FIELD ? [one.name.value] : [])),
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

type Variables = Readonly<Record<string, unknown>>

const NO_VARIABLES: Variables = {}
const texts = new WeakMap<Variables, string>()

/** JSON text of variables, written once: it is sent, and it distinguishes two reads. */
export function variablesText(variables: Variables = NO_VARIABLES): string {
  const text = texts.get(variables) ?? JSON.stringify(variables)
  texts.set(variables, text)
  return text
}

/**
 * Finds the representations of a fetch for entities; undefined for one for root fields. The text decides, since a
 * client's own variable may be called `representations` too.
 */
export const representationsOf = ({ query, operationName, variables }: Fetch['request']) => {
  const given = variables?.['representations']
  if (!Array.isArray(given) || !query) return undefined
  const { rootFields } = sentOperation(query, operationName)
  return rootFields.includes('_entities')
    ? (given as readonly Readonly<Record<string, unknown>>[])
    : undefined
}
