/** The request log through an outage of PostgreSQL: what clients were refused meanwhile is in it afterwards. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { startProxy, type TcpProxy } from '#test/support/proxy.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

const PATIENT = { timeout: 20_000, interval: 50 }
const onPostgres = process.env['TEST_DATABASE'] === 'postgres'
const [payment] = FIXTURES

let proxy: TcpProxy
let stack: Stack
let token: string

beforeAll(async () => {
  if (!onPostgres) return
  const server = new URL(process.env['TEST_DATABASE_URL'] || 'postgresql://127.0.0.1')
  proxy = await startProxy(server.hostname, Number(server.port || 5432))
  stack = await startStack({ databasePort: proxy.port })
  token = await stack.token()
})
afterAll(async () => {
  proxy?.restore()
  await stack?.[Symbol.asyncDispose]()
  await proxy?.close()
})

const post = async (correlator: string): Promise<number> => {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-correlator': correlator,
  }
  const body = JSON.stringify(payment!.body())
  const response = await fetch(stack.address + payment!.path, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

const rows = () => stack.app.db.$queryRaw<{ correlator: string; status: number; code: string | null }[]>`
  SELECT correlator, status, code FROM activity.request WHERE correlator LIKE 'outage-%' ORDER BY correlator`

test.skipIf(!onPostgres)(
  'REQ-OUTAGE-01 MUST have requests that were answered while the database was away',
  async () => {
    expect(await post('outage-1')).toBe(201)
    await expect.poll(rows, PATIENT).toHaveLength(1)
    proxy.cut()
    expect(await post('outage-2')).toBe(503)
    const waiting = () => stack.app.metrics.registry.getSingleMetricAsString('request_log_waiting')
    await expect.poll(waiting, PATIENT).toMatch(/request_log_waiting [1-9]/)
    expect(await post('outage-3')).toBe(503)
    proxy.restore()
    await expect.poll(() => post('outage-4'), PATIENT).toBe(201)
    await expect.poll(rows, PATIENT).toContainEqual({ correlator: 'outage-4', status: 201, code: null })
    const found = await rows()
    expect(found.filter(({ correlator }) => correlator !== 'outage-4')).toEqual([
      { correlator: 'outage-1', status: 201, code: null },
      { correlator: 'outage-2', status: 503, code: 'SERVICE_UNAVAILABLE' },
      { correlator: 'outage-3', status: 503, code: 'SERVICE_UNAVAILABLE' },
    ])
  },
)
