/** A running subscription: its events in the client's form, under the supergraph that serves at the moment. */
import type { FormattedExecutionResult } from 'graphql'
import { recordReach } from '#core/access/visibility.ts'
import { DONE, streamOf } from '#core/async/stream.ts'
import type { Platform } from '#core/context/app.ts'
import type { EventOrigin } from '#core/events/event.ts'
import { resumeAfterCursor } from '#core/events/read.ts'
import { type TraceSpan, type Tracing, tracing } from '#core/observability/tracing.ts'
import type { ResultStream, Sender } from '#core/streams/result-stream.ts'
import { isObject } from '#core/values/json.ts'
import { parsePhone } from '#core/values/phone.ts'
import { isTransientError } from '../operation/error-format.ts'
import type { SupergraphManager } from '../supergraph/version.ts'
import type { SourceEvent } from '../transport/transport.ts'
import type { SubscriptionMemory } from './subscription-memory.ts'
import {
  closeVersionedStream,
  execute,
  openVersionedStream,
  type Subscribed,
  type VersionedStream,
} from './versioned-stream.ts'

/** An event that was requested from the stream. */
interface PendingEvent {
  /** The stream's cursor before it. */
  readonly before: string
  readonly event: Promise<IteratorResult<SourceEvent, undefined>>
}

interface ActiveSubscriptionOptions {
  readonly app: Platform
  readonly manager: SupergraphManager
  readonly memory: SubscriptionMemory
}

/** Part of a filter of events that says whom they concern. */
interface Narrowing {
  readonly mobileNumber?: string | null
  readonly customerAccountNumber?: string | null
}

/**
 * Begins the span of an event on its way to a subscriber: in the trace of the request that posted the transaction, linked
 * to it and to the subscription.
 */
function beginDelivery(
  traces: Tracing,
  { principal }: Sender,
  origin: EventOrigin | undefined,
  operationName: string | undefined,
): TraceSpan {
  const subscription = traces.current()
  const trace = origin?.trace ?? undefined
  return traces.start('deliver event', {
    kind: 'producer',
    parent: trace ?? subscription,
    links: [trace, subscription].filter(link => link !== undefined),
    attributes: {
      'graphql.operation.type': 'subscription',
      'graphql.operation.name': operationName,
      'messaging.system': 'partner_graph',
      'messaging.destination.name': 'subscription',
      'messaging.operation.name': 'deliver',
      'messaging.operation.type': 'send',
      'messaging.message.id': origin?.eventid,
      'partner_graph.transaction.id': origin?.transactionId,
      'partner_graph.client.id': principal.clientId,
    },
  })
}

class ActiveSubscription {
  readonly #options: ActiveSubscriptionOptions
  readonly #subscribed: Subscribed
  readonly #forget: () => void
  readonly #release: () => void
  #stream: VersionedStream | undefined
  #pending: PendingEvent | undefined
  #ended = false
  /** Span of the event that the client is being sent. */
  #delivery: TraceSpan | undefined
  #wake: () => void = () => undefined

  constructor(options: ActiveSubscriptionOptions, subscribed: Subscribed) {
    this.#options = options
    this.#subscribed = subscribed
    const { document, operation, variables, sender } = subscribed
    const operationName = operation.name?.value
    this.#release = options.memory.enter(sender.principal.clientId, document, variables)
    this.#forget = options.manager.running({ document, operationName, onChange: () => this.#wake() })
  }

  async begin(): Promise<void> {
    const { app, manager } = this.#options
    this.#stream = await openVersionedStream(app, this.#subscribed, manager.current())
    this.#record(this.#stream)
  }

  /** Records once whom the subscription shows; its events are recorded no more. */
  #record({ planned, variables }: VersionedStream): void {
    if (!planned.showsEvents) return
    const filter = planned.primary.filterOf(variables)
    const { mobileNumber, customerAccountNumber } = (isObject(filter) ? filter : {}) as Narrowing
    const { countryCode } = this.#options.app.config
    recordReach(this.#subscribed.sender, {
      mobileNumber: mobileNumber && parsePhone('filter.mobileNumber', mobileNumber, countryCode),
      accountNumber: customerAccountNumber,
    })
  }

  async next(): Promise<IteratorResult<FormattedExecutionResult, undefined>> {
    // The result before was sent, since another one is asked for.
    this.#endDelivery()
    for (;;) {
      const pending = this.#request()
      await this.#newsOf(pending.event)
      if (this.#ended) return DONE
      if (this.#isBehind) await this.#changeOver(pending.before)
      else {
        const { done, value: event } = await pending.event
        this.#pending = undefined
        if (done) return DONE
        return { done: false, value: await this.#execute(event) }
      }
    }
  }

  async end(): Promise<void> {
    this.#ended = true
    this.#endDelivery()
    this.#forget()
    this.#release()
    this.#wake()
    if (this.#stream) await closeVersionedStream(this.#stream)
  }

  #execute(event: SourceEvent): Promise<FormattedExecutionResult> {
    const { sender, operation } = this.#subscribed
    const run = () => execute(this.#options.app, this.#subscribed, this.#stream!, event)
    if (!tracing) return run()
    this.#delivery = beginDelivery(tracing, sender, event.origin, operation.name?.value)
    return tracing.within(this.#delivery, run)
  }

  #endDelivery(): void {
    this.#delivery?.end()
    this.#delivery = undefined
  }

  get #isBehind(): boolean {
    return this.#stream!.version !== this.#options.manager.current()
  }

  /** Requests the next event of the stream, unless one is pending. */
  #request(): PendingEvent {
    if (this.#pending) return this.#pending
    const { stream } = this.#stream!
    const pending = { before: stream.cursor, event: stream.next() }
    // The request may fail during a change, while nothing awaits it.
    pending.event.catch(() => undefined)
    this.#pending = pending
    return pending
  }

  /** Resolves when the event has come, or another version, or the end. */
  #newsOf(event: Promise<unknown>): Promise<void> {
    if (this.#ended || this.#isBehind) return Promise.resolve()
    return new Promise((done, failed) => {
      this.#wake = done
      event.then(() => done(), failed)
    })
  }

  /** Changes over to the version that serves now. On another stream, the pending event is requested again. */
  async #changeOver(before: string): Promise<void> {
    const old = this.#stream!
    const { app, manager } = this.#options
    const standing = { versioned: old, cursor: before }
    const next = await openVersionedStream(app, this.#subscribed, manager.current(), standing).catch(
      error => {
        throw isTransientError(error)
          ? resumeAfterCursor('The events cannot be had at the moment', before, error)
          : error
      },
    )
    if (this.#ended) return closeVersionedStream(next)
    this.#stream = next
    old.participant.leave()
    if (next.stream === old.stream) return
    this.#pending = undefined
    await old.stream.return(undefined)
  }
}

/**
 * Opens a validated subscription.
 * @throws ServiceError or GraphQLError when it is refused.
 */
export async function openActiveSubscription(
  options: ActiveSubscriptionOptions,
  subscribed: Subscribed,
): Promise<ResultStream> {
  const live = new ActiveSubscription(options, subscribed)
  try {
    await live.begin()
  } catch (error) {
    await live.end()
    throw error
  }
  return streamOf(
    () => live.next(),
    () => live.end(),
  )
}
