/** What graphql-js has for its own use and leaves out of its index; its version is pinned. */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields.js'
export { inspect } from 'graphql/jsutils/inspect.js'

/** Whether a value comes later, by graphql-js's rule: it has a function `then`. Primitives are not asked. */
export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as { readonly then?: unknown }).then === 'function'
