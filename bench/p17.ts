/**
 * P17: a flood over very many connections, by one client and by wrong tokens: what is served of what could be, and how long
 * another client waits that asks a few times a second; without the flood and with it in turns of one run.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { median } from './lib/compare.ts'
import { fillClients, fillDirectory, mobileOf } from './lib/fill.ts'
import type { FloodJob, FloodResult } from './lib/flood-process.ts'
import { load } from './lib/load.ts'
import { tokenHeaders } from './lib/pair.ts'
import { type Finding, milliseconds, perSecond, spreadOf } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, type Scratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'

const TURNS = scaled(5, 1)
const SECONDS = scaled(8, 4)
const FLOOD = 1_500
const ORDINARY = 64
const INNOCENT_RATE = 10
const PROGRAM = join(import.meta.dirname, 'lib/flood-process.ts')

const flood = async (job: FloodJob): Promise<FloodResult> => {
  const child = fork(PROGRAM, { execArgv: ['--disable-warning=ExperimentalWarning'] })
  child.send(job)
  const [result] = (await once(child, 'message')) as [FloodResult]
  return result
}

type Headers = Record<string, string>

interface Turn {
  /** Requests of the busy client that were served in a second. */
  readonly served: number
  /** Of the innocent client, in milliseconds. */
  readonly p99: number
}

interface Work {
  readonly server: Server
  readonly busy: Headers
  readonly innocent: Headers
  readonly path: string
}

const ask = ({ server, path }: Work, headers: Headers, connections: number): FloodJob => ({
  url: server.address,
  connections,
  seconds: SECONDS,
  requests: [{ method: 'GET', path, headers }],
})

const askInnocently = ({ server, path, innocent }: Work) =>
  load({
    url: server.address,
    connections: 2,
    seconds: SECONDS,
    rate: INNOCENT_RATE,
    requests: [{ method: 'GET', path, headers: innocent }],
  })

/** The innocent client alone, then the busy one alone, as many as one turn of a flood has beside each other. */
const quiet = async (work: Work): Promise<Turn> => {
  const { p99 } = await askInnocently(work)
  const { served } = await flood(ask(work, work.busy, ORDINARY))
  return { served, p99 }
}

const byOneClient = async (work: Work): Promise<Turn> => {
  const [{ served }, { p99 }] = await Promise.all([flood(ask(work, work.busy, FLOOD)), askInnocently(work)])
  return { served, p99 }
}

/** A token whose signature does not hold. */
const wrong = ({ authorization, ...headers }: Headers): Headers => ({
  ...headers,
  authorization: authorization!.replace(/.{20}$/, 'A'.repeat(20)),
})

const byWrongTokens = async (work: Work): Promise<Turn> => {
  const [, { served }, { p99 }] = await Promise.all([
    flood(ask(work, wrong(work.busy), FLOOD)),
    flood(ask(work, work.busy, ORDINARY)),
    askInnocently(work),
  ])
  return { served, p99 }
}

const findingsOf = (name: string, without: readonly Turn[], during: readonly Turn[]): Finding[] => {
  const ratios = (of: keyof Turn) => during.map((turn, index) => turn[of] / without[index]![of])
  const middle = (turns: readonly Turn[], of: keyof Turn) => median(turns.map(turn => turn[of]))
  const finding = (of: keyof Turn, work: string, target: string, show: (value: number) => string) => ({
    id: 'P17',
    work: `${FLOOD} connections of ${name}: ${work}`,
    against: 'the same without the flood',
    ours: show(middle(during, of)),
    theirs: `${show(middle(without, of))} (${spreadOf(ratios(of))})`,
    ratio: median(ratios(of)),
    target,
  })
  return [
    finding('served', 'served of a busy client', '>= 0.8', perSecond),
    finding('p99', `p99 of another client's ${INNOCENT_RATE}/s`, '<= 2', milliseconds),
  ]
}

/** As it is with an operator: the busy client has the quotas that every client has. */
const withDefaultQuotas = async ({ client }: Scratch) => {
  await fillClients(client)
  await fillDirectory(client)
  await client.query(`UPDATE access.client SET quotas = '{}'`)
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using scratch = await createScratch()
  await withDefaultQuotas(scratch)
  const env = { DATABASE_URL: scratch.url, SECRETS_KEY }
  await using server = await startServer('gateway/main.ts', { env, flags, mayWarn: true })
  const [busy, innocent] = [
    await tokenHeaders(server.address, 'bench-partner'),
    await tokenHeaders(server.address, 'bench-analyst'),
  ]
  const path = `/postpaid-billing/v1/customers?phoneNumber=${mobileOf(1)}`
  const work = { server, busy, innocent, path }
  const turns: Record<'quiet' | 'client' | 'wrong', Turn[]> = { quiet: [], client: [], wrong: [] }
  for (let turn = -1; turn < TURNS; turn += 1) {
    const [one, two, three] = [await quiet(work), await byOneClient(work), await byWrongTokens(work)]
    if (turn < 0) continue
    turns.quiet.push(one)
    turns.client.push(two)
    turns.wrong.push(three)
  }
  return [
    ...findingsOf('one client', turns.quiet, turns.client),
    ...findingsOf('wrong tokens', turns.quiet, turns.wrong),
  ]
}
