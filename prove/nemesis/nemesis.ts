/** Makes faults as the seed says until it has made enough: in each lane one after the other, and at times two at once. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../clients/posts.ts'
import type { Recorder } from '../history/recorder.ts'
import type { Stage } from '../stage/stage.ts'
import { DATABASE_FAULTS } from './database.ts'
import type { Begun, Fault } from './fault.ts'
import { NETWORK_FAULTS } from './network.ts'
import { OPERATION_FAULTS } from './operation.ts'
import { PATRONI_FAULTS } from './patroni.ts'
import { PROCESS_FAULTS } from './processes.ts'
import { UPKEEP_FAULTS } from './upkeep.ts'

export const FAULTS: readonly Fault[] = [
  ...PROCESS_FAULTS,
  ...NETWORK_FAULTS,
  ...DATABASE_FAULTS,
  ...OPERATION_FAULTS,
  ...UPKEEP_FAULTS,
  ...PATRONI_FAULTS,
]

const PAUSE_MS = 2_500
const SHORTEST_MS = 300

export interface NemesisOptions {
  readonly stage: Stage
  readonly recorder: Recorder
  /** Faults that there are, possible here or not. */
  readonly faults: readonly Fault[]
  /** Choices of each lane; faults of different lanes overlap. */
  readonly lanes: readonly Random[]
  readonly untilMs: number
  /** Most faults; as many as there is time for unless given. */
  readonly most: number
  /** Names of the faults that are made; all that are possible unless given. */
  readonly only?: readonly string[]
}

/** Draws a fault with the chance of its weight. */
const draw = (faults: readonly Fault[], random: Random): Fault => {
  let left = random(faults.reduce((sum, { weight }) => sum + weight, 0))
  return faults.find(({ weight }) => {
    left -= weight
    return left < 0
  })!
}

export class Nemesis {
  readonly #options: NemesisOptions
  readonly #possible: readonly Fault[]
  made = 0

  constructor(options: NemesisOptions) {
    this.#options = options
    this.#possible = options.faults.filter(
      fault => fault.isPossible(options.stage) && (options.only?.includes(fault.name) ?? true),
    )
    if (this.#possible.length === 0 && options.most > 0)
      throw new Error(`none of the faults is possible here: ${options.only?.join(', ')}`)
  }

  /** Resolves when all is undone. */
  async run(): Promise<void> {
    await Promise.all(this.#options.lanes.map(random => this.#runLane(random)))
  }

  async #runLane(random: Random): Promise<void> {
    const { untilMs, most } = this.#options
    while (Date.now() < untilMs && this.made < most) {
      await delay(500 + random(PAUSE_MS))
      const isDouble = random(6) === 0 && this.made + 1 < most
      if (this.made < most)
        await Promise.all(isDouble ? [this.#make(random), this.#make(random)] : [this.#make(random)])
    }
  }

  async #make(random: Random): Promise<void> {
    const { stage, recorder } = this.#options
    // All choices come before anything is waited for, so that the seed alone decides.
    const fault = draw(this.#possible, random)
    const ms = SHORTEST_MS + random(fault.longestMs)
    const n = ++this.made
    const note = (phase: 'begin' | 'end' | 'failed', target: string, error?: unknown) =>
      recorder.write({
        t: 'fault',
        at: Date.now(),
        n,
        name: fault.name,
        target,
        ms,
        phase,
        ...(error !== undefined && { error: String(error) }),
      })
    let begun: Begun | undefined
    try {
      begun = await fault.begin(stage, random)
      note('begin', begun.target)
      await delay(ms)
      await begun.end()
      note('end', begun.target)
    } catch (error) {
      note('failed', begun?.target ?? '', error)
    }
  }
}
