/** Subscriptions to a subgraph in another process: one upstream stream for all with the same operation and visibility. */
import { GraphQLError } from 'graphql'
import { GATEWAY_SEAL } from '#core/access/gateway-seal.ts'
import { audienceOf } from '#core/access/visibility.ts'
import { type SharedKey, sharedKey } from '#core/async/single-flight.ts'
import { mapStream } from '#core/async/stream.ts'
import { invalidField, ServiceError, toGraphQL } from '#core/errors/catalogue.ts'
import { EVENT_ORIGIN, type EventOrigin } from '#core/events/event.ts'
import { untilReached } from '#core/events/reached.ts'
import { fromEventCursor, notReached, toEventCursor } from '#core/events/read.ts'
import type { EventStream } from '#core/events/stream.ts'
import type { GatewayContext } from '#gateway/operation/context.ts'
import type {
  EventSource,
  SourceRequest,
  SourceStream,
  SubgraphSource,
} from '#gateway/transport/transport.ts'
import type { Upstream } from '#topology/upstream/upstream.ts'
import { FanOut, isUnauthorized, type SubscriberHeaders } from './fan-out.ts'
import { reconnectingStream, type UpstreamEvent } from './reconnecting-stream.ts'
import { KEPT } from './replay.ts'
import { subscribeOverSocket } from './subscription-socket.ts'

export interface RemoteEventsOptions {
  readonly upstream: Upstream
  /** The data source of the same subgraph. */
  readonly source: SubgraphSource
  /** The most events that may wait for a subscriber (`SUBSCRIPTION_BUFFER`). */
  readonly capacity: number
  /** Called when a subscriber is ended since it reads too slowly. */
  readonly onSlow?: () => void
  /** The outage of the subgraph after which its subscribers are ended with a cursor to resume from, in milliseconds. */
  readonly maxOutageMs?: number
  /** Gives the seal of this gateway. */
  readonly seal?: () => string
  /** Whether the subgraph may be on a standby, which lags: then a cursor ahead of it is waited for. */
  readonly mayLag?: boolean
}

const MAX_OUTAGE_MS = 60_000

const keyOf = ({ primary, variables, context }: SourceRequest): SharedKey => {
  const identity = [primary.resumable, primary.variablesFor(variables, undefined)]
  return sharedKey(audienceOf(context.caller.principal), JSON.stringify(identity))
}

/** The position of the log's last event, as the subgraph reports it; later events come after it. */
const headOf = async (source: RemoteEventsOptions['source'], context: GatewayContext): Promise<bigint> => {
  const request = { query: '{ latestEventCursor }' }
  const { data, errors } = await source.process({ request, context })
  const [error] = errors ?? []
  if (error) throw new GraphQLError(error.message, { extensions: error.extensions })
  return fromEventCursor('cursor', data!['latestEventCursor'] as string)
}

/**
 * Start of a fan-out: the cursor of a client that comes back soon, so that the client needs no connection of its own;
 * else the head.
 */
const startOf = (after: bigint | undefined, head: bigint): bigint =>
  after !== undefined && after <= head && head - after <= KEPT ? after : head

/** Gives a refusal the path that the subgraph itself would give it. */
const placed = (error: unknown, key: string): unknown => {
  const refusal = error instanceof ServiceError ? toGraphQL(error) : error
  if (!(refusal instanceof GraphQLError)) return error
  const { message, extensions, originalError } = refusal
  return new GraphQLError(message, { path: [key], extensions, originalError })
}

/** Makes the function that opens streams at the subgraph. */
const opener = (
  { upstream, seal, maxOutageMs = MAX_OUTAGE_MS }: RemoteEventsOptions,
  request: SourceRequest,
) => {
  const { primary, variables } = request
  return (after: bigint, headers: () => SubscriberHeaders) =>
    reconnectingStream({
      after,
      maxOutageMs,
      connect: cursor => {
        const call = upstream.claim()
        return subscribeOverSocket({
          url: `${call.origin.replace(/^http/, 'ws')}${call.graphPath}`,
          headers: { ...headers(), ...(seal && { [GATEWAY_SEAL]: seal() }) },
          query: primary.resumable,
          variables: primary.variablesFor(variables, cursor),
          onResponse: () => call.succeeded(),
          onFailed: () => call.failed(),
          onAbandoned: () => call.abandoned(),
        })
      },
    })
}

const toSourceStream = (events: EventStream<UpstreamEvent>): SourceStream =>
  Object.defineProperty(
    mapStream(events, async ({ position, response }) => ({
      id: `${position}`,
      origin: response.extensions?.[EVENT_ORIGIN] as EventOrigin | undefined,
      read: async () => structuredClone(response),
    })) as SourceStream,
    'cursor',
    { get: () => toEventCursor(events.position) },
  )

/** The fan-outs of one subgraph, each for one operation and visibility. */
class FanOuts {
  readonly #options: RemoteEventsOptions
  readonly #open = new Map<SharedKey, Promise<FanOut>>()

  constructor(options: RemoteEventsOptions) {
    this.#options = options
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

  /**
   * Finds or begins a fan-out; one that has ended since the token of its first subscriber was refused is begun anew.
   */
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
    const { source, capacity, onSlow } = this.#options
    const head = await headOf(source, request.context)
    const open = opener(this.#options, request)
    return new FanOut({ after: startOf(after, head), head, capacity, onSlow, open, onEnd })
  }

  /** Refuses a cursor of another system, which would wait for ever; one ahead of the fan-out alone will be reached. */
  async #checkAhead(after: bigint, context: GatewayContext): Promise<void> {
    const { source, mayLag } = this.#options
    const head = () => headOf(source, context)
    if (mayLag) {
      if (await untilReached(after, head)) return
      throw notReached(after)
    }
    if (after > (await head()))
      throw invalidField('after', 'BAD_CURSOR', 'must be the cursor of an event of this system, unchanged')
  }
}

/** Makes the event source of a subgraph in another process. */
export function createRemoteEventSource(options: RemoteEventsOptions): EventSource {
  const fanOuts = new FanOuts(options)
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
