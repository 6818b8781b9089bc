/** P5: `GET` payment by id, and a list page of 50, on PostgreSQL. */
import type pg from 'pg'
import { compare } from './lib/compare.ts'
import { fillTransactions, PAYMENTS } from './lib/fill.ts'
import { assertSameAnswer, startPair } from './lib/pair.ts'
import { type Finding, perSecond } from './lib/results.ts'

const PLAN = { connections: 64, seconds: 4, turns: 5 }
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

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using pair = await startPair(client => fillTransactions(client, PAYMENTS, ROWS), flags)
  const headers = await pair.headers('bench-partner')
  const works = { 'GET payment by id': await idPaths(pair.ourDatabase), 'list page of 50': pagePaths }
  const findings: Finding[] = []
  for (const [work, paths] of Object.entries(works)) {
    const addresses = [pair.ours.address, pair.bare.address]
    await assertSameAnswer(addresses.map(address => [`${address}${paths[3]}`, { headers }]))
    const requests = paths.map(path => ({ path, headers }))
    const sides = addresses.map(url => ({ url, requests }))
    const [ours, theirs] = await compare(sides, PLAN)
    const rates = { ours: perSecond(ours!), theirs: perSecond(theirs!) }
    findings.push({
      id: 'P5',
      work,
      against: 'bare Fastify + pg',
      ...rates,
      ratio: ours! / theirs!,
      target: '>= 0.7',
    })
  }
  return findings
}
