/** The objects of a result. */

/** One of them. */
export type Data = Record<string, unknown>

/**
 * Makes the function that creates the objects of one selection. They inherit nothing, as graphql-js makes them, since a
 * response name may be anything; but what has no prototype at all V8 keeps as a hash table. With a class of their own
 * they are as large as their fields.
 */
export function createDataClass(): () => Data {
  class Selected {
    [name: string]: unknown
  }
  Object.setPrototypeOf(Selected.prototype, null)
  Reflect.deleteProperty(Selected.prototype, 'constructor')
  return () => new Selected()
}
