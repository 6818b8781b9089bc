/**
 * The transport to a subgraph: its queries and its events, what its operations are each time they are sent, and the transport to
 * a subgraph in this process, which has no text on the way.
 */
import { type FormattedExecutionResult, GraphQLError, Kind, OperationTypeNode, parse } from 'graphql'
import { LRUCache } from 'lru-cache'
import { mapStream, type Stream } from '#core/async/stream.ts'
import type { EventOrigin, EventRow } from '#core/events/event.ts'
import { toEventCursor } from '#core/events/read.ts'
import type { PositionedStream } from '#core/events/stream.ts'
import { type Executed, type Executor, isRefusal } from '#core/graph/executor.ts'
import { MAX_DOCUMENT_BYTES, MAX_OPERATIONS } from '#core/graph/operation-limits.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import type { GatewayContext } from '../operation/context.ts'
import type { Primary, Variables } from '../operation/rewrites.ts'

/** A fetch of a plan: the part of Apollo Gateway's options that data sources here use. */
export interface Fetch {
  readonly request: {
    readonly query?: string
    readonly operationName?: string
    readonly variables?: Record<string, unknown>
  }
  readonly context: GatewayContext
  /** Operation of the client, where the fetch is part of one that came whole. */
  readonly incomingRequestContext?: { readonly operation?: { readonly operation: string } }
  /** The path of the fetch's entities in the client's response; `@` stands for each item of a list. */
  readonly pathInIncomingRequest?: readonly (string | number)[]
  /** Its representations without repetitions, where the executor has found them. */
  readonly distinct?: DistinctEntities | undefined
}

/** Representations of a fetch, each once. */
export interface DistinctEntities {
  readonly representations: readonly unknown[]
  /** Index of the representation of each place. */
  readonly indexes: readonly number[]
  /** Index of each representation by a text of its values. */
  readonly byText: ReadonlyMap<string, number>
  /** Whether the executor only reads the entities that it receives, so that one may be given several times. */
  readonly isRead: boolean
  /** Text that is the same for all fetches of the operation that ask the same of entities; undefined where there is no other. */
  readonly family: string | undefined
}

/** A data source, in terms of Apollo Gateway. */
export interface SubgraphSource {
  process(fetch: Fetch): Promise<FormattedExecutionResult>
}

/** One event of the owning subgraph. */
export interface SourceEvent {
  /** Id of the event, the same for all subscribers. */
  readonly id: string
  /** Its origin, for the span of its delivery; absent where the subgraph does not trace. */
  readonly origin?: EventOrigin | undefined
  /**
   * Reads the response of the primary fetch for this event: a new object each time, since results are merged into it.
   */
  read(context: GatewayContext): Promise<Executed>
}

/** Events as they come. */
export interface SourceStream extends Stream<SourceEvent> {
  /** The cursor of the last event taken. A stream that begins after it misses nothing and repeats nothing. */
  readonly cursor: string
}

/** A subscription of a client. */
export interface SourceRequest {
  readonly primary: Primary
  readonly variables: Variables
  /** The cursor to begin after; undefined for what happens from now on. */
  readonly after: string | undefined
  readonly context: GatewayContext
}

/** A subgraph that can be subscribed to. */
export interface EventSource {
  /**
   * Subscribes. Ending the stream ends it at once.
   * @throws GraphQLError when the subgraph refuses.
   */
  subscribe(request: SourceRequest): Promise<SourceStream>
}

/** The transport to one subgraph. */
export interface SubgraphTransport {
  /** Whether the subgraph runs in another process. */
  readonly isRemote?: boolean
  readonly source: SubgraphSource
  readonly events: EventSource
}

/** Finds the transport to the subgraph of this name, at `url` according to the supergraph; undefined where there is none. */
export type TransportResolver = (name: string, url: string | undefined) => SubgraphTransport | undefined

export interface SentOperation {
  /** An identifier among all operations that are kept, the same for operations that differ in their names alone. */
  readonly id: number
  readonly isQuery: boolean
  /** The fields that it selects at its root. */
  readonly rootFields: readonly string[]
  /** Text of the body up to its variables, with `"query"` and `"operationName"`. */
  readonly bodyStart: string
}

const known = new LRUCache<string, SentOperation>({
  max: MAX_OPERATIONS,
  maxSize: MAX_DOCUMENT_BYTES,
  sizeCalculation: ({ bodyStart }, query) => 2 * (query.length + bodyStart.length),
})

const ids = new LRUCache<string, number>({
  max: MAX_OPERATIONS,
  maxSize: MAX_DOCUMENT_BYTES,
  sizeCalculation: (_id, text) => 2 * text.length,
})

let last = 0

/**
 * Finds the identifier of an operation by its text without its name: the planner names the fetches of a plan by their
 * numbers, so that the same read would be sent once for each place in the operation.
 */
const idOf = (query: string, operationName: string | undefined): number => {
  const named = operationName && `query ${operationName}`
  const text = named && query.startsWith(named) ? `query${query.slice(named.length)}` : query
  const found = ids.get(text)
  if (found !== undefined) return found
  last += 1
  ids.set(text, last)
  return last
}

const prepare = (query: string, operationName: string | undefined): SentOperation => {
  const { definitions } = parse(query, { noLocation: true })
  const operation = definitions.find(one => one.kind === Kind.OPERATION_DEFINITION)
  const selections = operation?.selectionSet.selections ?? []
  const name = operationName ? `,"operationName":${JSON.stringify(operationName)}` : ''
  return {
    id: idOf(query, operationName),
    isQuery: operation?.operation === OperationTypeNode.QUERY,
    rootFields: selections.flatMap(one => (one.kind === Kind.FIELD ? [one.name.value] : [])),
    bodyStart: `{"query":${JSON.stringify(query)}${name},"variables":`,
  }
}

/** Prepares an operation once; a planned text has one name, which stands in it. */
export function sentOperation(query: string, operationName: string | undefined): SentOperation {
  const found = known.get(query)
  if (found) return found
  const prepared = prepare(query, operationName)
  known.set(query, prepared)
  return prepared
}

/**
 * Finds the representations of a fetch for entities; undefined for one for root fields. The text decides, since a
 * client's own variable may be called `representations` too.
 * @param sent the operation of the request, where it is known.
 */
export const representationsOf = (
  { query, operationName, variables }: Fetch['request'],
  sent?: SentOperation,
) => {
  const given = variables?.['representations']
  if (!Array.isArray(given) || !query) return undefined
  const { rootFields } = sent ?? sentOperation(query, operationName)
  return rootFields.includes('_entities')
    ? (given as readonly Readonly<Record<string, unknown>>[])
    : undefined
}

/** Makes the data source of one subgraph in this process. */
export function createLocalSource(subgraph: Subgraph, executor: Executor): SubgraphSource {
  const run = ({ query, variables }: Fetch['request'], from: GatewayContext) => {
    const { caller } = from
    const document = executor.prepare(query!)
    if (isRefusal(document)) return { errors: executor.format(document, caller) }
    return executor.execute({ document, variables, caller, context: from.forSubgraph(subgraph) })
  }
  /** Makes a thrown error one of GraphQL, as errors of a result have to be. */
  const failed = (error: Error, { caller }: GatewayContext) => ({
    errors: executor.format([new GraphQLError(error.message, { originalError: error })], caller),
  })
  return {
    async process({ request, context }) {
      try {
        return await run(request, context)
      } catch (error) {
        return failed(error as Error, context)
      }
    },
  }
}

/** Prepares the operation in the context of each event, whose loaders remember nothing of the event before. */
const operationOf = (subgraph: Subgraph, executor: Executor, request: SourceRequest) => {
  const { primary, variables, after } = request
  const document = executor.prepare(primary.resumable)
  if (isRefusal(document)) throw document[0]
  const fixed = { document, variables: primary.variablesFor(variables, after) }
  return (own: GatewayContext) => ({ ...fixed, caller: own.caller, context: own.forSubgraph(subgraph) })
}

const withCursor = (stream: PositionedStream<EventRow>, events: SourceStream): SourceStream =>
  Object.defineProperty(events, 'cursor', { get: () => toEventCursor(stream.position) })

/** Makes the event source of one subgraph in this process. */
export const createLocalEventSource = (subgraph: Subgraph, executor: Executor): EventSource => ({
  async subscribe(request) {
    const operationFor = operationOf(subgraph, executor, request)
    const stream = await executor.subscribe(operationFor(request.context))
    const events = mapStream(stream, async event => ({
      id: `${event.position}`,
      origin: event,
      read: (own: GatewayContext) => executor.execute(operationFor(own), event),
    }))
    return withCursor(stream, events as SourceStream)
  },
})
