/** Copies of results: the executor merges into what it is given, so nothing may be given twice. */

/** Inheriting nothing, or no more than every object does. */
const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** A copy of lists and plain objects; whatever else a scalar may have become is a leaf, never merged into. */
export function copy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copy) as T
  if (!isPlain(value)) return value
  const result: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(value)) result[name] = copy(one)
  return result as T
}
