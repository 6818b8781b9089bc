/** Result of an execution: its objects, and errors with their places as graphql-js reports them. */
import {
  type FieldNode,
  type GraphQLError,
  locatedError,
  type ResponsePath,
  responsePathAsArray,
} from 'graphql'

/** Place of the errors of a field, or of an item of its list. */
export interface ErrorPlace {
  readonly nodes: readonly FieldNode[]
  /** Whether an error is the parent's too. */
  readonly isNonNull: boolean
}

/** Errors of one execution. */
export class CollectedErrors {
  readonly list: GraphQLError[] = []
  #nulled: Set<ResponsePath | undefined> | undefined

  /** Adds an error, unless its place lies below one that is null for an earlier error. */
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
 * Records an error with its place, and gives null in place of the value.
 * @throws GraphQLError with its place where null is not allowed.
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

/** Object of a result. */
export type Data = Record<string, unknown>

/**
 * Makes the function that creates the objects of one selection. They inherit nothing, as those of graphql-js, since a
 * response name may be anything. V8 keeps objects without any prototype as hash tables; with a class of their own they are
 * as large as their fields.
 */
export function createDataClass(): () => Data {
  class Selected {
    [name: string]: unknown
  }
  Object.setPrototypeOf(Selected.prototype, null)
  Reflect.deleteProperty(Selected.prototype, 'constructor')
  return () => new Selected()
}
