/** P11: how long a start takes until it can serve, against PGlite opening the same folder alone; and the first requests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './lib/compare.ts'
import { openDemoRequests } from './lib/demo-requests.ts'
import { type PlainStart, startPlainly, startScript } from './lib/plain-start.ts'
import { type Finding, milliseconds } from './lib/results.ts'
import { scaled } from './lib/scale.ts'

const TURNS = scaled(9)
const BARE = ['bench/servers/bare-pglite.js']
/** How much longer than PGlite a start may take. */
const TARGET_MS = 1_000

const startOurs = (DATA_DIR: string) => startPlainly(startScript(), '/health/ready', { DATA_DIR })
const startBare = (DATA_DIR: string) => startPlainly(BARE, '/', { DATA_DIR })

interface Measured {
  readonly readyMs: number
  readonly cpuMs: number
}

const timed = async (work: () => Promise<void>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** The first of each, and the same again. */
const timeRequests = async ({ address }: PlainStart) => {
  const { customer360, payment } = await openDemoRequests(address)
  const firstQuery = await timed(customer360)
  const firstPost = await timed(payment)
  return { firstQuery, firstPost, query: await timed(customer360), post: await timed(payment) }
}

const measure = async (start: Promise<PlainStart>): Promise<Measured> => {
  await using server = await start
  return { readyMs: server.readyMs, cpuMs: server.cpuMs }
}

const measureWithRequests = async (start: Promise<PlainStart>) => {
  await using server = await start
  return { readyMs: server.readyMs, cpuMs: server.cpuMs, ...(await timeRequests(server)) }
}

/** An empty folder, filled by each side; then both open what ours made of it. */
const turn = async () => {
  const folders = [await mkdtemp(join(tmpdir(), 'p11-')), await mkdtemp(join(tmpdir(), 'p11-'))] as const
  try {
    const first = [await measure(startOurs(folders[0])), await measure(startBare(folders[1]))] as const
    const second = [
      await measureWithRequests(startOurs(folders[0])),
      await measure(startBare(folders[0])),
    ] as const
    return { first, second }
  } finally {
    for (const folder of folders) await rm(folder, { recursive: true })
  }
}

type Pairs = readonly (readonly [ours: Measured, bare: Measured])[]

const medianOf = <One>(all: readonly One[], value: (one: One) => number) => median(all.map(value))

const finding = (work: string, pairs: Pairs, key: keyof Measured, target?: string): Finding => ({
  id: 'P11',
  work,
  against: 'PGlite alone on the folder; the ratio is the difference to 1 s',
  ours: milliseconds(medianOf(pairs, ([ours]) => ours[key])),
  theirs: milliseconds(medianOf(pairs, ([, bare]) => bare[key])),
  ratio: medianOf(pairs, ([ours, bare]) => ours[key] - bare[key]) / TARGET_MS,
  target,
})

type Requests = Awaited<ReturnType<typeof timeRequests>>

const requestFinding = (
  work: string,
  all: readonly Requests[],
  keys: [keyof Requests, keyof Requests],
): Finding => {
  const [first, again] = keys.map(key => medianOf(all, one => one[key])) as [number, number]
  return {
    id: 'P11',
    work,
    against: 'the same again',
    ours: milliseconds(first),
    theirs: milliseconds(again),
    ratio: first / again,
  }
}

export async function run(): Promise<Finding[]> {
  await turn()
  const turns: Awaited<ReturnType<typeof turn>>[] = []
  for (let count = 0; count < TURNS; count += 1) turns.push(await turn())
  const [first, second] = [turns.map(one => one.first), turns.map(one => one.second)]
  const requests = second.map(([ours]) => ours)
  return [
    finding('second start, until it is ready', second, 'readyMs', '<= 1'),
    finding('second start, processor time until then', second, 'cpuMs'),
    finding('first start, with the demo data, until it is ready', first, 'readyMs'),
    requestFinding('the first customer-360 after a start', requests, ['firstQuery', 'query']),
    requestFinding('the first payment after a start', requests, ['firstPost', 'post']),
  ]
}
