/**
 * When parts put together are the whole response (docs/adr/0016-defer-through-the-planner.md): the data are the same once a fragment
 * that came to nothing makes null what its object makes null in a whole response, and so are the errors, but for those inside of
 * what is null: GraphQL has one of them at least.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  isCompositeType,
  isListType,
  isNonNullType,
  isUnionType,
  Kind,
  type SelectionNode,
} from 'graphql'
import type { DeferredResult } from '#gateway/deferral/parts.ts'
import type { PlanResult } from '#gateway/supergraph/engine.ts'
import type { Merged, Path } from '#test/support/merged-parts.ts'

/** Finds the type of the field at a path of the response: GraphQL has one nullability for a name in all fragments. */
const typesIn = (schema: GraphQLSchema, document: DocumentNode) => {
  const fragments = new Map(
    document.definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
      .map(one => [one.name.value, one]),
  )
  const operation = getOperationAST(document)!
  const fieldsOf = (
    selections: readonly SelectionNode[],
    typeName: string,
    key: string,
  ): [GraphQLOutputType, readonly SelectionNode[]][] =>
    selections.flatMap((one): [GraphQLOutputType, readonly SelectionNode[]][] => {
      if (one.kind === Kind.FIELD) {
        const type = schema.getType(typeName)
        if ((one.alias ?? one.name).value !== key || !isCompositeType(type) || isUnionType(type)) return []
        const field = type.getFields()[one.name.value]
        return field ? [[field.type, one.selectionSet?.selections ?? []]] : []
      }
      const fragment = one.kind === Kind.FRAGMENT_SPREAD ? fragments.get(one.name.value)! : one
      return fieldsOf(fragment.selectionSet.selections, fragment.typeCondition?.name.value ?? typeName, key)
    })
  return (path: Path): GraphQLOutputType | undefined => {
    let at: [string, readonly SelectionNode[]][] = [
      [schema.getRootType(operation.operation)!.name, operation.selectionSet.selections],
    ]
    let type: GraphQLOutputType | undefined
    for (const step of path) {
      if (typeof step === 'number') {
        const list = type && getNullableType(type)
        type = isListType(list) ? list.ofType : undefined
        continue
      }
      const found = at.flatMap(([name, selections]) => fieldsOf(selections, name, step))
      type = found[0]?.[0]
      at = found.map(([one, selections]) => [getNamedType(one).name, selections])
    }
    return type
  }
}

const copyOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

/** Makes null an object, and what holds it as far as that may not be null. */
const nullUp = (
  data: unknown,
  path: Path,
  typeAt: (path: Path) => GraphQLOutputType | undefined,
): unknown => {
  let end = path.length
  while (end > 0 && isNonNullType(typeAt(path.slice(0, end)))) end -= 1
  if (end === 0) return null
  let holder = data
  for (const step of path.slice(0, end - 1)) {
    holder = (holder as Record<string | number, unknown> | null | undefined)?.[step]
    if (holder === null || holder === undefined) return data
  }
  ;(holder as Record<string | number, unknown>)[path[end - 1]!] = null
  return data
}

function* differences(whole: unknown, parts: unknown, path: Path = []): Generator<string> {
  if (typeof whole === 'object' && typeof parts === 'object' && whole && parts) {
    const [one, other] = [whole, parts] as Record<string, unknown>[]
    for (const key of new Set([...Object.keys(one!), ...Object.keys(other!)])) {
      const step = Array.isArray(whole) ? Number(key) : key
      yield* differences(one![key], other![key], [...path, step])
    }
  } else if (whole !== parts) yield `${path.join('.')}: ${JSON.stringify(whole)}, ${JSON.stringify(parts)}`
}

const pathOf = (error: unknown): Path | undefined => (error instanceof GraphQLError ? error.path : undefined)

/** Place of the null inside of which a field is; undefined for a field that is shown, be it as null. */
const nullAround = (data: unknown, path: Path): Path | undefined => {
  let value = data
  for (const [index, step] of path.entries()) {
    if (value === null || value === undefined) return path.slice(0, index)
    value = (value as Record<string | number, unknown>)[step]
  }
  return undefined
}

const startsWith = (path: Path, start: Path): boolean => start.every((step, index) => path[index] === step)

interface Place {
  readonly key: string
  readonly path: Path | undefined
  /** Null inside of which the field is. */
  readonly inside: Path | undefined
}

const placesIn = (errors: readonly unknown[], data: unknown): Place[] =>
  errors.map(error => {
    const path = pathOf(error)
    return {
      key: `${path?.join('.')} ${(error as Error).message}`,
      path,
      inside: path && nullAround(data, path),
    }
  })

/** Errors of one side that the other lacks. */
const lackingIn = (other: readonly Place[], own: readonly Place[]): string[] =>
  own.flatMap(({ key, inside }) => {
    const isThere = other.some(one => one.key === key)
    const isTold = inside && other.some(({ path }) => path && startsWith(path, inside))
    return isThere || isTold ? [] : [key]
  })

/** A part of a response; the first one has no path. */
type Part = Pick<DeferredResult<unknown>, 'data' | 'errors'> & { readonly path?: Path }

/** Whether a part shows the field of an error, or null around it. */
const isShownBy = ({ path: start = [], data }: Part, path: Path): boolean => {
  if (!startsWith(path, start)) return false
  let value: unknown = data
  for (const step of path.slice(start.length)) {
    if (value === null) return true
    if (typeof value !== 'object' || !Object.hasOwn(value, step)) return false
    value = (value as Record<string | number, unknown>)[step]
  }
  return value === null
}

/** Errors of one part that belong to another, or stand there more often than in the whole response. */
const misplacedIn = (part: Part, ofWhole: readonly Place[], isShown: (place: Place) => boolean): string[] => {
  const counts = new Map<string, number>()
  const places = placesIn(part.errors ?? [], undefined).filter(isShown)
  return places.flatMap(({ key, path }) => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    const most = Math.max(1, ofWhole.filter(one => one.key === key).length)
    return count > most || (path && !isShownBy(part, path)) ? [key] : []
  })
}

/** Finds where the parts of an operation put together differ from its whole response. */
export const partsDifferences = (
  schema: GraphQLSchema,
  document: DocumentNode,
  whole: PlanResult,
  first: PlanResult,
  merged: Merged,
): string[] => {
  const typeAt = typesIn(schema, document)
  const nulled = merged.nulls.reduce<unknown>((data, path) => nullUp(data, path, typeAt), copyOf(merged.data))
  const data = copyOf(whole.data)
  // Apollo's planner fetches fields of a fragment for objects of another type too, and tells their errors.
  const isShown = ({ path }: Place) => !path || isShownBy({ data: data as Part['data'] }, path)
  const ofWhole = placesIn(whole.errors ?? [], data).filter(isShown)
  const ofParts = placesIn(merged.errors, data).filter(isShown)
  const parts: Part[] = [first as Part, ...merged.results]
  return [
    ...differences(data, nulled),
    ...lackingIn(ofParts, ofWhole).map(key => `missing: ${key}`),
    ...lackingIn(ofWhole, ofParts).map(key => `more: ${key}`),
    ...parts
      .flatMap(part => misplacedIn({ ...part, data: copyOf(part.data) as Part['data'] }, ofWhole, isShown))
      .map(key => `misplaced: ${key}`),
  ]
}
