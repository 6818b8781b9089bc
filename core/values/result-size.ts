/** About how much memory a result takes, to bound what keeps results. */

const PER_VALUE = 16

/** In bytes; of lists and plain objects, everything in them, as often as it is in them. */
export function sizeOfResult(value: unknown): number {
  if (typeof value === 'string') return PER_VALUE + 2 * value.length
  if (typeof value !== 'object' || value === null) return PER_VALUE
  let size = 2 * PER_VALUE
  for (const one of Object.values(value)) size += PER_VALUE + sizeOfResult(one)
  return size
}
