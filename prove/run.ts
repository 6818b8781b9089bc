/** One run of the proof: servers on a stage, clients that use them, faults that hit them, and the end. A history records all of it. */
import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '#test/core/values/random.ts'
import { Caller } from './clients/caller.ts'
import { type Known, Partner } from './clients/partner.ts'
import { ACCOUNTS, CLOSED, NUMBERS, POOR, PREPAID, type Random } from './clients/posts.ts'
import { staffStep } from './clients/staff.ts'
import { Subscriber } from './clients/subscriber.ts'
import { recordEnds, recover, stopAll } from './ending.ts'
import { hear, readAll, settle } from './final.ts'
import type { SubscriberLine } from './history/lines.ts'
import { Recorder } from './history/recorder.ts'
import { FAULTS, Nemesis } from './nemesis/nemesis.ts'
import { ReceiverHost } from './receivers.ts'
import type { StageOptions } from './stage/building.ts'
import { ANALYST, AUDITOR, clientLines, PARTNERS, PORTAL } from './stage/clients.ts'
import { readFinal } from './stage/database.ts'
import { openStage, type Stage } from './stage/stage.ts'
import { liveTomorrow } from './tomorrow.ts'

/** Workers of each partner: each takes one step after the other. */
const WORKERS = 2
/** Pause between two steps of a partner's worker, in milliseconds. */
const PAUSE_MS = 60
/** Pause between two steps of the staff (portal, analyst and auditor), in milliseconds. */
const STAFF_PAUSE_MS = 250
/** Longest wait until everything is settled at the end, in milliseconds. */
const SETTLE_MS = 150_000
/** Interval at which the number of calls is read again, in milliseconds. */
const CALLS_CHECK_MS = 200

export interface RunOptions extends StageOptions {
  readonly seed: number
  readonly minutes: number
  /** Largest number of faults; as many as there is time for unless given. */
  readonly faults?: number
  /** Number of lanes. Each makes its faults one after the other, beside the other lanes; one unless given. */
  readonly lanes?: number
  /** Names of the faults that are made; all unless given. */
  readonly only?: readonly string[]
  /** Smallest number of calls. A run with fewer goes on, for five times its minutes at the most. */
  readonly calls?: number
  /** Longest wait until everything is settled at the end, in milliseconds. */
  readonly settleMs?: number
  /** Whether the run ends on its first day. Otherwise its servers start again on the next day, which has statements. */
  readonly endsToday?: boolean
  /** File of the history. */
  readonly history: string
  readonly say?: (text: string) => void
}

export interface RunResult {
  readonly history: string
  readonly faults: number
  readonly calls: number
  readonly seconds: number
}

const SUBSCRIBERS: readonly Omit<SubscriberLine, 't'>[] = [
  { name: 'portal-all', client: PORTAL, transport: 'websocket', field: 'transactionEvents' },
  { name: 'analyst-all', client: ANALYST, transport: 'sse', field: 'transactionEvents' },
  { name: 'pa-payments', client: 'pa', transport: 'websocket', field: 'paymentEvents', kind: 'PAYMENT' },
  { name: 'pb-rewards', client: 'pb', transport: 'sse', field: 'rewardEvents', kind: 'REWARD' },
  { name: 'pl-recharges', client: 'pl', transport: 'websocket', field: 'rechargeEvents', kind: 'RECHARGE' },
]

/** Makes sources of random choices. Each actor has its own, so that its choices do not depend on the speed of others. */
const randomSources = (seed: number) => {
  let next = 0
  return (): Random => seeded(seed * 1_000 + next++)
}

/** Actors of a run: the clients that post and read, and the subscribers. */
class Play {
  readonly stage: Stage
  readonly recorder: Recorder
  readonly receivers: ReceiverHost
  readonly #random: () => Random
  readonly #callers = new Map<string, Caller>()
  readonly #known: Known[] = []
  readonly partners: Partner[] = []
  #stopped = false
  readonly #workers: Promise<void>[] = []

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
    this.#workers.push(work())
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

  subscribe(): Subscriber[] {
    return SUBSCRIBERS.map(
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
}

/** Ends a run: heals and settles everything, lets clients read it, stops the servers, and records the tables. */
const finish = async (
  play: Play,
  subscribers: readonly Subscriber[],
  since: number,
  { settleMs = SETTLE_MS, endsToday = false }: Pick<RunOptions, 'settleMs' | 'endsToday'>,
) => {
  const { stage, recorder, receivers } = play
  await recover(stage, recorder)
  await play.stop()
  receivers.heal()
  await settle(play.caller(PORTAL), recorder, since, settleMs)
  play.renewTokens()
  await hear(subscribers.map(one => [one, play.caller(one.client)] as const))
  await Promise.all(subscribers.map(one => one.stop()))
  await readAll(
    play.partners.filter((_, index) => index % WORKERS === 0),
    {
      partners: PARTNERS.map(id => play.caller(id)),
      portal: play.caller(PORTAL),
      analyst: play.caller(ANALYST),
    },
    { accounts: [...ACCOUNTS, CLOSED], numbers: [...NUMBERS, POOR, ...PREPAID] },
  )
  for (const line of (await stage.systems?.books()) ?? []) recorder.write(line)
  await stopAll(stage, recorder)
  if (!endsToday) await play.tomorrow()
  recordEnds(stage, recorder)
  for await (const line of readFinal(stage.place)) recorder.write(line)
}

/** Makes a run and writes its history. The checks judge the history later. */
export async function makeRun(options: RunOptions): Promise<RunResult> {
  const {
    seed,
    minutes,
    faults = Number.POSITIVE_INFINITY,
    lanes = 1,
    only,
    topology,
    behind,
    sabotage,
    say,
  } = options
  const began = Date.now()
  const random = randomSources(seed)
  const recorder = new Recorder(options.history)
  recorder.write({ t: 'run', at: began, seed, topology, behind, minutes, ...(sabotage && { sabotage }) })
  for (const line of clientLines()) recorder.write(line)
  await using stage = await openStage(options)
  recorder.write(stage.before)
  await using receivers = await ReceiverHost.open(recorder, random())
  const laneRandoms = Array.from({ length: lanes }, () => random())
  const play = new Play(stage, recorder, receivers, random)
  const subscribers = play.subscribe()
  play.start()
  const nemesis = new Nemesis({
    stage,
    recorder,
    faults: FAULTS,
    lanes: laneRandoms,
    untilMs: Date.now() + minutes * 60_000,
    most: faults,
    ...(only && { only }),
  })
  const started = Date.now()
  say?.(`${topology}, ${behind}: ready after ${started - began} ms`)
  if (faults > 0) await nemesis.run()
  else await delay(minutes * 60_000)
  const latest = started + 5 * minutes * 60_000
  while (recorder.calls < (options.calls ?? 0) && Date.now() < latest) await delay(CALLS_CHECK_MS)
  say?.(`${nemesis.made} faults, ${recorder.calls} calls; waiting until all is settled`)
  await finish(play, subscribers, started, options)
  await recorder.close()
  return {
    history: options.history,
    faults: nemesis.made,
    calls: recorder.calls,
    seconds: (Date.now() - began) / 1_000,
  }
}
