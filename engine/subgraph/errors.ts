/** Errors of fields as graphql-js tells them: where they stand, and which of them count. */
import {
  type FieldNode,
  type GraphQLError,
  locatedError,
  type ResponsePath,
  responsePathAsArray,
} from 'graphql'

/** What the errors of a field, or of an item of its list, are told with. */
export interface ErrorPlace {
  readonly nodes: readonly FieldNode[]
  /** Whether an error is the parent's too. */
  readonly isNonNull: boolean
}

/** The errors of one execution. */
export class CollectedErrors {
  readonly list: GraphQLError[] = []
  #nulled: Set<ResponsePath | undefined> | undefined

  /** Below a place that is null for an error already, nothing can go wrong any more. */
  add(error: GraphQLError, path: ResponsePath | undefined): void {
    this.#nulled ??= new Set()
    if (isBelow(path, this.#nulled)) return
    this.#nulled.add(path)
    this.list.push(error)
  }
}

const isBelow = (start: ResponsePath | undefined, nulled: ReadonlySet<ResponsePath | undefined>): boolean => {
  for (let path = start; path !== undefined; path = path.prev) if (nulled.has(path)) return true
  return nulled.has(undefined)
}

/**
 * Null, with the error among the others, where null may stand.
 * @throws GraphQLError with its place where it may not.
 */
export function nullFor(
  thrown: unknown,
  { nodes, isNonNull }: ErrorPlace,
  path: ResponsePath,
  errors: CollectedErrors,
): null {
  const error = locatedError(thrown, nodes, responsePathAsArray(path))
  if (isNonNull) throw error
  errors.add(error, path)
  return null
}
