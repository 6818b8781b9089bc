/**
 * P7: what a portal's page about one number and the analyst's month cost with 10,000,000 transactions against 10,000 on
 * PostgreSQL: ten transactions an account in both, so that the results are as long.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillInBulk } from './lib/bulk.ts'
import { median } from './lib/compare.ts'
import { fillClients } from './lib/fill.ts'
import {
  accountsOf,
  directoryOf,
  historyNumber,
  historyOf,
  positionsOf,
  SUMS,
  UNTIED,
} from './lib/fill-history.ts'
import { tokenHeaders } from './lib/pair.ts'
import { type Finding, milliseconds, spreadOf } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'

const FEW = 10_000
/** In whole tens of thousands, so that accounts and kinds come out even. */
const MANY = Math.max(2, Math.round(scaled(1_000))) * 10_000
const TURNS = 7
const REQUESTS = 100
const BULK = { parallel: 2, unlogged: true }

const operation = (name: string) =>
  readFileSync(join(import.meta.dirname, `../schema/operations/${name}.graphql`), 'utf8')

interface Work {
  readonly name: string
  readonly query: string
  /** @param account in no order, of all. */
  variables(account: number): object
}

const WORKS: readonly Work[] = [
  {
    name: "a number's page (customer-360.graphql)",
    query: operation('customer-360'),
    variables: account => ({ n: `+${historyNumber(account)}` }),
  },
  {
    name: "everyone's month (summary.graphql)",
    query: operation('summary'),
    variables: () => ({ from: '2026-02-01T00:00:00+04:00', to: '2026-02-28T23:59:59.999+04:00' }),
  },
  {
    name: "everyone's hundred days (summary.graphql)",
    query: operation('summary'),
    variables: () => ({ from: '2026-01-01T00:00:00+04:00', to: '2026-04-30T23:59:59.999+04:00' }),
  },
  {
    name: "a number's timeline (timeline.graphql)",
    query: operation('timeline'),
    variables: account => ({ n: `+${historyNumber(account)}` }),
  },
]

const fill = async (transactions: number) => {
  await using stack = new AsyncDisposableStack()
  const scratch = stack.use(await createScratch())
  const { client, url } = scratch
  await fillClients(client)
  await client.query(UNTIED)
  await fillInBulk(url, [...historyOf(transactions), ...directoryOf(transactions)], BULK)
  await fillInBulk(url, SUMS, BULK)
  await client.query(positionsOf(transactions))
  await client.query('CHECKPOINT')
  const kept = stack.move()
  return { url, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** A database of a size, and the program over it. */
interface Side {
  readonly transactions: number
  readonly server: Server
  readonly headers: Record<string, string>
}

const start = async (
  stack: AsyncDisposableStack,
  transactions: number,
  url: string,
  flags: readonly string[],
): Promise<Side> => {
  const env = { DATABASE_URL: url, SECRETS_KEY }
  const server = stack.use(await startServer('gateway/main.ts', { env, flags }))
  return { transactions, server, headers: await tokenHeaders(server.address, 'bench-analyst') }
}

const ask = async ({ server, headers }: Side, { query }: Work, variables: object) => {
  const body = JSON.stringify({ query, variables })
  const response = await fetch(`${server.address}/graphql`, { method: 'POST', headers, body })
  const { data, errors } = (await response.json()) as { data: Record<string, unknown>; errors?: unknown }
  if (errors) throw new Error(`${JSON.stringify(errors)} to ${query}`)
  return data
}

/** In no order, so that hardly two are beside each other. */
const accountAt = (index: number, { transactions }: Side) => (index * 7_919_003) % accountsOf(transactions)

const timed = async (side: Side, work: Work, account: number): Promise<number> => {
  const variables = work.variables(account)
  const start = performance.now()
  await ask(side, work, variables)
  return performance.now() - start
}

/** Milliseconds of one request on each side, which are called in turns: the medians. */
const measure = async (sides: readonly Side[], work: Work, turn: number): Promise<number[]> => {
  const times = sides.map((): number[] => [])
  for (let request = 0; request < REQUESTS; request += 1) {
    for (const [index, side] of sides.entries())
      times[index]!.push(await timed(side, work, accountAt(turn * REQUESTS + request, side)))
  }
  return times.map(median)
}

const [PAGE, , EVERYTHING] = WORKS

interface Subscriber {
  readonly customer: { readonly payments: { readonly totalCount: number } }
  readonly timeline: { readonly edges: readonly unknown[] }
  readonly summary: readonly { readonly count: number }[]
}

const countOf = (rows: readonly { readonly count: number }[]) =>
  rows.reduce((sum, { count }) => sum + count, 0)

/** Each account has ten transactions, and everyone as many as were made. */
const assertComplete = async (side: Side) => {
  for (const account of [0, 1, accountsOf(side.transactions) - 1]) {
    const { subscriber } = (await ask(side, PAGE!, PAGE!.variables(account))) as { subscriber: Subscriber }
    const { customer, timeline, summary } = subscriber
    deepStrictEqual([customer.payments.totalCount, timeline.edges.length, countOf(summary)], [2, 10, 10])
  }
  const { summary } = (await ask(side, EVERYTHING!, EVERYTHING!.variables(0))) as Pick<Subscriber, 'summary'>
  deepStrictEqual(countOf(summary), side.transactions)
}

const compare = async (few: Side, many: Side, work: Work): Promise<Finding> => {
  const times: [number[], number[]] = [[], []]
  for (let turn = -1; turn < TURNS; turn += 1) {
    const measured = await measure([few, many], work, turn + 1)
    if (turn >= 0) for (const [index, ms] of measured.entries()) times[index]!.push(ms)
  }
  const ratios = times[1].map((ms, turn) => ms / times[0][turn]!)
  return {
    id: 'P7',
    work: `${work.name}, ${many.transactions.toLocaleString('en')} transactions`,
    against: `${few.transactions.toLocaleString('en')} transactions`,
    ours: milliseconds(median(times[1])),
    theirs: `${milliseconds(median(times[0]))} (${spreadOf(ratios)})`,
    ratio: median(ratios),
    target: '<= 1.3',
  }
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  // Both are full before either starts: filling takes all that the machine has.
  const [small, large] = [stack.use(await fill(FEW)), stack.use(await fill(MANY))]
  const few = await start(stack, FEW, small.url, flags)
  const many = await start(stack, MANY, large.url, flags)
  for (const side of [few, many]) await assertComplete(side)
  const findings: Finding[] = []
  for (const work of WORKS) findings.push(await compare(few, many, work))
  return findings
}
