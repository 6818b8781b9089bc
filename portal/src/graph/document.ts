/** Documents of operations: their text, with the types of data and variables. `npm run codegen` writes them. */

declare const TYPES: unique symbol

export type GraphDocument<Data, Variables> = string & { readonly [TYPES]?: (variables: Variables) => Data }

/** The data of a document. */
export type DataOf<Document> = Document extends GraphDocument<infer Data, infer _> ? Data : never

/** Name of the operation, as the document says it. */
export const operationName = (document: string): string =>
  /\b(?:query|mutation|subscription)\s+(\w+)/.exec(document)?.[1] ?? 'Query'

/** The part of an address behind `/graphql` by which an operation is shared. */
export const shareHash = ({ query, variables }: { query: string; variables: string }): string =>
  new URLSearchParams({ query, variables }).toString()
