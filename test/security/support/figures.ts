/** Results of a run, row by row; the table is made of it when all have ended. */
import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'

export interface Figure {
  readonly part: 'fuzz' | 'attack' | 'isolation' | 'secrets'
  readonly what: string
  /** How many requests, look-ups or texts were tried. */
  readonly cases: number
  /** Answers or texts that were not as they must be. */
  readonly faults: number
  /** The longest event-loop delay by one request, in milliseconds. */
  readonly delayMs?: number
  /** The heap in MiB, after the first cases and after the last. */
  readonly heapMiB?: readonly [before: number, after: number]
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The file that collects the figures of a run. */
    figures: string
  }
}

/** Notes a row. */
export const note = (figure: Figure): void => appendFileSync(inject('figures'), `${JSON.stringify(figure)}\n`)
