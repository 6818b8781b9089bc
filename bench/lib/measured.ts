/** Servers under the same load in turns: requests per second, and per second of each server's own CPU. */
import type { Request } from 'autocannon'
import { median } from './compare.ts'
import { load } from './load.ts'
import { type Finding, perSecond } from './results.ts'
import type { Server } from './server.ts'

export interface Measured {
  readonly rate: number
  readonly perCpuSecond: number
}

export interface Turns {
  readonly connections: number
  readonly seconds: number
  /** How many turns each server gets, after one to warm up. */
  readonly turns: number
  /** The requests of one turn. */
  requests(): Request[]
}

const measure = async (server: Server, { connections, seconds, requests }: Turns): Promise<Measured> => {
  const before = await server.cpuSeconds()
  const { perSecond: rate } = await load({ url: server.address, requests: requests(), connections, seconds })
  const cpu = (await server.cpuSeconds()) - before
  return { rate, perCpuSecond: (rate * seconds) / cpu }
}

/** What was measured of each server, turn by turn. */
export async function measureAll(servers: readonly Server[], plan: Turns): Promise<Measured[][]> {
  const measured = servers.map((): Measured[] => [])
  for (let turn = -1; turn < plan.turns; turn += 1) {
    for (const [index, server] of servers.entries()) {
      const one = await measure(server, plan)
      if (turn >= 0) measured[index]!.push(one)
    }
  }
  return measured
}

const spreadOf = (ratios: readonly number[]) =>
  `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`

const finding = (key: keyof Measured, ours: readonly Measured[], theirs: readonly Measured[]) => {
  const ratios = ours.map((turn, index) => turn[key] / theirs[index]![key])
  const [mine, other] = [ours, theirs].map(turns => median(turns.map(turn => turn[key]))) as [number, number]
  return { ours: perSecond(mine), theirs: `${perSecond(other)} (${spreadOf(ratios)})`, ratio: median(ratios) }
}

export interface Against {
  readonly id: string
  readonly work: string
  readonly against: string
  /** Of the rate, and per CPU second. */
  readonly targets: readonly [rate: string | undefined, perCpuSecond: string | undefined]
}

/** Ours against another: the medians of the turns' ratios, their spread in brackets. */
export const findingsOf = (
  { id, work, against, targets }: Against,
  ours: readonly Measured[],
  theirs: readonly Measured[],
): Finding[] => [
  { id, work, against, ...finding('rate', ours, theirs), target: targets[0] },
  {
    id,
    work: `${work}: per CPU second of the server`,
    against,
    ...finding('perCpuSecond', ours, theirs),
    target: targets[1],
  },
]
