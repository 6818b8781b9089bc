/** Which charging system stands behind which service: chosen once, at start. */
import type { ChargingSystem } from './charging.ts'

export interface Charging {
  /** The system that carries out what this service posts: the same each time it is asked for. */
  for(kind: { readonly service: string }): ChargingSystem
  /** Why outside systems are not called at the moment, each by its name; empty while all may be. */
  faults(): string[]
}

const faultOf = (system: ChargingSystem): string[] => {
  const reason = system.embedded ? undefined : system.unavailable()
  return system.embedded || reason === undefined ? [] : [`${system.name}: ${reason}`]
}

/**
 * A choice by the services' names.
 * @param others stands behind those that are not named.
 */
export const byService = (
  systems: ReadonlyMap<string, ChargingSystem>,
  others: ChargingSystem,
): Charging => ({
  for: ({ service }) => systems.get(service) ?? others,
  faults: () => [...new Set([...systems.values(), others])].flatMap(faultOf),
})

/** One system for all services. */
export const everywhere = (system: ChargingSystem): Charging => byService(new Map(), system)
