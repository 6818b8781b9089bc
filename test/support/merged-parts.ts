/** Parts of a response put together, as a client does it. */
import type { DeferredResult, LaterPart } from '#gateway/deferral/parts.ts'

type Fields = Record<string, unknown>
export type Path = readonly (string | number)[]

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const mergeInto = (target: Fields, source: Fields): void => {
  for (const [key, value] of Object.entries(source)) {
    const known = target[key]
    if (isObject(known) && isObject(value)) mergeInto(known, value)
    else target[key] = value
  }
}

/** Response of a client when all parts have come. */
export interface Merged {
  readonly data: Fields | null
  readonly errors: readonly unknown[]
  /** Places of fragments that came to nothing, since a field was null that may not be. */
  readonly nulls: readonly Path[]
  readonly results: readonly DeferredResult<unknown>[]
}

/** Puts parts together as clients do. */
export function merge(
  first: { readonly data?: unknown; readonly errors?: readonly unknown[] | undefined },
  parts: readonly LaterPart<unknown>[],
): Merged {
  const data = structuredClone(first.data ?? null) as Fields | null
  const errors = [...(first.errors ?? [])]
  const results = parts.flatMap(({ incremental }) => incremental)
  const nulls: Path[] = []
  for (const { path, data: found, errors: own = [] } of results) {
    errors.push(...own)
    let target: unknown = data
    for (const step of path) target = (target as Record<string | number, unknown>)[step]
    if (!isObject(target)) throw new Error(`A part for nothing at ${path.join('.')}`)
    if (found) mergeInto(target, structuredClone(found))
    else nulls.push(path)
  }
  return { data, errors, nulls, results }
}
