/** Paths in the parts of a response: places of errors, and of objects that are null. */
import type { SelectionSet } from '@apollo/federation-internals'
import type { Occurrence, Path, ShapedPart } from './part-shape.ts'

/** Path of an error; undefined without one. */
export const errorPathOf = (error: unknown): Path | undefined => {
  const path = (error as { path?: unknown } | null | undefined)?.path
  return Array.isArray(path) ? path : undefined
}

/** Whether a path leads to a place or into it. */
export const startsWith = (path: Path, start: Path): boolean =>
  start.every((step, index) => path[index] === step)

/** Whether a path leads to an object or into it. */
export const leadsInto = (path: Path | undefined, { path: place }: Occurrence): boolean =>
  path !== undefined && startsWith(path, place)

const valueAt = (data: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, step) => (value as Record<string | number, unknown> | null | undefined)?.[step],
    data,
  )

/** Makes the object at a path null. @returns whether there was one. */
export const nullify = (data: unknown, path: Path): boolean => {
  const last = path.at(-1)
  const holder = valueAt(data, path.slice(0, -1)) as Record<string | number, unknown> | null | undefined
  if (last === undefined || (holder?.[last] ?? null) === null) return false
  holder![last] = null
  return true
}

/** Whether a part shows the field at a path, or null in place of what leads to it. */
export const shows = (data: unknown, path: Path): boolean => {
  let value = data
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return true
    if (!Object.hasOwn(value, step)) return false
    value = (value as Record<string | number, unknown>)[step]
  }
  return true
}

/** Whether a part has a value in the place of an error. */
export const hasValue = (error: unknown, occurrence: Occurrence, data: ShapedPart['data']): boolean => {
  const path = errorPathOf(error)
  if (!path || !leadsInto(path, occurrence)) return false
  return (valueAt(data, path.slice(occurrence.path.length)) ?? null) !== null
}

/** Takes the errors within an object, and with the last object of a fragment those that are left. */
export const takeErrors = (all: unknown[], occurrence: Occurrence, isLast: boolean): unknown[] => {
  const own = all.filter(error => isLast || leadsInto(errorPathOf(error), occurrence))
  for (const one of own) all.splice(all.indexOf(one), 1)
  return own
}

const hasField = (set: SelectionSet, [key, ...rest]: Path): boolean =>
  set.selections().some(({ kind, element, selectionSet }) => {
    if (kind === 'FragmentSelection') return hasField(selectionSet!, [key!, ...rest])
    if (element.kind !== 'Field' || element.responseName() !== key) return false
    return rest.length === 0 || (selectionSet !== undefined && hasField(selectionSet, rest))
  })

/** Whether a fragment, or one within it, selects the field at a path. */
export const selects = (occurrence: Occurrence, path: Path): boolean => {
  const keys = path.slice(occurrence.path.length).filter(step => typeof step === 'string')
  return leadsInto(path, occurrence) && hasField(occurrence.selectionSet, keys)
}

/** Key of an error: the same for errors that say the same of the same field. */
export const keyOfError = (error: unknown): string =>
  JSON.stringify([errorPathOf(error), (error as Error | undefined)?.message])

/** Errors without those that say the same of the same field: a plan may fetch a field twice. */
export const withoutRepeats = (errors: readonly unknown[]): unknown[] => {
  const known = new Set<string>()
  return errors.filter(error => {
    const key = keyOfError(error)
    if (errorPathOf(error) && known.has(key)) return false
    known.add(key)
    return true
  })
}
