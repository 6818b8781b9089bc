/** P12: the memory that the whole program holds in one process, against PGlite alone on the same folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { median } from './lib/compare.ts'
import { openDemoRequests } from './lib/demo-requests.ts'
import { type PlainStart, startPlainly, startScript } from './lib/plain-start.ts'
import type { Finding } from './lib/results.ts'
import { scaled } from './lib/scale.ts'

const TURNS = scaled(5)
const REQUESTS = scaled(400, 4)
const BARE = ['bench/servers/bare-pglite.js']
const MIB = 1024 * 1024
/** Until what the start left behind has been given back. */
const REST_MS = 2_000

/** In bytes. */
interface Resident {
  readonly started: number
  readonly used: number
}

const measure = async (
  start: Promise<PlainStart>,
  use: (address: string) => Promise<void>,
): Promise<Resident> => {
  await using server = await start
  await delay(REST_MS)
  const started = server.residentBytes()
  await use(server.address)
  await delay(REST_MS)
  return { started, used: server.residentBytes() }
}

const useOurs = async (address: string) => {
  const { customer360, payment } = await openDemoRequests(address)
  for (let count = 0; count < REQUESTS; count += 2) {
    await customer360()
    await payment()
  }
}

const useBare = async (address: string) => {
  for (let count = 0; count < REQUESTS; count += 1) await (await fetch(address)).text()
}

const turn = async (DATA_DIR: string) =>
  [
    await measure(startPlainly(startScript(), '/health/ready', { DATA_DIR }), useOurs),
    await measure(startPlainly(BARE, '/', { DATA_DIR }), useBare),
  ] as const

const inMib = (bytes: number) => `${Math.round(bytes / MIB)} MiB`

export async function run(): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'p12-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(folder, { recursive: true }))
  await turn(folder)
  const turns: Awaited<ReturnType<typeof turn>>[] = []
  for (let count = 0; count < TURNS; count += 1) turns.push(await turn(folder))
  const finding = (work: string, key: keyof Resident): Finding => ({
    id: 'P12',
    work,
    against: 'PGlite alone on the same folder',
    ours: inMib(median(turns.map(([ours]) => ours[key]))),
    theirs: inMib(median(turns.map(([, bare]) => bare[key]))),
    ratio: median(turns.map(([ours, bare]) => ours[key] / bare[key])),
    target: '<= 1.4',
  })
  return [
    finding('resident memory after a start', 'started'),
    finding(`resident memory after ${REQUESTS} requests, half of them payments`, 'used'),
  ]
}
