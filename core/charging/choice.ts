/** Which charging system stands behind which service: chosen once, at start. */
import { type CommitNotifier, createCommitNotifier } from '../async/commit-notifier.ts'
import type { ChargingConnector, ChargingSystem } from './charging.ts'

export interface Charging {
  /** The system that carries out what this service posts: the same each time it is asked for. */
  for(kind: { readonly service: string }): ChargingSystem
  /** What is wrong with outside systems at the moment, each by its name; empty while all is well. */
  faults(): string[]
  /** Notified when an outside system has told of an order in this process, by other ways than its connector. */
  readonly told: CommitNotifier
}

/** What is wrong with it at the moment, for whoever runs it. */
export const faultOf = (connector: ChargingConnector): string | undefined =>
  connector.warning ? connector.warning() : connector.unavailable()

const namedFaults = (system: ChargingSystem): string[] => {
  if (system.embedded) return []
  const fault = faultOf(system)
  return fault === undefined ? [] : [`${system.name}: ${fault}`]
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
  faults: () => [...new Set([...systems.values(), others])].flatMap(namedFaults),
  told: createCommitNotifier(),
})

/** One system for all services. */
export const everywhere = (system: ChargingSystem): Charging => byService(new Map(), system)
