/** Subscriptions to a subgraph in another process: one upstream stream for all who want the same and may see the same. */
import type { GraphQLDataSource } from '@apollo/gateway'
import { GraphQLError } from 'graphql'
import { fromEventCursor, toEventCursor } from '../../../subgraphs/shared/delivery/event-cursor.ts'
import type { EventStream } from '../../../subgraphs/shared/delivery/event-stream.ts'
import { invalid, ServiceError, toGraphQL } from '../../../subgraphs/shared/errors.ts'
import { mapStream } from '../../../subgraphs/shared/streams/stream.ts'
import type { GatewayContext } from '../../context.ts'
import { entitlement } from '../../entitlement.ts'
import type { EventSource, SourceRequest, SourceStream } from '../../subscriptions/source.ts'
import type { Upstream } from '../upstream.ts'
import { Hub } from './hub.ts'
import { type Headers, isUnauthorized } from './members.ts'
import { KEPT } from './recent-events.ts'
import { resuming, type UpstreamEvent } from './resuming.ts'
import { subscribeOverSocket } from './socket.ts'

export interface RemoteEventsParts {
  readonly upstream: Upstream
  /** The same subgraph, for queries. */
  readonly source: GraphQLDataSource<GatewayContext>
  /** How many events may wait for a subscriber (`SUBSCRIPTION_BUFFER`). */
  readonly capacity: number
  /** How long the subgraph may be away before its subscribers are told where to resume, in milliseconds. */
  readonly patienceMs?: number
}

const PATIENCE_MS = 60_000

const keyOf = ({ primary, variables, context }: SourceRequest) =>
  JSON.stringify([
    primary.resumable,
    primary.variablesFor(variables, undefined),
    entitlement(context.caller.principal),
  ])

/** Where the log stands, by the subgraph's own word: what happens from now on comes after it. */
const headOf = async (source: RemoteEventsParts['source'], context: GatewayContext): Promise<bigint> => {
  const request = { query: '{ latestEventCursor }' }
  const { data, errors } = await source.process({ request, context } as never)
  const [error] = errors ?? []
  if (error) throw new GraphQLError(error.message, { extensions: error.extensions })
  return fromEventCursor('cursor', data!['latestEventCursor'])
}

/** Not long ago where that is asked for: whoever comes back with a cursor then needs no connection of its own. */
const startOf = (after: bigint | undefined, head: bigint): bigint =>
  after !== undefined && after <= head && head - after <= KEPT ? after : head

/** A refusal with its place, where the subgraph itself would put it. */
const placed = (error: unknown, key: string): unknown => {
  const refusal = error instanceof ServiceError ? toGraphQL(error) : error
  if (!(refusal instanceof GraphQLError)) return error
  const { message, extensions, originalError } = refusal
  return new GraphQLError(message, { path: [key], extensions, originalError })
}

/** Opens streams at whichever instance may be asked. */
const opener = ({ upstream, patienceMs = PATIENCE_MS }: RemoteEventsParts, request: SourceRequest) => {
  const { primary, variables } = request
  return (after: bigint, headers: () => Headers) =>
    resuming({
      after,
      patienceMs,
      connect: cursor => {
        const instance = upstream.pick()
        return subscribeOverSocket({
          url: `${instance.origin.replace(/^http/, 'ws')}${instance.graphPath}`,
          headers: headers(),
          query: primary.resumable,
          variables: primary.variablesFor(variables, cursor),
          onAnswered: () => instance.succeeded(),
          onFailed: () => instance.failed(),
          onAbandoned: () => instance.abandoned(),
        })
      },
    })
}

const toSourceStream = (events: EventStream<UpstreamEvent>): SourceStream =>
  Object.defineProperty(
    mapStream(events, async ({ position, answer }) => ({
      id: `${position}`,
      read: async () => structuredClone(answer),
    })) as SourceStream,
    'cursor',
    { get: () => toEventCursor(events.position) },
  )

/** The event source of a subgraph in another process. */
export function createRemoteEventSource(parts: RemoteEventsParts): EventSource {
  const hubs = new Map<string, Promise<Hub>>()

  const open = async (request: SourceRequest, after: bigint | undefined, onEnd: () => void) => {
    const head = await headOf(parts.source, request.context)
    const { capacity } = parts
    return new Hub({ after: startOf(after, head), head, capacity, open: opener(parts, request), onEnd })
  }
  const begin = (key: string, request: SourceRequest, after: bigint | undefined): Promise<Hub> => {
    const forget = () => void (hubs.get(key) === hub && hubs.delete(key))
    const hub = open(request, after, forget)
    hubs.set(key, hub)
    hub.catch(forget)
    return hub
  }
  /** One that another began may have been refused for that one's own token. */
  const hubFor = (request: SourceRequest, after: bigint | undefined): Promise<Hub> => {
    const key = keyOf(request)
    const hub = hubs.get(key)
    if (!hub) return begin(key, request, after)
    return hub.catch(error => {
      if (isUnauthorized(error)) return hubFor(request, after)
      throw error
    })
  }
  /** A cursor of another system would wait for ever, where one that is merely ahead of the hub will be reached. */
  const checkAhead = async (after: bigint, context: GatewayContext) => {
    if (after > (await headOf(parts.source, context)))
      throw invalid('after must be the cursor of an event of this system, unchanged')
  }
  const join = async (request: SourceRequest, after: bigint | undefined): Promise<SourceStream> => {
    const hub = await hubFor(request, after)
    try {
      if (after !== undefined && after > hub.head) await checkAhead(after, request.context)
      // The last of the others may have left meanwhile.
      if (hub.ended) return join(request, after)
      return toSourceStream(hub.join(after ?? hub.head, request.context.headers))
    } finally {
      hub.endUnlessJoined()
    }
  }
  return {
    async subscribe(request) {
      const { after, primary } = request
      try {
        return await join(request, after === undefined ? undefined : fromEventCursor('after', after))
      } catch (error) {
        throw placed(error, primary.responseKey)
      }
    },
  }
}
