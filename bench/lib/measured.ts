/** Servers under the same load in turns: requests per second, and per second of each server's own CPU. */
import type { Request } from 'autocannon'
import { median } from './compare.ts'
import { load } from './load.ts'
import { type Finding, perSecond, spreadOf } from './results.ts'
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
  /** Requests per second; as fast as possible when absent. */
  readonly atRate?: number
}

/** One side of a comparison. */
export interface MeasuredSide {
  readonly server: Pick<Server, 'address' | 'cpuSeconds'>
  /** The requests of one turn. */
  requests(): Request[]
  /** Resolves once all that was begun is done, where responses come before that: its time and its CPU count. */
  finish?(): Promise<void>
}

const measure = async ({ server, requests, finish }: MeasuredSide, turns: Turns) => {
  const before = await server.cpuSeconds()
  const { connections, seconds, atRate: rate } = turns
  const job = { url: server.address, requests: requests(), connections, seconds, rate }
  const { answered, seconds: loaded } = await load(job)
  const responded = performance.now()
  await finish?.()
  const finishing = finish ? (performance.now() - responded) / 1_000 : 0
  const cpu = (await server.cpuSeconds()) - before
  return { rate: answered / (loaded + finishing), perCpuSecond: answered / cpu }
}

/** Measurements of each side, turn by turn. */
export async function measureSides(sides: readonly MeasuredSide[], plan: Turns): Promise<Measured[][]> {
  const measured = sides.map((): Measured[] => [])
  for (let turn = -1; turn < plan.turns; turn += 1) {
    for (const [index, side] of sides.entries()) {
      const one = await measure(side, plan)
      if (turn >= 0) measured[index]!.push(one)
    }
  }
  return measured
}

/** Measurements of each server, turn by turn, where all get the same requests. */
export const measureAll = (
  servers: readonly Server[],
  { requests, ...plan }: Turns & Pick<MeasuredSide, 'requests'>,
): Promise<Measured[][]> =>
  measureSides(
    servers.map(server => ({ server, requests })),
    plan,
  )

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
