/** One delivery that was taken: attempted, and what came of it noted, counted and logged. */
import { LRUCache } from 'lru-cache'
import type { Dispatcher } from 'undici'
import { Batcher } from '../async/batcher.ts'
import { type Logger, withoutRedaction } from '../observability/log.ts'
import { type AttemptResult, attempt, TIME_LIMIT_MS } from './attempt.ts'
import type { EndpointHealth } from './endpoint-health.ts'
import { createMessageWriter } from './message.ts'
import { interruptedOutcome, outcomeOf } from './outcome.ts'
import type { WebhookParts } from './parts.ts'
import { type AttemptOutcome, type ClaimedDelivery, recordOutcomes } from './queue.ts'

/** How messages are written and sent. */
export interface SendingOptions {
  /** The contract's id field of each kind of transaction whose events are sent. */
  readonly idFields: ReadonlyMap<string, string>
  /** At least 0, less than 1. */
  readonly random?: () => number
  readonly timeLimitMs?: number
}

export interface DeliveryParts extends SendingOptions {
  readonly app: WebhookParts
  readonly dispatcher: Dispatcher
  readonly endpoints: EndpointHealth
  /** How many deliveries there can be at a time. */
  readonly capacity: number
  /** Breaks off what is under way. */
  readonly stop: AbortSignal
  readonly aheadMs: () => number
  /** The clock, in milliseconds. */
  readonly now: () => number
}

const MAX_RECORDED = 256
const MAX_FAILING = 10_000
/** An outcome is noted even when we stop. */
const NEVER = new AbortController().signal

/** What an attempt is counted as, by the status it leaves. */
const OUTCOMES = { DELIVERED: 'delivered', PENDING: 'failed', DEAD: 'dead' } as const

/** For a statement that notes what came of attempts, in milliseconds. */
const STANDSTILL_MS = 15_000

/** Runs the deliveries of one process. */
export class DeliveryRunner {
  readonly #parts: DeliveryParts
  readonly #write: ReturnType<typeof createMessageWriter>
  readonly #records: Batcher<AttemptOutcome, null>
  /** Of the outcomes: a few named fields each, of which `error` holds no secret (`response-excerpt.ts`). */
  readonly #lines: Logger
  /** Receivers whose last attempt failed: their next failures are no news, and are logged at level `debug`. */
  readonly #failing = new LRUCache<string, true>({ max: MAX_FAILING })

  constructor(parts: DeliveryParts) {
    const { app, idFields, now, capacity } = parts
    this.#parts = parts
    this.#lines = withoutRedaction(app.log)
    this.#write = createMessageWriter(app, idFields, now)
    this.#records = new Batcher(outcomes => this.#record(outcomes), {
      maxBatch: MAX_RECORDED,
      maxWaiting: 2 * capacity + MAX_RECORDED,
      rounds: app.watchdog.over('outcomes of webhooks', STANDSTILL_MS),
    })
  }

  /** Resolves once the outcome is noted; fails where the database did not take it. */
  async deliver(delivery: ClaimedDelivery): Promise<void> {
    const done = this.#parts.app.metrics.webhookAttempts.startTimer()
    const result = await this.#attempt(delivery)
    done()
    // A response, be it a refusal, shows that the receiver is there; 429 and 5xx say that it cannot take more.
    this.#parts.endpoints.ended(
      delivery,
      result.status !== null && result.status < 500 && result.status !== 429,
    )
    const random = (this.#parts.random ?? Math.random)()
    const outcome = result.interrupted ? interruptedOutcome(delivery) : outcomeOf(delivery, result, random)
    await this.#records.add(outcome, NEVER)
    this.#count(outcome)
    this.#log(delivery, result, outcome)
  }

  async #attempt(delivery: ClaimedDelivery): Promise<AttemptResult> {
    try {
      const message = await this.#write(delivery)
      const { dispatcher, stop, now, timeLimitMs = TIME_LIMIT_MS } = this.#parts
      return await attempt(message, { dispatcher, stop, timeLimitMs, now })
    } catch (error) {
      // Not the error itself: that of an address that cannot be read has the address in it.
      const { name, message } = error as Error
      this.#parts.app.log.error(
        { correlator: delivery.id, err: { type: name, message } },
        'webhook message could not be built',
      )
      const at = new Date(this.#parts.now())
      return { at, durationMs: 0, status: null, error: 'the webhook could not be written' }
    }
  }

  async #record(outcomes: AttemptOutcome[]): Promise<null[]> {
    await recordOutcomes(this.#parts.app.writer, outcomes, this.#parts.aheadMs())
    return outcomes.map(() => null)
  }

  #count({ status, counts }: AttemptOutcome): void {
    if (counts) this.#parts.app.metrics.webhookDeliveries.inc({ outcome: OUTCOMES[status] })
  }

  #log(
    { id, eventid, clientId, origin, attempts }: ClaimedDelivery,
    { status, error }: AttemptResult,
    outcome: AttemptOutcome,
  ): void {
    const details = { correlator: id, eventid, clientId, attempt: attempts + 1, status, error }
    const receiver = `${clientId} ${origin}`
    if (outcome.status === 'DELIVERED') {
      if (this.#failing.delete(receiver))
        this.#lines.info({ clientId }, 'a webhook receiver takes webhooks again')
      this.#lines.info(details, 'webhook delivered')
    } else if (outcome.counts) this.#logFailure(receiver, { ...details, waitMs: outcome.waitMs }, outcome)
  }

  #logFailure(receiver: string, details: object, { status }: AttemptOutcome): void {
    const isKnown = this.#failing.has(receiver)
    this.#failing.set(receiver, true)
    const level = status === 'DEAD' || !isKnown ? 'warn' : 'debug'
    this.#lines[level](details, `webhook ${status}`)
  }
}
