/** Faults of processes: killed, stopped in their tracks, with a clock that is moved. */

import { CAN_MOVE_CLOCKS, moveClock } from '../stage/clock.ts'
import type { Process } from '../stage/process.ts'
import type { Stage } from '../stage/stage.ts'
import { type Fault, pick } from './fault.ts'

const kill =
  (choose: (stage: Stage) => readonly Process[]): Fault['begin'] =>
  async (stage, random) => {
    const process = pick(random, choose(stage))
    await process.kill()
    return { target: process.name, end: () => process.start() }
  }

const freeze =
  (choose: (stage: Stage) => readonly Process[]): Fault['begin'] =>
  async (stage, random) => {
    const process = pick(random, choose(stage))
    process.freeze()
    return {
      target: process.name,
      end: async () => {
        process.thaw()
        await process.ready()
      },
    }
  }

const servers = ({ servers }: Stage) => servers
/** The message centre keeps its book in memory alone, so it is frozen and cut, and never killed. */
const killable = ({ systems }: Stage) => (systems ? [systems.charging] : [])
const systemsOf = ({ systems }: Stage) => (systems ? [systems.charging, systems.centre] : [])

const OFFSETS = [-3_600, -120, -10, -1, 1, 10, 120, 3_600]

export const PROCESS_FAULTS: readonly Fault[] = [
  { name: 'kill a server', weight: 6, longestMs: 2_500, isPossible: () => true, begin: kill(servers) },
  { name: 'freeze a server', weight: 3, longestMs: 9_000, isPossible: () => true, begin: freeze(servers) },
  {
    name: 'kill all servers',
    weight: 1,
    longestMs: 1_500,
    isPossible: ({ servers }) => servers.length > 1,
    begin: async ({ servers }) => {
      await Promise.all(servers.map(one => one.kill()))
      return { target: 'all', end: async () => void (await Promise.all(servers.map(one => one.start()))) }
    },
  },
  {
    name: 'kill the charging system',
    weight: 2,
    longestMs: 4_000,
    isPossible: stage => killable(stage).length > 0,
    begin: kill(killable),
  },
  {
    name: 'freeze a system behind',
    weight: 2,
    longestMs: 6_000,
    isPossible: stage => systemsOf(stage).length > 0,
    begin: freeze(systemsOf),
  },
  {
    name: 'move a clock',
    weight: 2,
    longestMs: 6_000,
    isPossible: ({ clocks }) => CAN_MOVE_CLOCKS && clocks.length > 0,
    begin: async ({ clocks }, random) => {
      const clock = pick(random, clocks)
      const seconds = pick(random, OFFSETS)
      moveClock(clock, seconds)
      return {
        target: `${clock.split('/').at(-1)!.replace('.clock', '')} by ${seconds} s`,
        end: async () => moveClock(clock, 0),
      }
    },
  },
]
