/**
 * Variables as graphql-js tells of them at once. It words each fault with the whole value, of which nothing is told in the
 * end (`graph/redact-values.ts`): of an object with 20,000 fields that took a tenth of a second, fault by fault.
 */

/** Deeper than the types of the graph are. */
const MAX_DEPTH = 16

/** graphql-js puts what `toJSON` says in place of an object's fields. */
const QUIET = { toJSON: () => '{…}' }

const quiet = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map(item => quiet(item, depth + 1))
  const fields = Object.entries(value).map(([name, field]) => [name, quiet(field, depth + 1)])
  return Object.setPrototypeOf(Object.fromEntries(fields), QUIET)
}

/** A copy to find faults in: it has the same fields, and is worded as `{…}`. */
export const quietValues = (variables: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, quiet(value, 0)]))
