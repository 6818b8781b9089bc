/** Faults of wires: cut, delayed, half open. */
import type { Stage } from '../stage/stage.ts'
import type { Wire } from '../stage/wire.ts'
import { type Fault, once, pick } from './fault.ts'

const wires = ({ databaseWires, serviceWires, systems }: Stage): Wire[] => [
  ...databaseWires,
  ...serviceWires,
  ...(systems ? [systems.chargingWire, systems.centreWire] : []),
]

const hasWires = (stage: Stage) => wires(stage).length > 0

const onWire =
  (act: (wire: Wire, random: (below: number) => number) => void): Fault['begin'] =>
  async (stage, random) => {
    const wire = pick(random, wires(stage))
    act(wire, random)
    return { target: wire.name, end: async () => wire.restore() }
  }

export const NETWORK_FAULTS: readonly Fault[] = [
  {
    name: 'cut a wire',
    weight: 3,
    longestMs: 5_000,
    isPossible: hasWires,
    begin: onWire(wire => wire.cut()),
  },
  {
    name: 'delay a wire',
    weight: 2,
    longestMs: 5_000,
    isPossible: hasWires,
    begin: onWire((wire, random) => wire.delay(20 + random(1_500))),
  },
  {
    name: 'leave a wire half open',
    weight: 3,
    longestMs: 6_000,
    isPossible: hasWires,
    begin: onWire(wire => wire.forget()),
  },
  {
    name: 'reset a wire',
    weight: 2,
    longestMs: 200,
    isPossible: hasWires,
    begin: async (stage, random) => {
      const wire = pick(random, wires(stage))
      wire.reset()
      return once(wire.name)
    },
  },
]
