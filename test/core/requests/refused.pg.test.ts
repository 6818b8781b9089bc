/** Refused requests among many that were not: a page of them reads the index of refusals, not the days. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY_MS, dayOf, makePartitions } from '#core/data/day-partitions.ts'
import { Prisma } from '#core/data/db.ts'
import { listRequests, type RequestFilter } from '#core/requests/read.ts'
import { REQUEST_TABLE } from '#core/requests/table.ts'
import { type Stack, startStack } from '#test/support/stack.ts'
import { readingThrough } from '#test/support/statements.ts'

/** Rows of each day, of which one in `REFUSED_OF` was refused. */
const ROWS = 6_000
const REFUSED_OF = 200
const DAYS = [3, 2, 1].map(ago => dayOf(Date.now() - ago * DAY_MS))
const PAGE = 50

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
}

let stack: Stack

beforeAll(async () => {
  stack = await startStack({ env: { REQUEST_LOG_DAYS: '0' } })
  const { db } = stack.app
  await makePartitions(db, REQUEST_TABLE, DAYS)
  for (const day of DAYS)
    await db.$executeRaw`
      INSERT INTO activity.request (id, at, client_id, via, operation, status, code, reason, duration_ms, correlator)
      SELECT (lpad(to_hex(${day * DAY_MS}::bigint + n), 12, '0') || '7' || lpad(to_hex(n), 19, '0'))::uuid,
        to_timestamp((${day * DAY_MS}::bigint + n) / 1000.0), 'client-' || n % 10,
        CASE n % 3 WHEN 0 THEN 'REST' ELSE 'GRAPH' END, 'createPayment',
        CASE WHEN n % ${REFUSED_OF}::int = 0 THEN 400 ELSE 201 END,
        CASE WHEN n % ${REFUSED_OF}::int = 0 THEN 'INVALID_ARGUMENT' END,
        CASE WHEN n % ${REFUSED_OF}::int = 0 THEN 'REQUIRED' END, 1.5, 'c'
      FROM generate_series(1, ${ROWS}::int) n`
  await db.$executeRaw`ANALYZE activity.request`
}, 240_000)
afterAll(() => stack[Symbol.asyncDispose]())

/** Nodes of a plan, wherever they stand in it: Citus shows those of other servers deep within one of its own. */
const nodesOf = (value: unknown): PlanNode[] => {
  if (typeof value !== 'object' || value === null) return []
  const own = 'Node Type' in value ? [value as PlanNode] : []
  return [...own, ...Object.values(value).flatMap(nodesOf)]
}

/** Reads a page, and the plan by which the database reads it. */
const read = async (filter: RequestFilter) => {
  const { db } = stack.app
  let nodes: PlanNode[] = []
  const explaining = readingThrough(db, async (statement, send) => {
    const explained = Prisma.sql`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement}`
    nodes = nodesOf(await db.$queryRaw`${explained}`)
    return send()
  })
  const principal = { clientId: 'desk', name: 'Desk', role: 'portal' } as const
  const page = await listRequests(explaining, { principal } as never, { filter, first: PAGE })
  const scans = nodes.filter(node => /(?<!Custom )Scan/.test(node['Node Type']))
  const touched = scans.reduce(
    (sum, scan) => sum + (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'],
    0,
  )
  return { page, scans, touched }
}

it('REQ-GRAPH-07 MUST read no more refusals than the page has, by their index', async () => {
  const { page, scans, touched } = await read({ refused: true })
  expect(page.edges).toHaveLength(PAGE)
  expect(page.edges.every(({ node }) => node.code !== null)).toBe(true)
  expect(scans.length).toBeGreaterThan(0)
  expect(scans.every(scan => scan['Node Type'].startsWith('Index') && scan['Index Name'])).toBe(true)
  expect(touched).toBeLessThanOrEqual(PAGE + DAYS.length)
})

it('REQ-GRAPH-08 MUST read nothing but refusals for those of a client, of a way, or of a time', async () => {
  const most = (DAYS.length * ROWS) / REFUSED_OF
  for (const filter of [
    { via: 'REST' },
    { client: 'client-0' },
    { client: 'client-3' },
    { from: new Date(DAYS[1]! * DAY_MS) },
  ] as const) {
    const { page, touched } = await read({ ...filter, refused: true })
    expect(page.edges.every(({ node }) => node.code !== null)).toBe(true)
    expect(touched).toBeLessThanOrEqual(most)
  }
})

it('REQ-GRAPH-09 MUST read little more than the page for those that were not refused', async () => {
  const { page, touched } = await read({ refused: false, via: 'REST' })
  expect(page.edges).toHaveLength(PAGE)
  expect(page.edges.every(({ node }) => node.code === null)).toBe(true)
  expect(touched).toBeLessThan(5 * PAGE)
})
