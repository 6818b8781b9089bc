/** Operations that passed every check and were compiled: the next request of the same text or hash begins there. */
import { type DocumentNode, Kind, type OperationDefinitionNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { MAX_DOCUMENT_BYTES, MAX_OPERATIONS, sizeOfDocument } from '#core/graph/documents.ts'
import type { ExecutePlan } from '#gateway/supergraph/engine.ts'
import type { CoercedVariables } from '../subgraph/arguments.ts'

/** Operation of a document, ready to be executed. */
export interface Compiled {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** Coerces variables; undefined where they do not fit, which Apollo Gateway reports. */
  coerce(variables: CoercedVariables | undefined): CoercedVariables | undefined
  readonly execute: ExecutePlan
}

/** Operation with the text that it came by. */
interface Stored {
  readonly text: string
  /** SHA-256 of the text, hexadecimal, by which persisted queries name it. */
  readonly hash: string
  readonly compiled: Compiled
}

interface Used extends Stored {
  uses: number
}

/** Plan and shape together are about as large as the document that they were made of. */
const sizeOf = ({ text, compiled: { document } }: Stored): number => 2 * sizeOfDocument(document, text)

const operationsIn = ({ definitions }: DocumentNode): number =>
  definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length

/** Compiled operations by text and by hash, bounded in bytes. */
export class OperationStore {
  readonly #byText: LRUCache<string, Used>
  readonly #byHash = new Map<string, string>()

  constructor() {
    this.#byText = new LRUCache<string, Used>({
      max: MAX_OPERATIONS,
      maxSize: MAX_DOCUMENT_BYTES,
      sizeCalculation: sizeOf,
      dispose: ({ hash }) => void this.#byHash.delete(hash),
    })
  }

  /** Keeps an operation that is the only one of its text: where there are several, a request has to say which. */
  add(stored: Stored): void {
    const { text, hash, compiled } = stored
    if (this.#byText.has(text) || operationsIn(compiled.document) !== 1) return
    this.#byText.set(text, { ...stored, uses: 0 })
    this.#byHash.set(hash, text)
  }

  byText(text: string): Compiled | undefined {
    const found = this.#byText.get(text)
    if (!found) return undefined
    found.uses += 1
    return found.compiled
  }

  byHash(hash: string): Compiled | undefined {
    const text = this.#byHash.get(hash)
    return text === undefined ? undefined : this.byText(text)
  }

  /** Texts that were sent most. */
  mostUsed(count: number): string[] {
    const all = [...this.#byText.values()].toSorted((a, b) => b.uses - a.uses)
    return all.slice(0, count).map(({ text }) => text)
  }
}
