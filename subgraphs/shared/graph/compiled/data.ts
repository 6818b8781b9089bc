/** The objects of a result. */

/** One of them. */
export type Data = Record<string, unknown>

/** As graphql-js makes it, without a prototype, since a response name may be anything; written so, V8 is done sooner. */
export const createData = (): Data => ({ __proto__: null })
