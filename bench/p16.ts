/**
 * P16: retention at 1,000,000 transactions a day on PostgreSQL: how many events it removes a second, with a delivery each,
 * and what that does to posting: at a fixed rate, and as fast as possible, with retention and without in turns.
 */
import { readConfig } from '#core/config/config.ts'
import { type Db, openDatabase } from '#core/data/db.ts'
import { deleteExpired } from '#core/events/retention.ts'
import { median } from './lib/compare.ts'
import { fillClients, fillDirectory } from './lib/fill.ts'
import { ageOf, fillLog, type LogShape } from './lib/fill-log.ts'
import { load } from './lib/load.ts'
import type { LoadResult } from './lib/load-process.ts'
import { tokenHeaders } from './lib/pair.ts'
import { payment } from './lib/payment.ts'
import { type Finding, milliseconds, perSecond, spreadOf } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'
import { printSizes } from './lib/sizes.ts'

const TURNS = scaled(4)
/** About as long as removing a portion takes. */
const SECONDS = scaled(4, 1)
const PER_DAY = 1_000_000
const PER_SECOND = PER_DAY / 86_400
/** Seven times what a day of a million has in a busy hour, when a tenth of it comes. */
const RATE = 200
const CONNECTIONS = 32

/** One portion alone, then one for each turn of both ways of posting, warming up included. */
const SHAPE: LogShape = {
  portions: 1 + 2 * (TURNS + 1),
  size: scaled(150_000, 5_000),
  kept: scaled(PER_DAY / 2, 10_000),
}

const requestsOf = (headers: Record<string, string>) =>
  Array.from({ length: 200 }, (_, index) => {
    return { method: 'POST', path: '/postpaid-billing/v1/payments', headers, body: payment(index) }
  })

/** Removes the portions one after the other. */
class Retention {
  readonly #db: Db
  /** The program remembers it from one hour to the next. */
  readonly #beginning = { after: 0n }
  #next = 0
  readonly rates: number[] = []

  constructor(db: Db) {
    this.#db = db
  }

  /** @throws Error where it removed another number than there is of that age. */
  async run(): Promise<void> {
    const start = performance.now()
    const deleted = await deleteExpired(this.#db, ageOf(this.#next++, SHAPE) - 5, this.#beginning)
    if (deleted !== SHAPE.size) throw new Error(`${deleted} events were removed, not ${SHAPE.size}`)
    this.rates.push((deleted * 1_000) / (performance.now() - start))
  }
}

interface Sides {
  readonly server: Server
  readonly headers: Record<string, string>
  readonly retention: Retention
}

/** Posts in turns without and with retention. */
const post = async ({ server, headers, retention }: Sides, rate?: number) => {
  const job = {
    url: server.address,
    connections: CONNECTIONS,
    seconds: SECONDS,
    requests: requestsOf(headers),
    rate,
  }
  const turns: { without: LoadResult; within: LoadResult }[] = []
  for (let turn = -1; turn < TURNS; turn += 1) {
    const without = await load(job)
    const [within] = await Promise.all([load(job), retention.run()])
    if (turn >= 0) turns.push({ without, within })
  }
  return turns
}

type Turns = Awaited<ReturnType<typeof post>>

const compared = (
  work: string,
  turns: Turns,
  name: 'perSecond' | 'p50' | 'p99',
  show: (value: number) => string,
): Finding => {
  const [within, without] = [turns.map(turn => turn.within[name]), turns.map(turn => turn.without[name])]
  const ratios = within.map((value, turn) => value / without[turn]!)
  return {
    id: 'P16',
    work,
    against: 'without',
    ours: show(median(within)),
    theirs: `${show(median(without))} (${spreadOf(ratios)})`,
    ratio: median(ratios),
  }
}

const removed = (work: string, rates: readonly number[]): Finding => ({
  id: 'P16',
  work,
  against: `${PER_DAY.toLocaleString('en')} a day`,
  ours: `${perSecond(median(rates))} (${Math.round(Math.min(...rates))}-${Math.round(Math.max(...rates))})`,
  theirs: perSecond(PER_SECOND),
  ratio: median(rates) / PER_SECOND,
  target: '>= 10',
})

const measure = async (sides: Sides): Promise<Finding[]> => {
  const { retention } = sides
  await retention.run()
  const atRate = await post(sides, RATE)
  const most = await post(sides)
  const [alone, ...beside] = retention.rates
  const posting = `POST payment in the ${SECONDS} s in which ${SHAPE.size.toLocaleString('en')} events go`
  return [
    removed('events removed with their deliveries, nothing else under way', [alone!]),
    removed('the same while payments are posted', beside),
    compared(`${posting}: at ${RATE}/s, p50`, atRate, 'p50', milliseconds),
    compared(`${posting}: at ${RATE}/s, p99`, atRate, 'p99', milliseconds),
    compared(`${posting}: as fast as possible`, most, 'perSecond', perSecond),
    compared(`${posting}: as fast as possible, p99`, most, 'p99', milliseconds),
  ]
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const { url, client } = stack.use(await createScratch())
  await fillClients(client)
  await fillDirectory(client)
  await fillLog(url, client, SHAPE)
  await printSizes(client, 'events', 'before')
  // What this run removes is nothing that the server would.
  const env = { DATABASE_URL: url, SECRETS_KEY, EVENT_RETENTION_DAYS: '36500' }
  const server = stack.use(await startServer('gateway/main.ts', { env, flags }))
  const { db, close } = await openDatabase(readConfig(env))
  stack.defer(close)
  const headers = await tokenHeaders(server.address, 'bench-partner')
  const findings = await measure({ server, headers, retention: new Retention(db) })
  await printSizes(client, 'events', 'after')
  return findings
}
