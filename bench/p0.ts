/**
 * P0: what a request costs before anything is done for it: a plain GET and POST, the smallest operation of the graph, a
 * payment by id, all with a token, against bare Fastify that checks one. `BENCH_BASE` names another checkout of this
 * project, which is measured between the two.
 */
import { join } from 'node:path'
import type pg from 'pg'
import { fillClients, fillDirectory, fillTransactions, PAYMENTS } from './lib/fill.ts'
import { findingsOf, type Measured, measureAll } from './lib/measured.ts'
import { assertSameAnswer, tokenHeaders } from './lib/pair.ts'
import type { Finding } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, type Scratch, SECRETS_KEY } from './lib/scratch.ts'
import { startServer } from './lib/server.ts'

const PLAN = { connections: 32, seconds: scaled(3, 1), turns: scaled(5) }
const ROWS = 1_000
const BASE = process.env['BENCH_BASE']
const PAYLOAD = JSON.stringify({ clientCorrelatorId: 'bench-1', amount: 10.005, currency: 'OMR' })

interface Work {
  readonly name: string
  /** The program that serves it on either side. */
  readonly ours: string
  readonly bare: string
  readonly request: Readonly<{ method: 'GET' | 'POST'; path: string; body?: string }>
}

const worksOn = (paymentId: string): Work[] => {
  const plain = { ours: 'bench/servers/plain.ts', bare: 'bench/servers/bare-plain.ts' }
  const graph = { method: 'POST', path: '/graphql', body: '{"query":"{ __typename }"}' } as const
  const byId = { method: 'GET', path: `/postpaid-billing/v1/payments/${paymentId}` } as const
  return [
    { ...plain, name: 'plain GET', request: { method: 'GET', path: '/plain' } },
    { ...plain, name: 'plain POST', request: { method: 'POST', path: '/plain', body: PAYLOAD } },
    { ...plain, ours: 'gateway/main.ts', name: 'POST /graphql { __typename }', request: graph },
    { ours: 'gateway/main.ts', bare: 'bench/servers/bare.ts', name: 'GET payment by id', request: byId },
  ]
}

const allFindings = (work: string, [bare, ...others]: Measured[][]): Finding[] =>
  others.flatMap((measured, index) => {
    const against = index === 0 ? 'bare Fastify with token' : `bare Fastify with token, ours at ${BASE}`
    return findingsOf({ id: 'P0', work, against, targets: [undefined, undefined] }, measured, bare!)
  })

const measureWork = async (
  { name, ours, bare, request }: Work,
  { url }: Scratch,
  flags: readonly string[],
): Promise<Finding[]> => {
  await using stack = new AsyncDisposableStack()
  const env = { DATABASE_URL: url, SECRETS_KEY }
  const programs = [ours, ...(BASE ? [join(BASE, ours)] : [])]
  const mine = []
  for (const program of programs) mine.push(stack.use(await startServer(program, { env, flags })))
  const bareEnv = { DATABASE_URL: url, ISSUER: mine[0]!.address }
  const sides = [stack.use(await startServer(bare, { env: bareEnv })), ...mine]
  const headers = await tokenHeaders(mine[0]!.address, 'bench-partner')
  const { method, path, body } = request
  await assertSameAnswer(sides.map(({ address }) => [address + path, { method, headers, body }]))
  const requests = () => [{ ...request, headers }]
  return allFindings(name, await measureAll(sides, { ...PLAN, requests }))
}

const fill = async (client: pg.Client): Promise<string> => {
  await fillClients(client)
  await fillDirectory(client)
  await fillTransactions(client, PAYMENTS, ROWS)
  const { rows } = await client.query<{ id: string }>('SELECT id FROM postpaid.payment WHERE position = 7')
  return rows[0]!.id
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using scratch = await createScratch()
  const findings: Finding[] = []
  for (const work of worksOn(await fill(scratch.client)))
    findings.push(...(await measureWork(work, scratch, flags)))
  return findings
}
