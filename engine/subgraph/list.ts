/** Completes lists: each item has a place of its own, where an error of it may leave null. */
import {
  GraphQLError,
  type GraphQLList,
  type GraphQLOutputType,
  isNonNullType,
  type ResponsePath,
} from 'graphql'
import { isPromise } from '#core/third-party/graphql.ts'
import { nullFor } from './errors.ts'
import type { Complete, SelectedField } from './types.ts'

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { readonly [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function'

/** Completes lists whose items `complete` completes. */
export function completeList(
  { ofType }: GraphQLList<GraphQLOutputType>,
  { nodes, parentType, definition }: SelectedField,
  complete: Complete,
): Complete {
  const place = { nodes, isNonNull: isNonNullType(ofType) }
  const noList = `Expected Iterable, but did not find one for field "${parentType.name}.${definition.name}".`
  return (execution, info, prev, value) => {
    if (!isIterable(value)) throw new GraphQLError(noList)
    let hasPromise = false
    const items = Array.from(value, (item, index) => {
      const path: ResponsePath = { prev, key: index, typename: undefined }
      try {
        const completed = isPromise(item)
          ? item.then(resolved => complete(execution, info, path, resolved))
          : complete(execution, info, path, item)
        if (!isPromise(completed)) return completed
        hasPromise = true
        return completed.then(undefined, error => nullFor(error, place, path, execution.errors))
      } catch (error) {
        return nullFor(error, place, path, execution.errors)
      }
    })
    return hasPromise ? Promise.all(items) : items
  }
}
