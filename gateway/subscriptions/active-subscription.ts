/** A running subscription: its events in the client's form, under the supergraph that serves at the moment. */
import { type DocumentNode, type FormattedExecutionResult, GraphQLError } from 'graphql'
import { recordReach } from '#core/access/visibility.ts'
import { DONE, streamOf } from '#core/async/stream.ts'
import type { Platform } from '#core/context/app.ts'
import { resumeAfterCursor } from '#core/events/read.ts'
import { createErrorPlacer } from '#core/graph/error-places.ts'
import { type TraceSpan, tracing } from '#core/observability/tracing.ts'
import type { ResultStream } from '#core/streams/result-stream.ts'
import { isObject } from '#core/values/json.ts'
import { parsePhone } from '#core/values/phone.ts'
import { isTransientError } from '../operation/error-format.ts'
import type { SupergraphManager } from '../supergraph/version.ts'
import type { SourceEvent } from '../transport/transport.ts'
import { beginDelivery } from './delivery-span.ts'
import type { SubscriptionMemory } from './subscription-memory.ts'
import {
  closeVersionedStream,
  execute,
  openVersionedStream,
  type Subscribed,
  type VersionedStream,
} from './versioned-stream.ts'

/**
 * Events of one subscription that are executed at the same time, so that far services answer more than one in a round trip.
 * They are sent in their order.
 */
const AT_ONCE = 16

/** The result of an event, under one version. */
interface Execution {
  readonly result: Promise<FormattedExecutionResult>
  /** Span of the event on its way to the client. */
  readonly span: TraceSpan | undefined
}

/** An event that was requested from the stream. */
interface PendingEvent {
  /** The stream's cursor before it. */
  readonly before: string
  readonly event: Promise<IteratorResult<SourceEvent, undefined>>
  /** Set once the event has come. */
  come?: SourceEvent
  execution?: Execution
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

class ActiveSubscription {
  readonly #options: ActiveSubscriptionOptions
  readonly #subscribed: Subscribed
  readonly #forget: () => void
  readonly #release: () => void
  #stream: VersionedStream | undefined
  /** In the order of the stream; the last alone may still have to come. */
  #pending: PendingEvent[] = []
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
      this.#requestMore()
      const [pending] = this.#pending as [PendingEvent]
      await this.#newsOf(pending.event)
      if (this.#ended) return DONE
      if (this.#isBehind) await this.#changeOver(pending.before)
      else {
        const { done } = await pending.event
        this.#pending.shift()
        if (done) return DONE
        const { result, span } = pending.execution!
        this.#delivery = span
        return { done: false, value: await result }
      }
    }
  }

  async end(): Promise<void> {
    this.#ended = true
    this.#endDelivery()
    this.#dropPending()
    this.#forget()
    this.#release()
    this.#wake()
    if (this.#stream) await closeVersionedStream(this.#stream)
  }

  #execute(event: SourceEvent): Execution {
    const { sender, operation } = this.#subscribed
    const run = () => execute(this.#options.app, this.#subscribed, this.#stream!, event)
    const span = tracing && beginDelivery(tracing, sender, event.origin, operation.name?.value)
    const result = tracing && span ? tracing.within(span, run) : run()
    // It may fail while those before it are sent, and nothing awaits it.
    result.catch(() => undefined)
    return { result, span }
  }

  #endDelivery(): void {
    this.#delivery?.end()
    this.#delivery = undefined
  }

  #dropPending(): void {
    for (const { execution } of this.#pending) execution?.span?.end()
    this.#pending = []
  }

  get #isBehind(): boolean {
    return this.#stream!.version !== this.#options.manager.current()
  }

  /** Requests the next event of the stream, one at a time and as many as are executed at once. */
  #requestMore(): void {
    const last = this.#pending.at(-1)
    if (this.#pending.length >= AT_ONCE || (last && !last.come)) return
    const { stream } = this.#stream!
    const pending: PendingEvent = { before: stream.cursor, event: stream.next() }
    this.#pending.push(pending)
    // The request may fail during a change, while nothing awaits it.
    pending.event.then(
      ({ value }) => this.#begin(pending, value),
      () => undefined,
    )
  }

  /** Begins the execution of an event that has come, unless it is one of a stream that was left. */
  #begin(pending: PendingEvent, event: SourceEvent | undefined): void {
    if (!event || this.#ended || !this.#pending.includes(pending)) return
    pending.come = event
    pending.execution = this.#execute(event)
    this.#requestMore()
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
    if (next.stream === old.stream) return this.#executeAnew()
    this.#dropPending()
    await old.stream.return(undefined)
  }

  /** Executes what waits to be sent under the version that serves now. */
  #executeAnew(): void {
    for (const pending of this.#pending) {
      pending.execution?.span?.end()
      if (pending.come) pending.execution = this.#execute(pending.come)
    }
  }
}

/** Gives a refusal its place in the client's text: its subgraph knows the place in its own alone. */
const placeIn =
  (document: DocumentNode) =>
  (error: unknown): never => {
    if (error instanceof GraphQLError) createErrorPlacer(document)(error)
    throw error
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
  const refuse = placeIn(subscribed.document)
  try {
    await live.begin()
  } catch (error) {
    await live.end()
    return refuse(error)
  }
  return streamOf(
    // A subgraph in another process refuses in place of the first event.
    () => live.next().catch(refuse),
    () => live.end(),
  )
}
