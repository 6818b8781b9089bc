/**
 * Fast path: a request for a compiled operation is checked as far as its own variables and sizes go, executed and
 * written. A result with errors, or a failure, is handed to Apollo Server as executed already, which formats it. Operations that
 * passed every check are kept, so that the next request of the same text or hash begins there.
 */
import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { MAX_DOCUMENT_BYTES, MAX_OPERATIONS, sizeOfDocument } from '#core/graph/operation-limits.ts'
import { principalOf } from '#core/http/authenticate.ts'
import type { HttpReply, HttpRequest } from '#core/http/exchange.ts'
import { isObject } from '#core/values/json.ts'
import { contentTypeOf } from '#gateway/operation/context.ts'
import { OPERATION_COST } from '#gateway/operation/explain.ts'
import type { ExecutePlan, FastPathOptions, PlanResult } from '#gateway/supergraph/engine.ts'
import type { CoerceVariables } from '../subgraph/arguments.ts'

/** Operation of a document, ready to be executed. */
export interface Compiled {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** Coerces variables; without a result where they do not fit, which Apollo Gateway reports. */
  readonly coerce: CoerceVariables
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

type Fields = Readonly<Record<string, unknown>>

/** Request whose operation is known. */
interface KnownRequest {
  readonly compiled: Compiled
  readonly variables: Fields | undefined
}

/** Prefix of the keys under which Apollo Server keeps the texts of persisted queries. */
const PERSISTED_PREFIX = 'apq:'

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** Hash of a persisted query; undefined for extensions that say anything else. */
const hashIn = (extensions: unknown): string | undefined => {
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : undefined
  if (!isObject(persisted) || persisted['version'] !== 1) return undefined
  const hash = persisted['sha256Hash']
  return typeof hash === 'string' ? hash : undefined
}

/** Finds operations of requests that need not be checked again. */
class KnownRequests {
  readonly #store: OperationStore
  readonly #persistedQueries: FastPathOptions['persistedQueries']

  constructor(store: OperationStore, persistedQueries: FastPathOptions['persistedQueries']) {
    this.#store = store
    this.#persistedQueries = persistedQueries
  }

  /** Finds the operation of a plain request by POST; undefined where anything about it is unusual. */
  find({ method, body }: HttpRequest): KnownRequest | undefined {
    if (method !== 'POST' || !isObject(body)) return undefined
    const { query, extensions, variables, operationName } = body
    if (!isAbsent(variables) && !isObject(variables)) return undefined
    const compiled = query === undefined ? this.#byHash(extensions) : this.#byText(query, extensions)
    const isMeant =
      isAbsent(operationName) || (operationName !== '' && operationName === compiled?.operation.name?.value)
    if (!compiled || !isMeant) return undefined
    return { compiled, variables: (variables ?? undefined) as Fields | undefined }
  }

  /**
   * Finds an operation by its text. One that comes with a hash is unknown here: Apollo Server compares both, and keeps
   * the text.
   */
  #byText(query: unknown, extensions: unknown): Compiled | undefined {
    const isPersisted =
      !isAbsent(extensions) && (!isObject(extensions) || extensions['persistedQuery'] !== undefined)
    return typeof query === 'string' && !isPersisted ? this.#store.byText(query) : undefined
  }

  /**
   * Finds a query by its hash. A client is requested to send an evicted text again, as the protocol has it, although
   * the operation may still be compiled. That can happen during an execution, so only queries, which may be executed
   * twice, are found by their hash.
   */
  #byHash(extensions: unknown): Compiled | undefined {
    const hash = hashIn(extensions)
    if (hash === undefined || !this.#persistedQueries.has(PERSISTED_PREFIX + hash)) return undefined
    const found = this.#store.byHash(hash)
    return found?.operation.operation === 'query' ? found : undefined
  }
}

/** Answer of an execution: its data as text, or what Apollo Server has to format. */
type Made = { readonly data: string } | { readonly data?: undefined; readonly executed: Promise<PlanResult> }

const makeAnswer = async (executed: Promise<PlanResult>): Promise<Made> => {
  const result = await executed.catch(() => undefined)
  return result?.data === undefined || result.errors || result.extensions
    ? { executed }
    : { data: JSON.stringify(result.data) }
}

/** Two bytes a character; an answer with errors belongs to the request that it was made for. */
const bytesOf = ({ data }: Made): number | undefined => (data === undefined ? undefined : 2 * data.length)

/** Makes the handler of the graph's requests under one supergraph. */
export function createFastPath(
  schema: GraphQLSchema,
  store: OperationStore,
  { contextOf, byApollo, persistedQueries, spendCost, extensionsOf, answerOrRepeat }: FastPathOptions,
): FastPathOptions['byApollo'] {
  const known = new KnownRequests(store, persistedQueries)

  /** Counts the cost of a request; false, with nothing counted, where Apollo Server has to refuse it. */
  const admits = (request: HttpRequest, { compiled, variables }: KnownRequest): boolean => {
    const { document, operation } = compiled
    const { coerced } = compiled.coerce(variables ?? {})
    if (!coerced) return false
    const operationName = operation.name?.value
    try {
      spendCost(principalOf(request), { schema, document, operationName, variables, coerced })
      return true
    } catch {
      return false
    }
  }

  const execute = async (request: HttpRequest, reply: HttpReply, { compiled, variables }: KnownRequest) => {
    const context = contextOf(request)
    if (context.facts) {
      context.facts.operation = compiled.operation.name?.value
      context.facts.operationType = compiled.operation.operation
      context.facts.execution = 'FAST'
    }
    const { document, operation } = compiled
    const made = await answerOrRepeat(
      { document, operation, variables, context },
      () => makeAnswer(compiled.execute({ variables, context })),
      bytesOf,
    )
    if (made.data === undefined) return byApollo(request, reply, { ...context, executed: made.executed })
    context.done()
    const extensions = extensionsOf(context.facts, { document, operationName: operation.name?.value })
    reply
      .header(OPERATION_COST, context.facts?.cost)
      .header('content-type', contentTypeOf(request.headers.accept))
      .header('cache-control', 'no-store')
    return `{"data":${made.data}${extensions ? `,"extensions":${JSON.stringify(extensions)}` : ''}}\n`
  }

  return async (request, reply) => {
    const found = known.find(request)
    return found && admits(request, found) ? execute(request, reply, found) : byApollo(request, reply)
  }
}
