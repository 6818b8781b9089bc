/** What Apollo Server remembers of operations, bounded in bytes: it would count neither the text that a document keeps nor its nodes. */
import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { MAX_DOCUMENT_BYTES, sizeOfDocument } from '#core/graph/documents.ts'

/** What persisted queries may come to, in bytes. */
export const MAX_PERSISTED_BYTES = 16 * 1024 * 1024

/** As Apollo Server takes it. */
interface OwnCache<Value> {
  get(key: string): Promise<Value | undefined>
  set(key: string, value: Value): Promise<void>
  delete(key: string): Promise<boolean>
  has(key: string): boolean
  /** What it holds by now. */
  readonly bytes: number
}

const createCache = <Value extends object | string>(
  maxSize: number,
  sizeCalculation: (value: Value) => number,
): OwnCache<Value> => {
  const entries = new LRUCache<string, Value>({ maxSize, sizeCalculation })
  return {
    get: async key => entries.get(key),
    set: async (key, value) => void entries.set(key, value),
    delete: async key => entries.delete(key),
    has: key => entries.has(key),
    get bytes() {
      return entries.calculatedSize
    },
  }
}

/** Documents that were validated. Apollo Server parses with locations, through which each has its text. */
export const createDocumentStore = (): OwnCache<DocumentNode> =>
  createCache<DocumentNode>(MAX_DOCUMENT_BYTES, document =>
    sizeOfDocument(document, document.loc?.source.body ?? ''),
  )

/** Texts by their hash. */
export type PersistedQueries = OwnCache<string>

export const createPersistedQueries = (): PersistedQueries =>
  createCache<string>(MAX_PERSISTED_BYTES, text => 256 + 2 * text.length)
