/**
 * Sends webhooks, one deliverer a process: woken after each commit that brought events, and every second for what is
 * due again or another process left behind. Several processes share the queue.
 */

import type { Dispatcher } from 'undici'
import type { Origin } from '../async/commit-notifier.ts'
import { TaskWorker } from '../async/worker.ts'
import { isOutage } from '../data/database-errors.ts'
import { createGuardedAgent } from '../egress/guarded-agent.ts'
import { ownAddressCheck } from '../egress/own-address.ts'
import { createTaker, type Take } from './claim-due.ts'
import { DeliveryRunner, type SendingOptions } from './deliver.ts'
import { EndpointHealth } from './endpoint-health.ts'
import type { WebhookParts } from './parts.ts'
import type { ClaimedDelivery } from './queue.ts'

export interface DelivererOptions extends SendingOptions {
  /** How far ahead of the database's clock this one is, in milliseconds; tests let days pass. */
  readonly aheadMs?: () => number
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
/** For a round, which claims what is due, in milliseconds. */
const STANDSTILL_MS = 15_000
/** How long ended attempts are gathered before their places are given to others, with one statement for all. */
const BATCH_MS = 10
/** A round follows the one before after as long as that took, but no longer: many events are taken at once then, not each by itself. */
const MAX_REST_MS = 50
/** Attempts at a time: of the process, and of one client to one receiver. */
const CAPACITY = 1_024
const PER_ORIGIN = 16
/** How long a stop waits for attempts under way. */
const STOP_TIMEOUT_MS = 2_000

class RunningDeliverer {
  readonly #app: WebhookParts
  readonly #dispatcher: Dispatcher
  readonly #endpoints: EndpointHealth
  readonly #takeDue: Take
  readonly #runner: DeliveryRunner
  /** Its rounds take what is due; its tasks are the attempts. */
  readonly #worker: TaskWorker

  constructor(app: WebhookParts, options: DelivererOptions) {
    const { capacity = CAPACITY, aheadMs = () => 0 } = options
    const now = () => Date.now() + aheadMs()
    this.#app = app
    this.#dispatcher =
      options.dispatcher ??
      createGuardedAgent({
        allow: app.config.webhookAllow,
        isOwn: ownAddressCheck(app.ownPorts.all),
      })
    this.#endpoints = new EndpointHealth({ perOrigin: PER_ORIGIN, now })
    this.#takeDue = createTaker({
      app,
      receivers: this.#endpoints,
      capacity,
      perOrigin: PER_ORIGIN,
      kinds: [...options.idFields.keys()],
      aheadMs,
    })
    this.#worker = new TaskWorker({
      run: async () => {
        if (!app.outbound.off()) await this.#takeDue(delivery => this.#start(delivery))
      },
      rounds: app.watchdog.over('webhook deliveries', STANDSTILL_MS),
      isReportedElsewhere: isOutage,
      sweepMs: SWEEP_MS,
      restMs: previousRoundMs => Math.min(previousRoundMs, MAX_REST_MS),
      gatherMs: BATCH_MS,
      stopMs: STOP_TIMEOUT_MS,
      onError: error =>
        app.log.warn({ err: error }, 'webhook delivery round failed; retrying within a second'),
    })
    this.#runner = new DeliveryRunner({
      ...options,
      ...{ app, capacity, aheadMs, now },
      dispatcher: this.#dispatcher,
      endpoints: this.#endpoints,
      stop: this.#worker.signal,
    })
    this.wake()
  }

  wake(): void {
    this.#worker.wake()
  }

  idle(): Promise<void> {
    return this.#worker.idle()
  }

  async stop(): Promise<void> {
    await this.#worker.stop()
    await this.#dispatcher.destroy()
  }

  /** When one attempt has ended there is room for another, and a later event of its transaction may follow. */
  #start(delivery: ClaimedDelivery): void {
    this.#endpoints.started(delivery)
    this.#worker.track(this.#runner.deliver(delivery), error =>
      this.#app.log.warn(
        { err: error, deliveryId: delivery.id },
        'webhook outcome not recorded; sent again when its lease ends',
      ),
    )
  }
}

/** Starts sending until stopped. A failure of the database ends a round, never the deliverer. */
export function startDeliverer(app: WebhookParts, options: DelivererOptions): Deliverer {
  const running = new RunningDeliverer(app, options)
  return {
    wake: origin => {
      if (origin !== 'remote') running.wake()
    },
    idle: () => running.idle(),
    stop: () => running.stop(),
  }
}
