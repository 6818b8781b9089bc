/** `/health/ready` says when nothing can be written, and when what was posted is not settled. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INTERFACES } from '../support/both-interfaces.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { startProxy } from '../support/proxy.ts'
import { bookTables, FULL_DISK, refuseWrites } from '../support/refusals.ts'
import { SEPARATE, type Stack, startStack } from '../support/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack[Symbol.asyncDispose]())

const ready = async () => {
  const response = await fetch(`${stack.address}/health/ready`)
  return { status: response.status, body: await response.json() }
}
const PATIENT = { timeout: 15_000 }
const run = (sql: string) => stack.app.db.$executeRawUnsafe(sql)

it('READY-01 MUST be 503 with the reason while the disk is full, and 200 after', async () => {
  expect(await ready()).toEqual({ status: 200, body: { status: 'ready', reasons: [] } })
  const { db } = stack.app
  const mend = await refuseWrites(db, await bookTables(db), FULL_DISK)
  const reason = 'the database has no space left (53100)'
  const since = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/)
  await expect.poll(ready, PATIENT).toEqual({
    status: 503,
    body: {
      status: 'not ready',
      reasons: [reason],
      degraded: [{ part: 'database', reason, serving: false, since }],
    },
  })
  const first = await ready()
  expect(await ready()).toEqual(first)
  await mend()
  await expect.poll(ready, PATIENT).toMatchObject({ status: 200 })
})

it('READY-02 MUST have the disk give room, since a row that is written over fits where it was', async () => {
  const size = async () => {
    const [row] = await stack.app.db.$queryRaw<{ bytes: number }[]>`
      SELECT pg_relation_size('pg_largeobject')::int AS bytes`
    return row!.bytes
  }
  const before = await size()
  await expect
    .poll(async () => {
      await ready()
      return (await size()) - before
    }, PATIENT)
    .toBeGreaterThanOrEqual(16 * 1024)
  expect(await stack.app.db.$queryRaw`SELECT count(*)::int AS count FROM pg_largeobject_metadata`).toEqual([
    { count: 0 },
  ])
})

it('READY-03 MUST be 503 within 3 s while the database is read-only, and 200 after', async () => {
  const name = (await stack.app.db.$queryRaw<[{ name: string }]>`SELECT current_database() AS name`)[0].name
  /** Sessions that began with the other setting are ended. */
  const set = async (value: 'on' | 'off') => {
    if (stack.app.database.embedded) return void (await run(`SET default_transaction_read_only = ${value}`))
    const server = new pg.Client(process.env['TEST_DATABASE_URL'])
    await server.connect()
    await server.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)
    await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
    await server.end()
  }
  await set('on')
  await expect.poll(ready, { timeout: 3_000 }).toMatchObject({
    status: 503,
    body: { reasons: expect.arrayContaining(['the database is read-only (25006)']) },
  })
  await set('off')
  await expect.poll(ready, PATIENT).toMatchObject({ status: 200 })
})

/** On the embedded database nothing can be locked for long; in other processes readiness is theirs. */
describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres' || SEPARATE)('on connections', () => {
  it('READY-04 MUST be 503 within 3 s while nothing is settled, say it in the metrics, and be 200 after', async () => {
    const [fixture] = FIXTURES
    const url = (await stack.app.db.$queryRaw<[{ name: string }]>`SELECT current_database() AS name`)[0].name
    const address = new URL(process.env['TEST_DATABASE_URL']!)
    address.pathname = `/${url}`
    const other = new pg.Client(address.href)
    await other.connect()
    await other.query('BEGIN')
    await other.query('SELECT 1 FROM charging.progress FOR UPDATE')
    const created = await INTERFACES[0]!.create(stack, fixture!, await stack.token(), fixture!.body())
    expect(created.status).toBe(201)
    const standstill = /^settling of [A-Z]+ has made no progress for \d+ s$/
    await expect.poll(ready, { timeout: 3_000 }).toMatchObject({
      status: 503,
      body: {
        reasons: [expect.stringMatching(standstill)],
        degraded: [{ part: expect.stringMatching(/^settling of [A-Z]+$/), serving: false }],
      },
    })
    const metrics = await (await fetch(`${stack.address}/metrics`)).text()
    expect(metrics).toMatch(/^worker_late\{worker="settling of [A-Z]+"\} 1$/m)
    await other.end()
    await expect.poll(ready, PATIENT).toMatchObject({ status: 200 })
  })

  it('READY-05 MUST answer within 3 s when the database does not, and never ask it twice at once', async () => {
    const server = new URL(process.env['TEST_DATABASE_URL']!)
    const proxy = await startProxy(server.hostname, Number(server.port || 5432))
    await using behind = await startStack({ databasePort: proxy.port })
    proxy.freeze()
    proxy.refuse()
    const probes = Array.from({ length: 50 }, async () => {
      const began = performance.now()
      const { status } = await fetch(`${behind.address}/health/ready`)
      return { status, isInTime: performance.now() - began < 3_000 }
    })
    expect(new Set((await Promise.all(probes)).map(one => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ status: 503, isInTime: true })]),
    )
    proxy.restore()
    await expect.poll(async () => (await fetch(`${behind.address}/health/ready`)).status, PATIENT).toBe(200)
    await proxy.close()
  })
})
