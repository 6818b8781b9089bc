/**
 * Sabotages of the program. Each puts one mistake into a source file while a server loads it. The checks must find it: a
 * sabotaged run in which they find nothing is a fault of the checks.
 */
import { READING_SABOTAGES } from './reading.ts'
import type { Sabotage } from './sabotage.ts'
import { WRITING_SABOTAGES } from './writing.ts'

export const SABOTAGES: readonly Sabotage[] = [...WRITING_SABOTAGES, ...READING_SABOTAGES]

/** Finds a sabotage. @throws Error with all names where there is none of this name. */
export function sabotageNamed(name: string): Sabotage {
  const found = SABOTAGES.find(one => one.name === name)
  if (!found)
    throw new Error(
      `there is no sabotage ${name}; choose one of ${SABOTAGES.map(one => one.name).join(', ')}`,
    )
  return found
}
