/**
 * Sends webhooks, one deliverer a process: woken after each commit that brought events, and every second for deliveries
 * that are due again or that another process left behind. Several processes share the queue.
 */
import { LRUCache } from 'lru-cache'
import type { Dispatcher } from 'undici'
import type { Watchdog } from '../async/watchdog.ts'
import type { Origin } from '../async/worker.ts'
import type { Db } from '../data/db.ts'
import type { Outbound } from '../data/outbound.ts'
import { type OwnPorts, ownAddressCheck } from '../egress/addresses.ts'
import { createGuardedAgent } from '../egress/guarded-agent.ts'
import type { WebhookSenders } from '../events/append.ts'
import { type Logger, withoutRedaction } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { type Tracing, tracing } from '../observability/tracing.ts'
import { LeaseWorker } from '../queue/lease-queue.ts'
import { type AttemptResult, attempt, TIME_LIMIT_MS } from './attempt.ts'
import { beginAttemptSpan, endAttemptSpan } from './attempt-span.ts'
import { type ClaimedDelivery, Claimer } from './claim.ts'
import { EndpointHealth } from './endpoint-health.ts'
import { createFirstAttempts } from './first-attempts.ts'
import { type MessageDependencies, writeMessage } from './message.ts'
import { type AttemptOutcome, createAttemptRecorder, outcomeOfAttempt } from './outcomes.ts'

/** Parts of a process that sending webhooks needs. */
export interface DelivererDependencies extends MessageDependencies {
  readonly log: Logger
  readonly db: Db
  readonly metrics: Metrics
  readonly watchdog: Watchdog
  readonly ownPorts: OwnPorts
  /** Whether anything may be sent. */
  readonly outbound: Outbound
  readonly webhookSenders: WebhookSenders
}

export interface DelivererOptions {
  /** The contract's id field of each kind of transaction with events to send. */
  readonly idFields: ReadonlyMap<string, string>
  /** At least 0, less than 1. */
  readonly random?: () => number
  readonly timeLimitMs?: number
  /** How far ahead of the database's clock this one is, in milliseconds; tests let days pass. */
  readonly clockOffsetMs?: () => number
  readonly dispatcher?: Dispatcher
  /** Attempts at a time of this process. */
  readonly capacity?: number
  /** Called after a commit that brought events: an endpoint is failing, or takes webhooks again. */
  readonly onEvents?: () => void
}

export interface Deliverer {
  /** There may be something to claim. What another process committed is sent by that one, or by a sweep. */
  wake(origin?: Origin): void
  /** Resolves when nothing is due and nothing in flight. */
  idle(): Promise<void>
  /** Lets attempts in flight end for a moment, breaks off the rest, to be sent again, and stops. */
  stop(): Promise<void>
}

/** For a round, which claims due deliveries, in milliseconds. */
const STANDSTILL_MS = 15_000
/** How long ended attempts are gathered before their slots are given to others, with one statement for all. */
const GATHER_MS = 10
/** A round follows the last one after as long as that took, but no longer: many events are claimed at once then. */
const MAX_REST_MS = 50
/** Attempts at a time: of the process, and of one client to one endpoint. */
const CAPACITY = 1_024
const PER_ORIGIN = 16
const MAX_FAILING = 10_000

/** The labels under which attempts are counted, by the status that they leave. */
const OUTCOMES = { DELIVERED: 'delivered', PENDING: 'failed', DEAD: 'dead' } as const

class RunningDeliverer implements Deliverer {
  readonly #app: DelivererDependencies
  readonly #options: DelivererOptions
  readonly #dispatcher: Dispatcher
  readonly #endpoints: EndpointHealth
  /** Its rounds claim due deliveries; its tasks are the attempts. */
  readonly #worker: LeaseWorker
  readonly #record: (outcome: AttemptOutcome) => Promise<void>
  /** Log of the outcomes: a few named fields each; `error` holds no secret (`response-excerpt.ts`). */
  readonly #lines: Logger
  /** Endpoints with a failed last attempt: their next failures are no news, and are logged at level `debug`. */
  readonly #failing = new LRUCache<string, true>({ max: MAX_FAILING })

  /** Ends first attempts. */
  readonly #withdraw: () => void
  /** Whether nothing was due at the last look, and nothing came since. */
  #isClear = false
  #wakes = 0

  readonly wake = (origin: Origin = 'local'): void => {
    if (origin !== 'local') return
    this.#wakes++
    this.#isClear = false
    this.#worker.wake()
  }

  readonly #now = (): number => Date.now() + (this.#options.clockOffsetMs?.() ?? 0)

  constructor(app: DelivererDependencies, options: DelivererOptions) {
    const { capacity = CAPACITY, clockOffsetMs = () => 0, idFields } = options
    const { log, watchdog, db, access } = app
    this.#app = app
    this.#options = options
    this.#lines = withoutRedaction(log)
    this.#dispatcher =
      options.dispatcher ??
      createGuardedAgent({ allow: app.config.webhookAllow, isOwn: ownAddressCheck(app.ownPorts.all) })
    this.#endpoints = new EndpointHealth({ perOrigin: PER_ORIGIN, now: this.#now })
    const claimer = new Claimer({
      ...{ db, access, capacity, clockOffsetMs },
      endpoints: this.#endpoints,
      perOrigin: PER_ORIGIN,
      kinds: [...idFields.keys()],
    })
    this.#worker = new LeaseWorker({
      ...{ log, watchdog },
      name: 'webhook deliveries',
      limitMs: STANDSTILL_MS,
      run: () => this.#claim(claimer),
      isClear: () => this.#isClear,
      restMs: previousRoundMs => Math.min(previousRoundMs, MAX_REST_MS),
      gatherMs: GATHER_MS,
      failed: [{}, 'webhook delivery round failed; retrying within a second'],
      unrecorded: 'webhook outcome not recorded; sent again when its lease ends',
    })
    this.#record = createAttemptRecorder({ log, db, watchdog, clockOffsetMs, onEvents: options.onEvents })
    this.#withdraw = app.webhookSenders.add(
      createFirstAttempts({
        ...{ access, capacity, kinds: new Set(idFields.keys()) },
        endpoints: this.#endpoints,
        isOpen: () => !app.outbound.off() && clockOffsetMs() === 0,
        start: delivery => this.#start(delivery),
      }),
    )
    app.metrics.slots.watch('webhooks', () => ({ inUse: this.#endpoints.inFlight, limit: capacity }))
    this.#worker.wake()
  }

  idle(): Promise<void> {
    return this.#worker.idle()
  }

  async stop(): Promise<void> {
    this.#withdraw()
    await this.#worker.stop()
    await this.#dispatcher.destroy()
  }

  async #claim(claimer: Claimer): Promise<void> {
    if (this.#app.outbound.off()) return
    const wakes = this.#wakes
    const isAnyDue = await claimer.claim(delivery => {
      this.#endpoints.started(delivery)
      this.#start(delivery)
    })
    this.#isClear = !isAnyDue && wakes === this.#wakes
  }

  /** When an attempt has ended there is a slot for another, and a later event of its transaction may follow. */
  #start(delivery: ClaimedDelivery): void {
    this.#worker.start(this.#deliver(delivery), { deliveryId: delivery.id })
  }

  /** Resolves once the outcome is recorded; fails where the database did not take it. */
  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { metrics } = this.#app
    const done = metrics.webhookAttempts.startTimer()
    const result = await (tracing ? this.#attemptTraced(tracing, delivery) : this.#attempt(delivery))
    done()
    const { status } = result
    // A response, be it a refusal, shows that the endpoint is there; 429 and 5xx say that it cannot take more.
    this.#endpoints.ended(delivery, status !== null && status < 500 && status !== 429)
    // Others are claimed while the outcome is being recorded.
    this.#worker.wakeSoon()
    const outcome = outcomeOfAttempt(delivery, result, (this.#options.random ?? Math.random)())
    await this.#record(outcome)
    if (!outcome.counts) return
    metrics.webhookDeliveries.inc({ outcome: OUTCOMES[outcome.status] })
    this.#log(delivery, result, outcome)
  }

  async #attemptTraced(traces: Tracing, delivery: ClaimedDelivery): Promise<AttemptResult> {
    const span = beginAttemptSpan(traces, delivery)
    const trace = traces.propagates ? span.trace : null
    const result = await traces.within(span, () => this.#attempt({ ...delivery, trace }))
    endAttemptSpan(span, result)
    return result
  }

  /** Makes the attempt. Never throws: every failure is a result. */
  async #attempt(delivery: ClaimedDelivery): Promise<AttemptResult> {
    const { id, kind, clientId, url, token, terms, trace } = delivery
    const { access, log } = this.#app
    const { idFields, timeLimitMs = TIME_LIMIT_MS } = this.#options
    try {
      const message = await writeMessage(
        this.#app,
        {
          event: delivery,
          idField: idFields.get(kind)!,
          clientId,
          notificationUrl: url,
          token: token === null ? undefined : access.cipher.decrypt(token),
          terms,
          kind,
          trace,
          correlator: id,
        },
        this.#now(),
      )
      const [dispatcher, stop, now] = [this.#dispatcher, this.#worker.signal, this.#now]
      return await attempt(message, { dispatcher, stop, timeLimitMs, now })
    } catch (error) {
      // Not the error itself: that of an address that cannot be read has the address in it.
      const { name, message } = error as Error
      log.error({ correlator: id, err: { type: name, message } }, 'webhook message could not be built')
      const at = new Date(this.#now())
      return { at, durationMs: 0, status: null, error: 'the webhook could not be written' }
    }
  }

  #log(
    { id, eventid, clientId, origin, attempts }: ClaimedDelivery,
    { status, error }: AttemptResult,
    outcome: AttemptOutcome,
  ): void {
    const details = { correlator: id, eventid, clientId, attempt: attempts + 1, status, error }
    const endpoint = `${clientId} ${origin}`
    if (outcome.status === 'DELIVERED') {
      if (this.#failing.delete(endpoint))
        this.#lines.info({ clientId }, 'a webhook receiver takes webhooks again')
      this.#lines.info(details, 'webhook delivered')
      return
    }
    const isKnown = this.#failing.has(endpoint)
    this.#failing.set(endpoint, true)
    const level = outcome.status === 'DEAD' || !isKnown ? 'warn' : 'debug'
    this.#lines[level]({ ...details, waitMs: outcome.waitMs }, `webhook ${outcome.status}`)
  }
}

/** Starts sending until stopped. A failure of the database ends a round, never the deliverer. */
export const startDeliverer = (app: DelivererDependencies, options: DelivererOptions): Deliverer =>
  new RunningDeliverer(app, options)
