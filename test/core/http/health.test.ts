/** `/health/ready` names each part that is degraded, its reason, and since when. */
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { App } from '#core/context/app.ts'
import { type Degradation, registerHealth } from '#core/http/health.ts'

const START = new Date('2026-11-22T10:00:00.000Z')
const later = (seconds: number) => new Date(START.getTime() + seconds * 1_000)

beforeEach(() => void vi.useFakeTimers({ now: START, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

interface Faults {
  off?: string
  system?: { system: string; reason: string; since?: Date }
  late?: { name: string; ageMs: number; isLate: boolean }
  database?: boolean
  outageSince?: Date
  stopping?: Date
  replica?: { reason: string; since: Date }
  more?: Degradation[]
}

const appWith = (faults: Faults) =>
  ({
    config: { readOnly: true },
    db: {
      $queryRaw: async () => {
        if (faults.database) throw new Error('away')
        return []
      },
    },
    database: { replica: () => ({ fault: faults.replica }) },
    outbound: { off: () => faults.off },
    charging: { faults: () => [faults.system ?? []].flat() },
    watchdog: { states: () => [faults.late ?? []].flat() },
    outageSince: () => faults.outageSince,
  }) as unknown as App

const serve = (faults: Faults) => {
  const server = Fastify()
  registerHealth(server, appWith(faults), () => faults.stopping, [() => faults.more ?? []])
  return async () => {
    const response = await server.inject('/health/ready')
    return { status: response.statusCode, body: response.json() }
  }
}

describe('readiness', () => {
  it('HEALTH-01 says nothing more than that it is ready where nothing is degraded', async () => {
    expect(await serve({})()).toEqual({ status: 200, body: { status: 'ready', reasons: [] } })
  })

  it('HEALTH-02 names what is degraded with 200 too, since the start where it was so then', async () => {
    const ready = serve({ off: 'Nothing leaves this server: OUTBOUND=0' })
    vi.setSystemTime(later(90))
    const reason = 'Nothing leaves this server: OUTBOUND=0'
    expect(await ready()).toEqual({
      status: 200,
      body: {
        status: 'ready',
        reasons: [],
        warnings: [reason],
        degraded: [{ part: 'outbound traffic', reason, serving: true, since: START.toISOString() }],
      },
    })
  })

  it('HEALTH-03 keeps since when it was first seen, and forgets it once the part is well', async () => {
    const faults: Faults = {}
    const ready = serve(faults)
    const sinceOf = async () => (await ready()).body.degraded?.map((one: { since: string }) => one.since)
    faults.database = true
    vi.setSystemTime(later(10))
    expect(await sinceOf()).toEqual([later(10).toISOString()])
    vi.setSystemTime(later(20))
    expect(await sinceOf()).toEqual([later(10).toISOString()])
    faults.database = false
    expect(await sinceOf()).toBeUndefined()
    faults.database = true
    expect(await sinceOf()).toEqual([later(20).toISOString()])
  })

  it('HEALTH-04 takes the earlier time that the part itself knows', async () => {
    const faults: Faults = {
      database: true,
      outageSince: later(3),
      system: { system: 'smpp', reason: 'no bind is up', since: later(5) },
      late: { name: 'settling of PAYMENT', ageMs: 4_000, isLate: true },
      stopping: later(1),
      more: [{ part: 'subgraph prepaid', reason: 'the subgraph prepaid does not answer' }],
    }
    const ready = serve(faults)
    vi.setSystemTime(later(10))
    const { status, body } = await ready()
    expect(status).toBe(503)
    expect(body.reasons).toHaveLength(4)
    expect(body.warnings).toEqual(['smpp: no bind is up'])
    const named = body.degraded.map((one: Record<string, unknown>) => [
      one['part'],
      one['serving'],
      one['since'],
    ])
    expect(named).toEqual([
      ['process', false, later(1).toISOString()],
      ['database', false, later(3).toISOString()],
      ['settling of PAYMENT', false, later(6).toISOString()],
      ['smpp', true, START.toISOString()],
      ['subgraph prepaid', false, later(10).toISOString()],
    ])
  })

  it('HEALTH-05 begins anew where a part that served nevertheless serves no more', async () => {
    const faults: Faults = { more: [{ part: 'subgraph prepaid', reason: 'one is away', isWarning: true }] }
    const ready = serve(faults)
    await ready()
    vi.setSystemTime(later(30))
    faults.more = [{ part: 'subgraph prepaid', reason: 'all are away' }]
    expect((await ready()).body.degraded).toMatchObject([{ since: later(30).toISOString(), serving: false }])
  })

  it('HEALTH-06 serves without its read replica, and warns of it', async () => {
    const reason = 'the read replica is 4096 bytes behind the primary'
    const { status, body } = await serve({ replica: { reason, since: later(-5) } })()
    expect([status, body.warnings]).toEqual([200, [reason]])
    expect(body.degraded).toEqual([
      { part: 'read replica', reason, serving: true, since: later(-5).toISOString() },
    ])
  })
})
