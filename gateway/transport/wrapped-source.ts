/**
 * Sources that wrap the source of a subgraph. One asks once for the same of an entity, although the planner writes a representation
 * for each place and a fetch for each path; others count calls, give them spans (OpenTelemetry's conventions), and explain them.
 */
import { type FormattedExecutionResult, type GraphQLFormattedError, OperationTypeNode } from 'graphql'
import { STATUS_OF } from '#core/errors/catalogue.ts'
import { type Explanation, withSink } from '#core/observability/explanation.ts'
import type { SubgraphCalls, SubgraphOutcome } from '#core/observability/request-metrics.ts'
import type { Tracing } from '#core/observability/tracing.ts'
import { copyJson } from '#core/values/json.ts'
import {
  type DistinctEntities,
  type Fetch,
  representationsOf,
  type SubgraphSource,
  sentOperation,
} from './transport.ts'

/** Repeated representations, as they were found here or by the executor. */
type DedupedEntities = Pick<DistinctEntities, 'representations' | 'indexes'> & Partial<DistinctEntities>

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

/** Makes the entities of all places, each an object of its own where the executor merges into them. */
const expandEntities = (
  entities: readonly unknown[],
  { indexes, isRead }: Pick<DedupedEntities, 'indexes' | 'isRead'>,
): unknown[] => {
  if (isRead) return indexes.map(index => entities[index])
  const given = new Set<number>()
  return indexes.map(index => {
    const entity = entities[index]
    if (given.has(index)) return copyJson(entity)
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
  deduped: DedupedEntities,
): FormattedExecutionResult => {
  const { representations, indexes } = deduped
  const entities = data?.['_entities']
  const fits = Array.isArray(entities) && entities.length === representations.length
  return {
    ...rest,
    ...(data !== undefined && {
      data: fits ? { ...data, _entities: expandEntities(entities, deduped) } : data,
    }),
    ...(errors && { errors: expandErrors(errors, indexes) }),
  }
}

/** Call for entities that later fetches of its operation may share. */
interface AskedEntities {
  readonly byText: ReadonlyMap<string, number>
  readonly result: Promise<FormattedExecutionResult>
}

/** Place in Apollo's context of a request for the entities that its fetches have asked for, by their family. */
const ASKED = Symbol('asked')

type Asking = { [ASKED]?: Map<string, AskedEntities[]> }

/** Finds the calls of an operation that ask the same as this fetch; undefined where no other fetch does. */
const askedBefore = ({ distinct, incomingRequestContext: request }: Fetch): AskedEntities[] | undefined => {
  if (!distinct?.family || request?.operation?.operation !== OperationTypeNode.QUERY) return undefined
  const all = request as Asking
  all[ASKED] ??= new Map()
  const known = all[ASKED].get(distinct.family) ?? []
  all[ASKED].set(distinct.family, known)
  return known
}

const asksForAll = ({ byText: asked }: AskedEntities, byText: ReadonlyMap<string, number>): boolean => {
  if (asked.size < byText.size) return false
  for (const text of byText.keys()) if (!asked.has(text)) return false
  return true
}

/** Takes the entities of another call; undefined where it has failed, or some of them have. */
const takeEntities = async (
  { byText: asked, result }: AskedEntities,
  { byText, indexes }: DistinctEntities,
): Promise<FormattedExecutionResult | undefined> => {
  const { data, errors } = await result.catch((): FormattedExecutionResult => ({}))
  const entities = data?.['_entities']
  if (errors || !Array.isArray(entities) || entities.length !== asked.size) return undefined
  const found = [...byText.keys()].map(text => entities[asked.get(text)!])
  return { data: { _entities: indexes.map(index => found[index]) } }
}

/**
 * Makes a source that sends no representation twice in one request, nor in several requests of one operation that ask the same.
 */
export function dedupeEntities(source: SubgraphSource): SubgraphSource {
  const send = (fetch: Fetch, { representations }: DedupedEntities) => {
    const variables = { ...fetch.request.variables, representations }
    return source.process({ ...fetch, request: { ...fetch.request, variables } })
  }
  const processDistinct = async (fetch: Fetch, deduped: DedupedEntities) =>
    expand(await send(fetch, deduped), deduped)

  /** Executes a fetch whose entities another fetch of the operation may ask for. */
  const processFamily = async (fetch: Fetch, distinct: DistinctEntities, before: AskedEntities[]) => {
    const other = before.find(one => asksForAll(one, distinct.byText))
    const taken = other && (await takeEntities(other, distinct))
    if (taken) return taken
    const result = send(fetch, distinct)
    before.push({ byText: distinct.byText, result })
    return expand(await result, distinct)
  }

  return {
    process(fetch) {
      const { distinct } = fetch
      const before = askedBefore(fetch)
      if (distinct && before) return processFamily(fetch, distinct, before)
      if (distinct && distinct.representations.length === distinct.indexes.length)
        return source.process(fetch)
      const deduped = distinct ?? dedupe(representationsOf(fetch.request))
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
