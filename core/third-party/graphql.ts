/** Internals of graphql-js that its index does not export; its version is pinned. */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields.js'
export { inspect } from 'graphql/jsutils/inspect.js'

/** Whether a value is a promise by graphql-js's rule: an object or function with a method `then`. */
export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as { readonly then?: unknown }).then === 'function'
