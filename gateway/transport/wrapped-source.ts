/**
 * Sources that wrap the source of a subgraph. One sends repeated representations once, although the planner writes one for each
 * place where an entity occurs; others count calls, give them spans (OpenTelemetry's conventions for GraphQL), and explain them.
 */
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { STATUS_OF } from '#core/errors/catalogue.ts'
import { type Explanation, withSink } from '#core/observability/explanation.ts'
import type { SubgraphCalls, SubgraphOutcome } from '#core/observability/request-metrics.ts'
import type { Tracing } from '#core/observability/tracing.ts'
import { type Fetch, representationsOf, type SubgraphSource, sentOperation } from './transport.ts'

interface DedupedEntities {
  readonly representations: readonly unknown[]
  /** Index of the representation of each place. */
  readonly indexes: readonly number[]
}

/**
 * Finds the repetitions; undefined without any. Equal representations have equal texts, since one selection writes all
 * of them.
 */
const dedupe = (all: readonly unknown[] | undefined): DedupedEntities | undefined => {
  if (!all || all.length < 2) return undefined
  const known = new Map<string, number>()
  const representations: unknown[] = []
  const indexes = all.map(one => {
    const text = JSON.stringify(one)
    const index = known.get(text) ?? representations.push(one) - 1
    known.set(text, index)
    return index
  })
  return representations.length === all.length ? undefined : { representations, indexes }
}

/** Whether an object inherits nothing, or no more than every object does. */
const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * Copies a result's lists and plain objects. The executor merges into its results, so no object may be given twice; any
 * other object is the value of a scalar, which is never merged into.
 */
export function copyResult<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyResult) as T
  if (!isPlain(value)) return value
  const result: Record<string, unknown> = {}
  for (const name of Object.keys(value)) result[name] = copyResult((value as Record<string, unknown>)[name])
  return result as T
}

/** Makes the entities of all places, each an object of its own, since the executor merges into them. */
const expandEntities = (entities: readonly unknown[], indexes: readonly number[]): unknown[] => {
  const given = new Set<number>()
  return indexes.map(index => {
    const entity = entities[index]
    if (given.has(index)) return copyResult(entity)
    given.add(index)
    return entity
  })
}

const placesOf = (indexes: readonly number[]): number[][] => {
  const places: number[][] = []
  for (const [place, index] of indexes.entries()) {
    places[index] ??= []
    places[index].push(place)
  }
  return places
}

/** Repeats an error within an entity for each place where that entity stands. */
const expandErrors = (
  errors: readonly GraphQLFormattedError[],
  indexes: readonly number[],
): GraphQLFormattedError[] => {
  const places = placesOf(indexes)
  return errors.flatMap(error => {
    const [field, index, ...rest] = error.path ?? []
    const own = field === '_entities' && typeof index === 'number' ? places[index] : undefined
    // The message by name, since a spread leaves out that of a GraphQLError.
    return (
      own?.map(place => ({ ...error, message: error.message, path: ['_entities', place, ...rest] })) ?? [
        error,
      ]
    )
  })
}

const expand = (
  { data, errors, ...rest }: FormattedExecutionResult,
  { representations, indexes }: DedupedEntities,
): FormattedExecutionResult => {
  const entities = data?.['_entities']
  const fits = Array.isArray(entities) && entities.length === representations.length
  return {
    ...rest,
    ...(data !== undefined && {
      data: fits ? { ...data, _entities: expandEntities(entities, indexes) } : data,
    }),
    ...(errors && { errors: expandErrors(errors, indexes) }),
  }
}

/** Makes a source that sends no representation twice in one request. */
export function dedupeEntities(source: SubgraphSource): SubgraphSource {
  const processDistinct = async (fetch: Fetch, deduped: DedupedEntities) => {
    const variables = { ...fetch.request.variables, representations: deduped.representations }
    const response = await source.process({ ...fetch, request: { ...fetch.request, variables } })
    return expand(response, deduped)
  }
  return {
    process(fetch) {
      const deduped = dedupe(representationsOf(fetch.request))
      return deduped ? processDistinct(fetch, deduped) : source.process(fetch)
    },
  }
}

const STATUSES: Readonly<Record<string, number | undefined>> = STATUS_OF

/** The outcome that the first error shows: what a client may not do or did wrong is no fault of the subgraph. */
const outcomeOf = ({ errors }: FormattedExecutionResult): SubgraphOutcome => {
  if (!errors?.length) return 'ok'
  const code = String(errors[0]!.extensions?.['code'])
  if (code === 'SERVICE_UNAVAILABLE') return 'unavailable'
  if (code === 'REQUEST_TIMEOUT_EXCEEDED') return 'timeout'
  return (STATUSES[code] ?? 500) < 500 ? 'refused' : 'errors'
}

/** Counts the calls of a subgraph's source. */
export const measuredSource = (
  name: string,
  source: SubgraphSource,
  calls: SubgraphCalls,
): SubgraphSource => ({
  process(fetch) {
    const began = performance.now()
    const count = (outcome: SubgraphOutcome) =>
      calls.count(name, outcome, (performance.now() - began) / 1_000)
    return source.process(fetch).then(
      result => {
        count(outcomeOf(result))
        return result
      },
      error => {
        count('errors')
        throw error
      },
    )
  },
})

const attributesOf = (subgraph: string, { query, operationName, variables }: Fetch['request']) => ({
  'graphql.operation.type': sentOperation(query!, operationName).isQuery ? 'query' : 'mutation',
  'graphql.operation.name': operationName,
  'partner_graph.subgraph': subgraph,
  'partner_graph.entities': representationsOf({ query, operationName, variables })?.length,
})

/** A source whose fetches have a span each. */
export const withFetchSpans = (
  traces: Tracing,
  subgraph: string,
  isRemote: boolean,
  source: SubgraphSource,
): SubgraphSource => ({
  process(fetch) {
    if (!traces.current()?.isRecorded) return source.process(fetch)
    const attributes = attributesOf(subgraph, fetch.request)
    const span = traces.part(`fetch ${subgraph}`, { kind: isRemote ? 'client' : 'internal', attributes })
    return traces.run(span, async () => {
      const result = await source.process(fetch)
      const [error] = result.errors ?? []
      if (error) span?.fail(String(error.extensions?.['code'] ?? '_OTHER'))
      return result
    })
  },
})

/** Makes a source whose fetches stand in the explanation of their request. */
export const explainFetches = (subgraph: string, source: SubgraphSource): SubgraphSource => {
  const explain = async (explanation: Explanation, fetch: Fetch) => {
    const { request, pathInIncomingRequest: path = [] } = fetch
    const entities = representationsOf(request)?.length
    const explained = explanation.begin({ subgraph, path, operation: request.query!, entities })
    const result = await withSink(explained, () => source.process(fetch))
    explained.end(result.errors?.length ?? 0)
    return result
  }
  return {
    // Nearly no request is explained: its fetches need no promise more for that.
    process(fetch) {
      const explanation = fetch.context.facts?.explanation
      return explanation ? explain(explanation, fetch) : source.process(fetch)
    },
  }
}
