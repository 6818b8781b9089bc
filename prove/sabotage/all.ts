/**
 * Sabotages of the program: each changes one place of a source as a server loads it, as a mistake would, so that the checks
 * are checked. A run with a sabotage that finds nothing is a fault of the checks.
 */
import { READING_SABOTAGES } from './reading.ts'
import type { Sabotage } from './sabotage.ts'
import { WRITING_SABOTAGES } from './writing.ts'

export const SABOTAGES: readonly Sabotage[] = [...WRITING_SABOTAGES, ...READING_SABOTAGES]

/** @throws Error naming those that there are. */
export function sabotageNamed(name: string): Sabotage {
  const found = SABOTAGES.find(one => one.name === name)
  if (!found) throw new Error(`there is no sabotage ${name}: ${SABOTAGES.map(one => one.name).join(', ')}`)
  return found
}
