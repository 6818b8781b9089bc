/** Promises as graphql-js knows them: whatever has a function `then`. */

/** Whether a value comes later. Primitives are not asked. */
export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as { readonly then?: unknown }).then === 'function'
