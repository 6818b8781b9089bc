/** JSON values: what they are, the texts in them, and the memory that they take. */

/** Whether a value is an object of JSON: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const join = (path: string, name: string, inList: boolean) =>
  inList ? `${path}[${name}]` : path ? `${path}.${name}` : name

/** The texts in a JSON value, each with its path as a client's engineer would write it (`items[0].name`). */
export function* textsIn(value: unknown, path = ''): Generator<readonly [path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  if (typeof value !== 'object' || value === null) return
  const inList = Array.isArray(value)
  for (const [name, field] of Object.entries(value)) yield* textsIn(field, join(path, name, inList))
}

const PER_VALUE = 16

/** About how many bytes a value takes, with everything in its lists and plain objects, to bound caches of results. */
export function sizeOfResult(value: unknown): number {
  if (typeof value === 'string') return PER_VALUE + 2 * value.length
  if (typeof value !== 'object' || value === null) return PER_VALUE
  let size = 2 * PER_VALUE
  for (const one of Object.values(value)) size += PER_VALUE + sizeOfResult(one)
  return size
}
