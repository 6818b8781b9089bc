/** What graphql-js has for its own use and leaves out of its index; its version is pinned. */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields.js'
export { inspect } from 'graphql/jsutils/inspect.js'
