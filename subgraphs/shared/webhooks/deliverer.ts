/**
 * Sends webhooks, one deliverer a process: woken after each commit that brought events, and every second for what is
 * due again or another process left behind. Several processes share the queue.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { Batcher } from '../async/batcher.ts'
import type { Origin } from '../async/commit-notifier.ts'
import { createWorker, type Worker } from '../async/worker.ts'
import { createGuardedAgent } from '../egress/guarded-agent.ts'
import { ownAddressCheck } from '../egress/own-address.ts'
import { type AttemptResult, attempt, TIME_LIMIT_MS } from './attempt.ts'
import { createTaker, type Take } from './claim-due.ts'
import { EndpointHealth } from './endpoint-health.ts'
import { createMessageWriter } from './message.ts'
import { interruptedOutcome, outcomeOf } from './outcome.ts'
import type { WebhookParts } from './parts.ts'
import { type AttemptOutcome, type ClaimedDelivery, recordOutcomes } from './queue.ts'

export interface DelivererOptions {
  /** The contract's id field of each kind of transaction whose events are sent. */
  readonly idFields: ReadonlyMap<string, string>
  /** How far ahead of the database's clock this one is, in milliseconds; tests let days pass. */
  readonly aheadMs?: () => number
  /** At least 0, less than 1. */
  readonly random?: () => number
  readonly timeLimitMs?: number
  readonly dispatcher?: Dispatcher
  /** Attempts at a time of this process. */
  readonly capacity?: number
}

export interface Deliverer {
  /** There may be something to send. What another process committed is that process's to send, or the sweep's. */
  wake(origin?: Origin): void
  /** Resolves when nothing is due and nothing under way. */
  idle(): Promise<void>
  /** Lets what is under way end for a moment, breaks off the rest, to be sent again, and stops. */
  stop(): Promise<void>
}

const SWEEP_MS = 1_000
/** How long ended attempts are gathered before their places are given to others, with one statement for all. */
const BATCH_MS = 10
/** Attempts at a time: of the process, and of one client to one receiver. */
const CAPACITY = 1_024
const PER_ORIGIN = 16
/** How long a stop waits for attempts under way. */
const STOP_TIMEOUT_MS = 2_000
const MAX_RECORDED = 256
/** An outcome is noted even when we stop. */
const NEVER = new AbortController().signal

/** What an attempt is counted as, by the status it leaves. */
const OUTCOMES = { DELIVERED: 'delivered', PENDING: 'failed', DEAD: 'dead' } as const

class RunningDeliverer {
  readonly #app: WebhookParts
  readonly #options: DelivererOptions
  readonly #aheadMs: () => number
  readonly #dispatcher: Dispatcher
  readonly #endpoints: EndpointHealth
  readonly #takeDue: Take
  readonly #write: ReturnType<typeof createMessageWriter>
  readonly #records: Batcher<AttemptOutcome, null>
  readonly #underWay = new Set<Promise<void>>()
  readonly #stop = new AbortController()
  readonly #rounds: Worker
  #batchTimer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(app: WebhookParts, options: DelivererOptions) {
    const { capacity = CAPACITY } = options
    this.#app = app
    this.#options = options
    this.#aheadMs = options.aheadMs ?? (() => 0)
    this.#dispatcher =
      options.dispatcher ??
      createGuardedAgent({
        allow: app.config.webhookAllow,
        isOwn: ownAddressCheck(app.ownPorts.all),
      })
    this.#endpoints = new EndpointHealth({ perOrigin: PER_ORIGIN, now: () => this.#now() })
    this.#takeDue = createTaker({
      app,
      receivers: this.#endpoints,
      capacity,
      perOrigin: PER_ORIGIN,
      kinds: [...options.idFields.keys()],
      aheadMs: this.#aheadMs,
    })
    this.#write = createMessageWriter(app, options.idFields, () => this.#now())
    this.#records = new Batcher(outcomes => this.#record(outcomes), {
      maxBatch: MAX_RECORDED,
      maxWaiting: 2 * capacity + MAX_RECORDED,
    })
    this.#rounds = createWorker({
      run: () => this.#takeDue(delivery => this.#start(delivery)),
      sweepMs: SWEEP_MS,
      onError: error =>
        app.log.warn({ err: error }, 'webhook delivery round failed; retrying within a second'),
    })
    this.wake()
  }

  wake(): void {
    this.#rounds.wake()
  }

  async idle(): Promise<void> {
    let found: number
    do {
      await this.#rounds.idle()
      found = this.#underWay.size
      await Promise.all(this.#underWay)
    } while (found > 0)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#batchTimer)
    await this.#rounds.stop()
    await Promise.race([Promise.all(this.#underWay), delay(STOP_TIMEOUT_MS, undefined, { ref: false })])
    this.#stop.abort()
    await Promise.all(this.#underWay)
    await this.#dispatcher.destroy()
  }

  #wakeSoon(): void {
    if (this.#stopped) return
    this.#batchTimer ??= setTimeout(() => {
      this.#batchTimer = undefined
      this.wake()
    }, BATCH_MS)
  }

  #now(): number {
    return Date.now() + this.#aheadMs()
  }

  /** When one attempt has ended there is room for another, and a later event of its transaction may follow. */
  #start(delivery: ClaimedDelivery): void {
    this.#endpoints.started(delivery)
    const work: Promise<void> = this.#deliver(delivery)
      .catch(error =>
        this.#app.log.warn(
          { err: error, deliveryId: delivery.id },
          'webhook outcome not recorded; sent again when its lease ends',
        ),
      )
      .finally(() => {
        this.#underWay.delete(work)
        this.#wakeSoon()
      })
    this.#underWay.add(work)
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const done = this.#app.metrics.webhookAttempts.startTimer()
    const result = await this.#attempt(delivery)
    done()
    // A response, be it a refusal, shows that the receiver is there; 429 and 5xx say that it cannot take more.
    this.#endpoints.ended(delivery, result.status !== null && result.status < 500 && result.status !== 429)
    const random = (this.#options.random ?? Math.random)()
    const outcome = result.interrupted ? interruptedOutcome(delivery) : outcomeOf(delivery, result, random)
    await this.#records.add(outcome, NEVER)
    this.#count(outcome)
    this.#log(delivery, result, outcome)
  }

  async #attempt(delivery: ClaimedDelivery): Promise<AttemptResult> {
    try {
      const message = await this.#write(delivery)
      const timeLimitMs = this.#options.timeLimitMs ?? TIME_LIMIT_MS
      const now = () => this.#now()
      return await attempt(message, {
        dispatcher: this.#dispatcher,
        stop: this.#stop.signal,
        timeLimitMs,
        now,
      })
    } catch (error) {
      this.#app.log.error({ err: error, deliveryId: delivery.id }, 'webhook message could not be built')
      const at = new Date(this.#now())
      return { at, durationMs: 0, status: null, error: 'the webhook could not be written' }
    }
  }

  async #record(outcomes: AttemptOutcome[]): Promise<null[]> {
    await recordOutcomes(this.#app.db, outcomes, this.#aheadMs())
    return outcomes.map(() => null)
  }

  #count({ status, counts }: AttemptOutcome): void {
    if (counts) this.#app.metrics.webhookDeliveries.inc({ outcome: OUTCOMES[status] })
  }

  #log(
    { id, eventid, clientId, attempts }: ClaimedDelivery,
    { status, error }: AttemptResult,
    outcome: AttemptOutcome,
  ): void {
    const details = { correlator: id, eventid, clientId, attempt: attempts + 1, status, error }
    if (outcome.status === 'DELIVERED') this.#app.log.info(details, 'webhook delivered')
    else if (outcome.counts)
      this.#app.log.warn({ ...details, waitMs: outcome.waitMs }, `webhook ${outcome.status}`)
  }
}

/** Starts sending until stopped. A failure of the database ends a round, never the deliverer. */
export function startDeliverer(app: WebhookParts, options: DelivererOptions): Deliverer {
  const running = new RunningDeliverer(app, options)
  return {
    wake: origin => {
      if (origin !== 'elsewhere') running.wake()
    },
    idle: () => running.idle(),
    stop: () => running.stop(),
  }
}
