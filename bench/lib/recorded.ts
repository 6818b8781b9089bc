/** Results of the resolvers in one request, given again without their work: the executor's own work remains. */
import { type GraphQLField, type GraphQLSchema, isObjectType, print } from 'graphql'

/** A fetch as the subgraph's executor had it. */
export interface RecordedFetch {
  readonly query: string
  readonly variables: Record<string, unknown>
  readonly context: unknown
}

/** A schema whose resolvers record their results, and later replay them. */
export interface Recording {
  readonly fetches: readonly RecordedFetch[]
  replay(): void
}

/** Gives what was given once more: a promise where it was one. */
type Again = () => unknown

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise

/** A list may hold promises itself. */
const againOfList = (list: readonly unknown[]): Again => {
  const items = list.map(againOf)
  return () => items.map(again => again())
}

const againOf = (given: unknown): Again => {
  if (Array.isArray(given) && given.some(isPromise)) return againOfList(given)
  if (!isPromise(given)) return () => given
  let again: Again | undefined
  given.then(
    value => {
      again = againOf(value)
    },
    () => undefined,
  )
  return () => Promise.resolve(again!())
}

/** Has a schema record the results of its resolvers, for each parent; properties are read each time. */
export function recordSchema(schema: GraphQLSchema): Recording {
  const fetches: RecordedFetch[] = []
  let isReplaying = false
  const root = schema.getQueryType()!
  const wrap = (field: GraphQLField<unknown, unknown>, isRoot: boolean) => {
    const { resolve } = field
    if (!resolve) return
    const known = new Map<unknown, Again>()
    field.resolve = (source, args, context, info) => {
      if (isReplaying) return known.get(source)!()
      if (isRoot) {
        const { operation, fragments, variableValues } = info
        const query = [operation, ...Object.values(fragments)].map(print).join('\n')
        fetches.push({ query, variables: variableValues, context })
      }
      const given = resolve(source, args, context, info)
      known.set(source, againOf(given))
      return given
    }
  }
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type)) for (const field of Object.values(type.getFields())) wrap(field, type === root)
  return {
    fetches,
    replay() {
      isReplaying = true
    },
  }
}
