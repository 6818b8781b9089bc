/** Actors of a run: clients that post and read, and subscribers, until they are stopped. */
import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '#test/core/values/random.ts'
import { Caller } from './clients/caller.ts'
import { type Known, Partner } from './clients/partner.ts'
import type { Random } from './clients/posts.ts'
import { staffStep } from './clients/staff.ts'
import { Subscriber } from './clients/subscriber.ts'
import { stopAll } from './ending.ts'
import type { SubscriberLine } from './history/lines.ts'
import type { Recorder } from './history/recorder.ts'
import type { ReceiverHost } from './receivers.ts'
import { ANALYST, AUDITOR, PARTNERS, PORTAL } from './stage/clients.ts'
import type { Stage } from './stage/stage.ts'
import { liveTomorrow } from './tomorrow.ts'

/** Workers of each partner: each takes one step after the other. */
export const WORKERS = 2
/** Pause between two steps of a partner's worker, in milliseconds. */
const PAUSE_MS = 60
/** Pause between two steps of the staff (portal, analyst and auditor), in milliseconds. */
const STAFF_PAUSE_MS = 250

const SUBSCRIBERS: readonly Omit<SubscriberLine, 't'>[] = [
  { name: 'portal-all', client: PORTAL, transport: 'websocket', field: 'transactionEvents' },
  { name: 'analyst-all', client: ANALYST, transport: 'sse', field: 'transactionEvents' },
  { name: 'pa-payments', client: 'pa', transport: 'websocket', field: 'paymentEvents', kind: 'PAYMENT' },
  { name: 'pb-rewards', client: 'pb', transport: 'sse', field: 'rewardEvents', kind: 'REWARD' },
  { name: 'pl-recharges', client: 'pl', transport: 'websocket', field: 'rechargeEvents', kind: 'RECHARGE' },
]

/** Makes sources of random choices. Each actor has its own, so that its choices do not depend on the speed of others. */
export const randomSources = (seed: number) => {
  let next = 0
  return (): Random => seeded(seed * 1_000 + next++)
}

/** Actors of a run: the clients that post and read, and the subscribers. */
export class Play {
  readonly stage: Stage
  readonly recorder: Recorder
  readonly receivers: ReceiverHost
  readonly #random: () => Random
  readonly #callers = new Map<string, Caller>()
  readonly #known: Known[] = []
  readonly partners: Partner[] = []
  #stopped = false
  readonly #workers = new Set<Promise<void>>()
  subscribers: readonly Subscriber[] = []

  constructor(stage: Stage, recorder: Recorder, receivers: ReceiverHost, random: () => Random) {
    this.stage = stage
    this.recorder = recorder
    this.receivers = receivers
    this.#random = random
  }

  caller(id: string): Caller {
    const known = this.#callers.get(id)
    if (known) return known
    const caller = new Caller({ id, addresses: this.stage.addresses, recorder: this.recorder })
    this.#callers.set(id, caller)
    return caller
  }

  start(): void {
    for (const id of PARTNERS)
      for (let worker = 0; worker < WORKERS; worker++) {
        const partner = new Partner({
          caller: this.caller(id),
          random: this.#random(),
          receivers: this.receivers.addresses,
          worker,
          known: this.#known,
        })
        this.partners.push(partner)
        this.#work(() => partner.step(), PAUSE_MS)
      }
    const staff = {
      portal: this.caller(PORTAL),
      analyst: this.caller(ANALYST),
      auditor: this.caller(AUDITOR),
      random: this.#random(),
      known: this.#known,
    }
    this.#work(() => staffStep(staff), STAFF_PAUSE_MS)
  }

  #work(step: () => Promise<void>, pauseMs: number): void {
    const work = async () => {
      while (!this.#stopped) {
        await step()
        await delay(pauseMs)
      }
    }
    const worker = work().finally(() => this.#workers.delete(worker))
    this.#workers.add(worker)
  }

  /** Number of workers that have not ended. */
  get working(): number {
    return this.#workers.size
  }

  /** Makes every client request a new token, so that none expires while the client reads. */
  renewTokens(): void {
    for (const caller of this.#callers.values()) caller.forgetToken()
  }

  /** Lives through the next day, and stops the servers at its end. */
  async tomorrow(): Promise<void> {
    await liveTomorrow(
      this.stage,
      PARTNERS.map(id => this.caller(id)),
      this.#random(),
    )
    await stopAll(this.stage, this.recorder)
  }

  /** Stops the workers. Resolves when each has finished its last step. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#workers)
  }

  subscribe(): void {
    this.subscribers = SUBSCRIBERS.map(
      one =>
        new Subscriber({
          line: { t: 'subscriber', ...one },
          caller: this.caller(one.client),
          recorder: this.recorder,
          random: this.#random(),
          after: this.stage.before.event,
        }),
    )
  }

  /** Ends the clients of a run that failed, so that nothing of it goes on. Those of one that was finished have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    await Promise.allSettled([...this.#workers, ...this.subscribers.map(one => one.stop())])
  }
}
