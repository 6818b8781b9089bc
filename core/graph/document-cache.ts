/** Documents by the text of their operation, bounded in bytes: a client can send as many texts as it likes. */
import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

/** Far more operations than a portal has; an attacker's ad-hoc ones only push each other out. */
export const MAX_OPERATIONS = 2_000
/** What they may come to, in bytes. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
/** A node of a parsed document, with its place in the text. */
const NODE_BYTES = 400

/** Everything in a document that has a kind. */
const countNodes = (value: object): number => {
  let nodes = 'kind' in value ? 1 : 0
  for (const [name, one] of Object.entries(value)) {
    if (typeof one === 'object' && one !== null && name !== 'loc') nodes += countNodes(one)
  }
  return nodes
}

/** About what a text and the document parsed of it take, in bytes. */
export const sizeOfDocument = (document: DocumentNode, text: string): number =>
  2 * text.length + NODE_BYTES * countNodes(document)

/**
 * The one that was not used for longest goes first.
 * @param bytesBeside what is kept of a document beside it, in bytes.
 */
export const createDocumentCache = (bytesBeside: (document: DocumentNode) => number = () => 0) =>
  new LRUCache<string, DocumentNode>({
    max: MAX_OPERATIONS,
    maxSize: MAX_DOCUMENT_BYTES,
    sizeCalculation: (document, text) => sizeOfDocument(document, text) + bytesBeside(document),
  })
