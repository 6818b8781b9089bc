/** P5: `GET` payment by id, and a list page of 50, on PostgreSQL. */
import type pg from 'pg'
import { fillTransactions, PAYMENTS } from './lib/fill.ts'
import { findingsOf, measureAll } from './lib/measured.ts'
import { assertSameAnswer, startPair } from './lib/pair.ts'
import type { Finding } from './lib/results.ts'
import { scaled } from './lib/scale.ts'

const PLAN = { connections: 64, seconds: scaled(4, 1), turns: scaled(5) }
const ROWS = 20_000
const PATHS = 500
const COLLECTION = '/postpaid-billing/v1/payments'

const idPaths = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM postpaid.payment WHERE position % $1 = 0`,
    [ROWS / PATHS],
  )
  return rows.map(({ id }) => `${COLLECTION}/${id}`)
}

const pagePaths = Array.from({ length: ROWS / 50 }, (_, page) => `${COLLECTION}?perPage=50&page=${page}`)

const works = async (client: pg.Client) =>
  [
    { work: 'GET payment by id', paths: await idPaths(client), target: '>= 1.2' },
    { work: 'list page of 50', paths: pagePaths, target: '>= 0.9' },
  ] as const

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using pair = await startPair(client => fillTransactions(client, PAYMENTS, ROWS), flags)
  const headers = await pair.headers('bench-partner')
  const servers = [pair.ours, pair.bare]
  const findings: Finding[] = []
  for (const { work, paths, target } of await works(pair.ourDatabase)) {
    for (const path of [paths[0]!, paths[3]!, paths.at(-1)!])
      await assertSameAnswer(servers.map(({ address }) => [`${address}${path}`, { headers }]))
    const requests = () => paths.map(path => ({ path, headers }))
    const [ours, theirs] = await measureAll(servers, { ...PLAN, requests })
    const against = 'bare Fastify + pg'
    findings.push(...findingsOf({ id: 'P5', work, against, targets: [target, target] }, ours!, theirs!))
  }
  return findings
}
