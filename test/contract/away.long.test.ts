/** When the database is away: 503 within 2 s, and how it recovers (docs/decisions.md, "Failures"). */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { INTERFACES, restOf } from '../support/both-interfaces.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import type { ServiceFixture } from '../support/fixtures/fixture.ts'
import { startProxy, type TcpProxy } from '../support/proxy.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { useFailures } from './failures.ts'

useFailures()

/** The embedded database is in the process and cannot be away. */
describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('the database is away', () => {
  let proxy: TcpProxy
  let behind: Stack
  let partner: string

  beforeAll(async () => {
    const server = new URL(process.env['TEST_DATABASE_URL']!)
    proxy = await startProxy(server.hostname, Number(server.port || 5432))
    behind = await startStack({ databasePort: proxy.port })
    partner = await behind.token()
  })
  afterAll(async () => {
    proxy.restore()
    await behind[Symbol.asyncDispose]()
    await proxy.close()
  })
  afterEach(() => proxy.restore())

  /** The first try may still meet a connection that died. */
  const untilServed = async (fixture: ServiceFixture) => {
    for (let tries = 0; tries < 5; tries++) {
      const created = await INTERFACES[0]!.create(behind, fixture, partner, fixture.body())
      if (created.status === 201) return tries
    }
    throw new Error(`${fixture.name} did not recover`)
  }

  it.each(FIXTURES)('REST-AWAY-01 MUST answer 503 within 2 s and recover by itself: $name', async fixture => {
    await untilServed(fixture)
    proxy.cut()
    const started = performance.now()
    const response = await restOf(behind)('POST', fixture.path, { token: partner, body: fixture.body() })
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(response).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE', status: '503' } })
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    proxy.restore()
    expect(await untilServed(fixture)).toBeLessThan(2)
  })

  it.each(READABLE)('REST-AWAY-02 MUST answer 503 to reads within 2 s: $name', async fixture => {
    await untilServed(fixture)
    proxy.cut()
    const paths = [fixture.path, `${fixture.path}/01890000-0000-7000-8000-000000000000`]
    for (const path of paths) {
      const started = performance.now()
      const response = await restOf(behind)('GET', path, { token: partner })
      expect(response).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
      expect(performance.now() - started).toBeLessThan(2_000)
    }
  })

  it.each(FIXTURES)('GRAPH-AWAY-01 MUST answer SERVICE_UNAVAILABLE within 2 s: $name', async fixture => {
    await untilServed(fixture)
    proxy.cut()
    const started = performance.now()
    const created = await INTERFACES[1]!.create(behind, fixture, partner, fixture.body())
    expect(created).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('AWAY-03 MUST say so at /health/ready, while /health/live goes on', async () => {
    await untilServed(FIXTURES[0]!)
    proxy.cut()
    expect((await fetch(`${behind.address}/health/ready`)).status).toBe(503)
    expect((await fetch(`${behind.address}/health/live`)).status).toBe(200)
    proxy.restore()
    await untilServed(FIXTURES[0]!)
    expect((await fetch(`${behind.address}/health/ready`)).status).toBe(200)
  })

  it('AWAY-04 MUST settle what was posted before, once the database is back', async () => {
    const [fixture] = FIXTURES
    await untilServed(fixture!)
    proxy.cut()
    proxy.restore()
    await untilServed(fixture!)
    await behind.settled()
    const [row] = await behind.app.db.$queryRawUnsafe<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM ${fixture!.table} WHERE status = $1`,
      fixture!.initial,
    )
    expect(row!.count).toBe(0)
  })
})
