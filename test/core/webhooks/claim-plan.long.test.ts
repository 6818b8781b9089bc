/** The rows that a claim of webhooks reads do not depend on how many wait, nor on when statistics were taken. */
import { expect, it } from 'vitest'
import type { Statements } from '#core/data/db.ts'
import { findDueClients } from '#core/webhooks/backlog.ts'
import { claim } from '#core/webhooks/claim.ts'
import { notOnCitus } from '#test/support/not-on-citus.ts'
import { openTestApp } from '#test/support/stack.ts'
import { queue } from './queued.ts'

const WAITING = 6_000
const SLOTS = 100
/** Each row that is taken is found, looked at, locked and written; all that waits would be read for each of them. */
const MOST_READ = 40 * SLOTS

const rowsRead = async (tx: Statements) => {
  const [{ rows }] = await tx.$queryRaw<[{ rows: number }]>`
    SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS rows
    FROM pg_stat_xact_user_tables WHERE schemaname = 'events' AND relname = 'delivery'`
  return rows
}

const LIMITS = {
  clients: [{ clientId: 'busy', slots: SLOTS, most: SLOTS, after: '' }],
  perOrigin: SLOTS,
  known: [],
  kinds: ['PAYMENT'],
}

it.skipIf(notOnCitus('plans and statistics of one server')).each([
  ['while nothing waited', 'before'],
  ['while all of it waited', 'after'],
])('CLAIM-01 reads next to nothing beyond what it takes, statistics taken %s', async (_, taken) => {
  await using opened = await openTestApp({ env: { DEMO: '0', LOG_LEVEL: 'silent' } })
  const { app } = opened
  const analyze = () => app.db.$executeRaw`ANALYZE events.delivery`
  if (taken === 'before') await analyze()
  const urls = Array.from({ length: WAITING }, (__, index) => `http://r${index % 20}.example/hooks`)
  await queue(app, 'busy', urls)
  if (taken === 'after') await analyze()
  await app.db.$transaction(async tx => {
    const before = await rowsRead(tx)
    const found = await claim(tx, LIMITS, 0)
    expect(found.get('busy')!.deliveries).toHaveLength(SLOTS)
    const read = (await rowsRead(tx)) - before
    expect(read).toBeGreaterThan(SLOTS)
    expect(read).toBeLessThan(MOST_READ)
  })
})

/** Rows for the client, for whether one of its deliveries is due, and for the end of all clients. */
const MOST_LOOKED_AT = 10

const wereSent = (tx: Statements) =>
  tx.$executeRaw`UPDATE events.delivery SET status = 'DELIVERED', next_attempt_at = NULL`

it.each([
  ['of which nothing is sent, statistics never taken', [], ['busy']],
  ['of which nothing is sent, statistics taken while nothing waited', ['before'], ['busy']],
  ['of which nothing is sent, statistics taken while all of it waited', ['after'], ['busy']],
  ['all of which is sent, statistics taken while all of it waited', ['after', 'sent'], []],
])('CLAIM-02 who waits is found without reading all that waits, %s', async (_, done, waiting) => {
  await using opened = await openTestApp({ env: { DEMO: '0', LOG_LEVEL: 'silent' } })
  const { app } = opened
  const analyze = () => app.db.$executeRaw`ANALYZE events.delivery`
  if (done.includes('before')) await analyze()
  await queue(app, 'busy', Array<string>(WAITING).fill('http://r.example/hooks'))
  if (done.includes('after')) await analyze()
  if (done.includes('sent')) await app.db.$transaction(wereSent)
  await app.db.$transaction(async tx => {
    const before = await rowsRead(tx)
    expect(await findDueClients(tx, LIMITS.kinds, 0)).toEqual(waiting)
    expect((await rowsRead(tx)) - before).toBeLessThan(MOST_LOOKED_AT)
  })
})
