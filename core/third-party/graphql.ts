/** Internals of graphql-js that its index does not export; its version is pinned. */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields.js'
export { inspect } from 'graphql/jsutils/inspect.js'
