/** Faults: each does one thing to the stage, and undoes it after a while. */
import type { Random } from '../clients/posts.ts'
import type { Stage } from '../stage/stage.ts'

/** A fault that holds until it is undone. */
export interface Begun {
  readonly target: string
  /** Undoes it; resolves when what it hit is there again. */
  end(): Promise<void>
}

export interface Fault {
  readonly name: string
  /** How often it is chosen, beside others. */
  readonly weight: number
  /** Longest that it holds, in milliseconds. */
  readonly longestMs: number
  /** Whether it can be made on this stage, and on this machine. */
  isPossible(stage: Stage): boolean
  begin(stage: Stage, random: Random): Promise<Begun>
}

export const pick = <T>(random: Random, values: readonly T[]): T => {
  if (values.length === 0) throw new Error('there is nothing to choose from')
  return values[random(values.length)]!
}

/** A fault that is over at once. */
export const once = (target: string): Begun => ({ target, end: async () => undefined })

/** Faults of which at most one holds at a time, whatever else does: each waits until the one before is undone. */
export const oneAtATime = (faults: readonly Fault[]): readonly Fault[] => {
  let turn: Promise<unknown> = Promise.resolve()
  return faults.map(fault => ({
    ...fault,
    async begin(stage, random) {
      const before = turn
      const over = Promise.withResolvers<void>()
      turn = over.promise
      await before
      try {
        const { target, end } = await fault.begin(stage, random)
        return { target, end: () => end().finally(over.resolve) }
      } catch (error) {
        over.resolve()
        throw error
      }
    },
  }))
}
