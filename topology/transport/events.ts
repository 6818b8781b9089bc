/** Subscriptions to a subgraph in another process: one upstream stream for all who want the same and may see the same. */
import { GraphQLError } from 'graphql'
import { audienceOf } from '#core/access/audience.ts'
import { type SharedKey, sharedKey } from '#core/async/single-flight.ts'
import { mapStream } from '#core/async/stream.ts'
import { invalidField, ServiceError, toGraphQL } from '#core/errors/catalogue.ts'
import { fromEventCursor, toEventCursor } from '#core/events/cursor.ts'
import type { EventStream } from '#core/events/stream.ts'
import type { GatewayContext } from '#gateway/operation/context.ts'
import type { EventSource, SourceRequest, SourceStream } from '#gateway/transport/event-source.ts'
import type { SubgraphSource } from '#gateway/transport/transport.ts'
import type { Upstream } from '#topology/upstream/upstream.ts'
import { FanOut } from './fan-out.ts'
import { KEPT } from './recent-events.ts'
import { reconnectingStream, type UpstreamEvent } from './reconnecting-stream.ts'
import { type Headers, isUnauthorized } from './subscribers.ts'
import { subscribeOverSocket } from './subscription-socket.ts'

export interface RemoteEventsParts {
  readonly upstream: Upstream
  /** The same subgraph, for queries. */
  readonly source: SubgraphSource
  /** How many events may wait for a subscriber (`SUBSCRIPTION_BUFFER`). */
  readonly capacity: number
  /** How long the subgraph may be away before its subscribers are told where to resume, in milliseconds. */
  readonly patienceMs?: number
}

const PATIENCE_MS = 60_000

const keyOf = ({ primary, variables, context }: SourceRequest): SharedKey => {
  const asked = [primary.resumable, primary.variablesFor(variables, undefined)]
  return sharedKey(audienceOf(context.caller.principal), JSON.stringify(asked))
}

/** Where the log stands, by the subgraph's own word: what happens from now on comes after it. */
const headOf = async (source: RemoteEventsParts['source'], context: GatewayContext): Promise<bigint> => {
  const request = { query: '{ latestEventCursor }' }
  const { data, errors } = await source.process({ request, context })
  const [error] = errors ?? []
  if (error) throw new GraphQLError(error.message, { extensions: error.extensions })
  return fromEventCursor('cursor', data!['latestEventCursor'] as string)
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
    reconnectingStream({
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
    mapStream(events, async ({ position, response }) => ({
      id: `${position}`,
      read: async () => structuredClone(response),
    })) as SourceStream,
    'cursor',
    { get: () => toEventCursor(events.position) },
  )

/** The fan-outs of one subgraph, each for all who ask for the same and may see the same. */
class FanOuts {
  readonly #parts: RemoteEventsParts
  readonly #open = new Map<SharedKey, Promise<FanOut>>()

  constructor(parts: RemoteEventsParts) {
    this.#parts = parts
  }

  async join(request: SourceRequest, after: bigint | undefined): Promise<SourceStream> {
    const fanOut = await this.#find(request, after)
    try {
      if (after !== undefined && after > fanOut.head) await this.#checkAhead(after, request.context)
      // The last of the others may have left meanwhile.
      if (fanOut.ended) return this.join(request, after)
      return toSourceStream(fanOut.join(after ?? fanOut.head, request.context.headers))
    } finally {
      fanOut.endUnlessJoined()
    }
  }

  /** One that another began may have been refused for that one's own token. */
  #find(request: SourceRequest, after: bigint | undefined): Promise<FanOut> {
    const key = keyOf(request)
    const fanOut = this.#open.get(key)
    if (!fanOut) return this.#begin(key, request, after)
    return fanOut.catch(error => {
      if (isUnauthorized(error)) return this.#find(request, after)
      throw error
    })
  }

  #begin(key: SharedKey, request: SourceRequest, after: bigint | undefined): Promise<FanOut> {
    const forget = () => void (this.#open.get(key) === fanOut && this.#open.delete(key))
    const fanOut = this.#create(request, after, forget)
    this.#open.set(key, fanOut)
    fanOut.catch(forget)
    return fanOut
  }

  async #create(request: SourceRequest, after: bigint | undefined, onEnd: () => void): Promise<FanOut> {
    const { source, capacity } = this.#parts
    const head = await headOf(source, request.context)
    const open = opener(this.#parts, request)
    return new FanOut({ after: startOf(after, head), head, capacity, open, onEnd })
  }

  /** A cursor of another system would wait for ever, where one that is merely ahead of the fan-out will be reached. */
  async #checkAhead(after: bigint, context: GatewayContext): Promise<void> {
    if (after > (await headOf(this.#parts.source, context)))
      throw invalidField('after', 'BAD_CURSOR', 'must be the cursor of an event of this system, unchanged')
  }
}

/** The event source of a subgraph in another process. */
export function createRemoteEventSource(parts: RemoteEventsParts): EventSource {
  const fanOuts = new FanOuts(parts)
  return {
    async subscribe(request) {
      const { after, primary } = request
      try {
        return await fanOuts.join(request, after === undefined ? undefined : fromEventCursor('after', after))
      } catch (error) {
        throw placed(error, primary.responseKey)
      }
    },
  }
}
