/** Which requests may begin at a compiled operation: plain ones by POST; any other takes Apollo's way from its start. */
import type { FastifyRequest } from 'fastify'
import type { Compiled } from './compiler.ts'
import type { OperationStore } from './store.ts'

type Fields = Readonly<Record<string, unknown>>

/** Where operations are found that need not be checked again. */
export interface KnownOperations {
  readonly compiled: OperationStore
  readonly persistedQueries: { has(key: string): boolean }
}

/** A request whose operation is known. */
export interface HotRequest {
  readonly compiled: Compiled
  readonly variables: Fields | undefined
}

/** Under which Apollo Server keeps the text of a persisted query. */
const PERSISTED_PREFIX = 'apq:'

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text with its hash is to be held against it, and kept. */
const isPersisted = (extensions: unknown): boolean =>
  !isAbsent(extensions) && (!isFields(extensions) || extensions['persistedQuery'] !== undefined)

/** The hash of a persisted query; undefined for extensions that say anything else. */
const hashIn = (extensions: unknown): string | undefined => {
  if (!isFields(extensions)) return undefined
  const persisted = extensions['persistedQuery']
  if (!isFields(persisted) || persisted['version'] !== 1) return undefined
  const hash = persisted['sha256Hash']
  return typeof hash === 'string' ? hash : undefined
}

/**
 * One that was evicted is asked for again, as the protocol has it, although its operation may still be compiled; and
 * since that can happen while it is executed, only what may be executed twice is found by its hash.
 */
const findPersisted = ({ compiled, persistedQueries }: KnownOperations, extensions: unknown) => {
  const hash = hashIn(extensions)
  if (hash === undefined || !persistedQueries.has(PERSISTED_PREFIX + hash)) return undefined
  const found = compiled.byHash(hash)
  return found?.operation.operation === 'query' ? found : undefined
}

const find = (known: KnownOperations, { query, extensions }: Fields): Compiled | undefined => {
  if (query === undefined) return findPersisted(known, extensions)
  return typeof query === 'string' && !isPersisted(extensions) ? known.compiled.byText(query) : undefined
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const isNamed = ({ operation }: Compiled, name: unknown): boolean =>
  isAbsent(name) || (name !== '' && name === operation.name?.value)

/** The known operation of a request; undefined for one that has anything unusual about it. */
export function findHotRequest(
  known: KnownOperations,
  { method, body }: FastifyRequest,
): HotRequest | undefined {
  if (method !== 'POST' || !isFields(body)) return undefined
  const { variables, operationName } = body
  if (!isAbsent(variables) && !isFields(variables)) return undefined
  const compiled = find(known, body)
  if (!compiled || !isNamed(compiled, operationName)) return undefined
  return { compiled, variables: (variables ?? undefined) as Fields | undefined }
}
