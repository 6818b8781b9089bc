/** A mistake in the program's source. */
import type { TopologyName } from '../stage/building.ts'

export interface Sabotage {
  readonly name: string
  /** The mistake, in words. */
  readonly mistake: string
  /** Source from the root of the project. */
  readonly file: string
  /** Text that stands there once, and what takes its place. */
  readonly text: string
  readonly by: string
  /** Where it shows. */
  readonly topology: TopologyName
  readonly behind: 'ledger' | 'systems'
  /** Faults that bring it to light; none where it shows without any. */
  readonly faults?: readonly string[]
  /** Whether it shows on the day after. */
  readonly showsTomorrow?: boolean
  /** Minutes that it takes to show, where that is rare. */
  readonly minutes?: number
}

/** One server on PostgreSQL, with the ledger or with systems behind. */
export const LEDGER = { topology: 'postgres', behind: 'ledger' } as const
export const SYSTEMS = { topology: 'postgres', behind: 'systems' } as const

/**
 * The source with the mistake in it.
 * @throws Error where the text stands there not once: the program has changed, and the sabotage has to follow.
 */
export function sabotaged({ name, file, text, by }: Sabotage, source: string): string {
  const parts = source.split(text)
  if (parts.length !== 2)
    throw new Error(`sabotage ${name}: its text stands ${parts.length - 1} times in ${file}`)
  return parts.join(by)
}
