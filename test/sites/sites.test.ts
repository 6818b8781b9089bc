/**
 * Events at a site 80 ms away, whose line is cut under load for longer than the subscribers' connections wait, and for less.
 * Near is the primary; far are a gateway over the near services, and a server on a standby.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromEventCursor, toEventCursor } from '#core/events/read.ts'
import { tokenAt } from '#test/support/steady-load.ts'
import { bearer } from '#test/support/subscribe.ts'
import { Follower, overPoll, overSse, overWebSocket, type Way, withFields } from './followers.ts'
import { missingForSites } from './line.ts'
import { type EvenLoad, startEvenLoad } from './load.ts'
import { ONE_WAY_MS, openSites, type Sites } from './sites.ts'
import { reportSites } from './table.ts'

const START_MS = 240_000
const PER_SECOND = 20
/** `SITES_CASES=ci` leaves the long cut out, and what only it shows. */
const IS_BOUNDED = process.env['SITES_CASES'] === 'ci'
/** Load before, between and after the cuts. */
const SPAN_MS = IS_BOUNDED ? 4_000 : 15_000
const SHORT_CUT_MS = 20_000
/** Longer than a gateway waits for its services before it ends its subscriptions with a cursor. */
const LONG_CUT_MS = 75_000
/** From the line's return until everything has arrived. */
const CAUGHT_UP_MS = 30_000
const END_MS = 60_000
const MOVE_MS = 3_000

/** Ends after which a client is to come again, over either way and before as well as after a subscription has begun. */
const COME_AGAIN = new Set(['SERVICE_UNAVAILABLE', 'closed 1013', 'status 503'])

const missing = missingForSites()
if (missing) console.warn(`Two sites are not tried: ${missing}`)

interface Row {
  readonly position: number
  readonly time: number
  readonly transaction: string
}

/** A cut of the line, by the clock. */
interface Cut {
  readonly at: number
  readonly back: number
  /** When the last of the subscribers had caught up. */
  readonly over: number
  /** Position of the log's last event when the line came back. */
  readonly head: number
}

describe.skipIf(missing)('two sites', () => {
  const opened = new AsyncDisposableStack()
  let sites: Sites
  let load: EvenLoad
  let tokens: { readonly partner: string; readonly portal: string }
  let start: number
  let all: readonly Follower[]
  const cuts: Cut[] = []

  const head = async (): Promise<number> => {
    const { rows } = await sites.database.query(`SELECT max(position)::int AS head FROM events.event`)
    return rows[0].head
  }
  const isFar = ({ name }: Follower) => !name.startsWith('near')
  const until = async (limitMs: number, what: string, isSo: () => boolean) => {
    const end = performance.now() + limitMs
    while (!isSo()) {
      if (performance.now() > end) throw new Error(`After ${limitMs} ms it was not so: ${what}`)
      await delay(20)
    }
  }
  const readyAt = async (address: string) => {
    const response = await fetch(`${address}/health/ready`)
    return { status: response.status, body: (await response.json()) as { warnings?: string[] } }
  }

  beforeAll(async () => {
    sites = opened.use(await openSites())
    const { near, relay, standby } = sites
    tokens = { partner: await tokenAt(near), portal: await tokenAt(near, 'demo-portal') }
    const { partner, portal } = tokens
    start = await head()
    const follow = (name: string, way: Way, at: readonly string[], moveMs?: number) => {
      const follower = new Follower({ name, way, sites: at, after: toEventCursor(BigInt(start)), moveMs })
      opened.defer(() => follower.stop())
      return follower
    }
    all = [
      follow('near, WebSocket', overWebSocket(portal), [near]),
      follow('near, server-sent events', overSse(portal), [near]),
      follow('far gateway, WebSocket', overWebSocket(portal), [relay]),
      follow('far gateway, server-sent events', overSse(portal), [relay]),
      follow('far gateway, WebSocket, with fields of other services', withFields(portal), [relay]),
      follow('far standby, WebSocket', overWebSocket(portal), [standby]),
      follow('far standby, server-sent events', overSse(portal), [standby]),
      follow('far standby, long poll', overPoll(partner), [standby]),
      follow('from site to site, WebSocket', overWebSocket(portal), [near, standby, relay], MOVE_MS),
    ]
    load = startEvenLoad({ address: near, ...tokens, perSecond: PER_SECOND })
    opened.defer(() => load.stop())
    await delay(SPAN_MS)
  }, START_MS)
  afterAll(() => opened.disposeAsync(), START_MS)

  /** Cuts the line while something else happens. */
  const cutWhile = async (during: () => Promise<unknown>) => {
    const at = Date.now()
    await sites.line.cut()
    await during().finally(() => sites.line.join())
    const [back, needed] = [Date.now(), await head()]
    await until(CAUGHT_UP_MS, 'all have caught up', () => all.every(({ position }) => position >= needed))
    cuts.push({ at, back, over: Date.now(), head: needed })
    await delay(SPAN_MS)
  }

  it.each<[string, number]>([
    ['less', SHORT_CUT_MS],
    ...(IS_BOUNDED ? [] : [['more', LONG_CUT_MS] as [string, number]]),
  ])(
    'SITES-01 MUST catch up within 30 s of the line’s return, after %s than a gateway waits',
    async (_, ms) => {
      await cutWhile(async () => {
        await delay(ms)
        const [near, standby] = await Promise.all([readyAt(sites.near), readyAt(sites.standby)])
        expect(near).toMatchObject({ status: 200, body: { status: 'ready' } })
        expect(standby).toMatchObject({
          status: 200,
          body: { warnings: ['the standby receives nothing from the primary'] },
        })
      })
    },
    LONG_CUT_MS + CAUGHT_UP_MS + 2 * SPAN_MS,
  )

  it(
    'SITES-02 MUST tell a subscriber that is ahead of the standby to come again, and not that its cursor is wrong',
    () =>
      cutWhile(async () => {
        const ahead = await head()
        await until(SPAN_MS, 'there are later events', () => all[0]!.position > ahead + PER_SECOND)
        const after = toEventCursor(BigInt(all[0]!.position))
        const response = await fetch(`${sites.standby}/partner/v1/events?after=${after}`, {
          headers: bearer(tokens.partner),
        })
        expect({ status: response.status, body: await response.json() }).toMatchObject({
          status: 503,
          body: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining(`resume after ${after}`) },
        })
      }),
    2 * CAUGHT_UP_MS + 2 * SPAN_MS,
  )

  it(
    'SITES-03 MUST have brought each event once and in order to each subscriber, wherever it was',
    async () => {
      await load.stop()
      expect(load.faults).toEqual([])
      expect(load.reversed).toBeGreaterThan(0)
      const unsettled = `SELECT count(*)::int AS count FROM postpaid.payment WHERE completed_at IS NULL`
      const waitEnd = performance.now() + END_MS
      while ((await sites.database.query(unsettled)).rows[0].count > 0) {
        if (performance.now() > waitEnd) throw new Error('Payments are not settled')
        await delay(100)
      }
      const end = await head()
      await until(END_MS, 'all have everything', () => all.every(({ position }) => position >= end))
      const { rows } = await sites.database.query<Row>(
        `SELECT position::int, extract(epoch FROM event_time)::float8 * 1000 AS time, transaction_id AS transaction
         FROM events.event WHERE position > $1 AND position <= $2 ORDER BY position`,
        [start, end],
      )
      const expected = rows.map(({ position, transaction }) => `${position} ${transaction}`)
      for (const { name, arrivals } of all)
        expect(
          arrivals.map(({ position, transactionId }) => `${position} ${transactionId}`),
          name,
        ).toEqual(expected)
      const perTransaction = Map.groupBy(rows, ({ transaction }) => transaction)
      expect([...perTransaction.values()].filter(({ length }) => length === 2)).toHaveLength(load.reversed)

      const times = new Map(rows.map(({ position, time }) => [position, time]))
      const isUndisturbed = (time: number) => cuts.every(({ at, over }) => time < at || time > over)
      const figures = all.map(follower => ({
        name: follower.name,
        events: follower.arrivals.length,
        delays: follower.arrivals
          .map(({ position, at }) => ({ time: times.get(position)!, at }))
          .filter(({ time }) => isUndisturbed(time))
          .map(({ time, at }) => at - time),
        caughtUpMs: [cuts[0], IS_BOUNDED ? undefined : cuts[1]].map(cut =>
          cut && isFar(follower)
            ? Math.max(0, follower.arrivals.find(({ position }) => position >= cut.head)!.at - cut.back)
            : undefined,
        ),
        endings: follower.endings.map(({ code }) => code),
      }))
      reportSites(
        figures,
        `${PER_SECOND} posts a second at the near site, ${2 * ONE_WAY_MS} ms there and back, ${rows.length} events.`,
      )
    },
    3 * END_MS,
  )

  it('SITES-04 MUST have told subscribers that it gave up where to resume, which is after their last event', () => {
    const given = all.flatMap(({ name, endings }) => endings.map(ending => ({ name, ...ending })))
    const named = given.filter(({ cursor }) => cursor !== undefined)
    expect(given.filter(({ code }) => !COME_AGAIN.has(code))).toEqual([])
    if (!IS_BOUNDED) expect(named.map(({ name }) => name)).toContain('far gateway, WebSocket')
    expect(
      named.filter(({ cursor, last }) => fromEventCursor('a', cursor!) !== fromEventCursor('a', last)),
    ).toEqual([])
  })
})
