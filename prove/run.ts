/** One run of the proof: servers on a stage, clients that use them, faults that hit them, and the end. A history records all of it. */
import { setTimeout as delay } from 'node:timers/promises'
import { ACCOUNTS, CLOSED, NUMBERS, POOR, PREPAID } from './clients/posts.ts'
import { recordEnds, recover, stopAll } from './ending.ts'
import { hear, readAll, settle } from './final.ts'
import { Recorder } from './history/recorder.ts'
import { FAULTS, Nemesis } from './nemesis/nemesis.ts'
import { Play, randomSources, WORKERS } from './play.ts'
import { ReceiverHost } from './receivers.ts'
import type { StageOptions } from './stage/building.ts'
import { ANALYST, clientLines, PARTNERS, PORTAL } from './stage/clients.ts'
import { readFinal } from './stage/database.ts'
import { openStage } from './stage/stage.ts'

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

/** Ends a run: heals and settles everything, lets clients read it, stops the servers, and records the tables. */
const finish = async (
  play: Play,
  since: number,
  { settleMs = SETTLE_MS, endsToday = false }: Pick<RunOptions, 'settleMs' | 'endsToday'>,
) => {
  const { stage, recorder, receivers, subscribers } = play
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
  await using recorder = new Recorder(options.history)
  recorder.write({ t: 'run', at: began, seed, topology, behind, minutes, ...(sabotage && { sabotage }) })
  for (const line of clientLines()) recorder.write(line)
  await using stage = await openStage(options)
  recorder.write(stage.before)
  await using receivers = await ReceiverHost.open(recorder, random())
  const laneRandoms = Array.from({ length: lanes }, () => random())
  await using play = new Play(stage, recorder, receivers, random)
  play.subscribe()
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
  await finish(play, started, options)
  await recorder.close()
  return {
    history: options.history,
    faults: nemesis.made,
    calls: recorder.calls,
    seconds: (Date.now() - began) / 1_000,
  }
}
