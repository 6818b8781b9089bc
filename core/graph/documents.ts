/** Limits of operations' texts, and documents by their texts, bounded in bytes: a client can send any number of texts. */
import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { invalidField } from '../errors/catalogue.ts'

/** Number of kept operations: far more than a portal has; an attacker's operations only evict each other. */
export const MAX_OPERATIONS = 2_000
/** Size of all kept documents, in bytes. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
/** Size of a node of a parsed document, with its place in the text. */
const NODE_BYTES = 400

/** Counts the objects in a document that have a kind. */
const countNodes = (value: object): number => {
  let nodes = 'kind' in value ? 1 : 0
  for (const [name, one] of Object.entries(value)) {
    if (typeof one === 'object' && one !== null && name !== 'loc') nodes += countNodes(one)
  }
  return nodes
}

/** Approximate size of a text and its parsed document, in bytes. */
export const sizeOfDocument = (document: DocumentNode, text: string): number =>
  2 * text.length + NODE_BYTES * countNodes(document)

/**
 * Makes a cache of documents by their texts; the least recently used one is evicted first.
 * @param bytesBeside gives the size of further data that is kept as long as a document, in bytes.
 */
export const createDocumentCache = (bytesBeside: (document: DocumentNode) => number = () => 0) =>
  new LRUCache<string, DocumentNode>({
    max: MAX_OPERATIONS,
    maxSize: MAX_DOCUMENT_BYTES,
    sizeCalculation: (document, text) => sizeOfDocument(document, text) + bytesBeside(document),
  })

/** Characters of an operation, spaces and comments included, since they take memory: tens of times the longest of a portal. */
export const MAX_OPERATION_TEXT = 100_000

/** Lines of an operation. The place of an error is found by counting lines, for each error anew. */
const MAX_LINES = 10_000

const LINE_END = /\r\n|[\n\r]/g

const hasTooManyLines = (text: string): boolean => {
  if (text.length <= MAX_LINES) return false
  let lines = 1
  for (const _ of text.matchAll(LINE_END)) {
    lines += 1
    if (lines > MAX_LINES) return true
  }
  return false
}

/** @throws ServiceError INVALID_ARGUMENT for a text that is too long, or has too many lines. */
export function checkOperationText(query: unknown, max = MAX_OPERATION_TEXT): void {
  if (typeof query === 'string' && query.length > max)
    throw invalidField('query', 'TOO_LONG', `must not be longer than ${max} characters`)
  if (typeof query === 'string' && hasTooManyLines(query))
    throw invalidField('query', 'TOO_LONG', `must not have more than ${MAX_LINES} lines`)
}
