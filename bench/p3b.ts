/** P3b: the analyst's query by one client that waits for each answer: how long that takes, and what CPU, on both sides. */
import { GRAPHQL, requestsOf, startAnalystPair } from './lib/analyst-query.ts'
import { median } from './lib/compare.ts'
import type { OneByOne, OneByOneJob } from './lib/one-by-one-process.ts'
import { type Finding, milliseconds, spreadOf } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import type { Server } from './lib/server.ts'
import { startWorker, type Worker } from './lib/worker.ts'

const SECONDS = scaled(4, 1)
const TURNS = scaled(7)
const LIMIT_MS = 2.5

/** Milliseconds; CPU time is the server process's own. */
interface Answered {
  readonly p50: number
  readonly p99: number
  readonly cpu: number
}

const ask = async (client: Worker, server: Server, headers: Record<string, string>): Promise<Answered> => {
  const before = await server.cpuSeconds()
  const job: OneByOneJob = { url: server.address, requests: requestsOf(GRAPHQL, headers), seconds: SECONDS }
  const { count, p50, p99 } = await client.call<OneByOne>('run', job)
  return { p50, p99, cpu: (((await server.cpuSeconds()) - before) * 1_000) / count }
}

const WORK = "the analyst's query, one connection"
const BY_HAND = 'Fastify + pg, the answer as one statement'

const compared = (
  name: keyof Answered,
  what: string,
  [ours, theirs]: readonly Answered[][],
  target?: string,
): Finding => {
  const ratios = ours!.map((turn, index) => turn[name] / theirs![index]![name])
  const [mine, other] = [ours!, theirs!].map(turns => milliseconds(median(turns.map(turn => turn[name]))))
  return {
    id: 'P3b',
    work: `${WORK}: ${what}`,
    against: BY_HAND,
    ours: mine!,
    theirs: `${other} (${spreadOf(ratios)})`,
    ratio: median(ratios),
    target,
  }
}

const limited = (ours: readonly Answered[]): Finding => {
  const p50s = ours.map(({ p50 }) => p50)
  return {
    id: 'P3b',
    work: `${WORK}: latency, p50`,
    against: `${LIMIT_MS} ms`,
    ours: `${milliseconds(median(p50s))} (${spreadOf(p50s)})`,
    theirs: milliseconds(LIMIT_MS),
    ratio: median(p50s) / LIMIT_MS,
    target: '<= 1',
  }
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using started = await startAnalystPair(flags)
  const { pair, headers } = started
  await using client = startWorker('one-by-one-process.ts')
  const answered: Answered[][] = [[], []]
  for (let turn = -1; turn < TURNS; turn += 1) {
    for (const [index, server] of [pair.ours, pair.bare].entries()) {
      const one = await ask(client, server, headers)
      if (turn >= 0) answered[index]!.push(one)
    }
  }
  return [
    limited(answered[0]!),
    compared('p50', 'latency, p50', answered, '<= 3'),
    compared('p99', 'latency, p99', answered),
    compared('cpu', 'CPU of the server for each', answered, '<= 3'),
  ]
}
