/** Acts of an operator in the middle of everything: another supergraph, other keys, hostile systems behind. */
import { appendFileSync } from 'node:fs'
import type { Fault as ChargingFault } from '#simulators/charging/faults.ts'
import { USUAL_FAULTS } from '../stage/systems.ts'
import { command } from './command.ts'
import { type Fault, once, pick } from './fault.ts'

const CALLS = ['submit', 'inquire', 'capture'] as const

/** Each is the wire of the charging system at its worst, in one way. */
const HOSTILE: readonly ChargingFault[] = [
  { fault: 'cut', share: 0.5, on: CALLS },
  { fault: 'lost', share: 0.5, on: CALLS },
  { fault: 'error-after', share: 0.5, on: CALLS },
  { fault: 'late', share: 0.3, ms: 3_000 },
  { fault: 'later', share: 0.4, ms: 900 },
  { fault: 'hang', share: 0.3, on: CALLS },
  { fault: 'nonsense', share: 0.4 },
  { fault: 'twice', share: 0.7 },
  { fault: 'throttle', share: 0.6, ms: 200 },
]

/**
 * Each is the message centre's wire at its worst. No receipt is lost for good: such a message is asked for an hour after it has
 * expired at the earliest, which no run waits for; test/connectors/smpp/ tries it with messages that soon expire.
 */
const CENTRE = [
  { cutTaken: 3 },
  { cutUntaken: 3 },
  { hangTaken: 2 },
  { hangUntaken: 2 },
  { throttle: 10 },
  { doubleReceipts: 1 },
  { earlyReceipts: 1 },
  { receiptMs: 800 },
] as const

export const OPERATION_FAULTS: readonly Fault[] = [
  {
    name: 'another supergraph',
    weight: 2,
    longestMs: 500,
    isPossible: () => true,
    begin: async ({ supergraph }, random) => {
      appendFileSync(supergraph, `\n# Version ${random(1_000_000)}.\n`)
      return once('schema/supergraph.graphql')
    },
  },
  {
    name: 'rotate the signing key',
    weight: 1,
    longestMs: 200,
    // An embedded database serves one process at a time.
    isPossible: ({ options }) => options.topology !== 'embedded',
    begin: async stage => {
      await command(stage, 'cli/main.ts', ['keys', 'rotate'])
      return once('keys')
    },
  },
  {
    name: 'a hostile charging system',
    weight: 3,
    longestMs: 5_000,
    isPossible: ({ systems }) => systems !== undefined,
    begin: async ({ systems }, random) => {
      const fault = pick(random, HOSTILE)
      await systems!.chargingFaults([fault, ...USUAL_FAULTS])
      return { target: fault.fault, end: () => systems!.chargingFaults(USUAL_FAULTS) }
    },
  },
  {
    name: 'a hostile message centre',
    weight: 2,
    longestMs: 4_000,
    isPossible: ({ systems }) => systems !== undefined,
    begin: async ({ systems }, random) => {
      const faults = pick(random, CENTRE)
      await systems!.centreFaults(faults)
      const undone = Object.fromEntries(Object.keys(faults).map(name => [name, 0]))
      return { target: Object.keys(faults)[0]!, end: () => systems!.centreFaults(undone) }
    },
  },
]
