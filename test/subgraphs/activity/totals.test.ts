/** Totals of the timeline: by sums and ends of days they are those that counting every entry gives, and too many are refused. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Outcome } from '#core/transactions/kind.ts'
import { Decimal } from '#core/values/money.ts'
import { timelineConditions } from '#subgraphs/activity/timeline/conditions.ts'
import { countTimeline } from '#subgraphs/activity/timeline/count.ts'
import type { TimelineFilter } from '#subgraphs/activity/timeline/filter.ts'
import { createRandom } from '#test/support/random.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

let stack: Stack
/** Times of the entries, of which spans are made. */
let times: Date[]
let accounts: string[]
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
  const { db } = stack.app
  const rows = await db.timelineEntry.findMany({ orderBy: { sort: 'asc' } })
  times = rows.map(({ occurredAt }) => occurredAt)
  accounts = [...new Set(rows.flatMap(({ accountNumber }) => accountNumber ?? []))]
})
afterAll(() => stack[Symbol.asyncDispose]())

/** Counts every entry that the conditions of a page find. */
const counted = async (clientId: string | undefined, filter: TimelineFilter) => {
  const [row] = await stack.app.db.$queryRaw<[{ count: bigint }]>`
    SELECT count(*) FROM activity.entry e WHERE ${timelineConditions(clientId, filter)}`
  return Number(row.count)
}

it('TOTALS-01 MUST equal the number of entries, whatever the span and the filter', async () => {
  const { db } = stack.app
  const random = createRandom(11)
  const moment = () => {
    const at = random.pick(times).getTime()
    return random.pick([
      new Date(at),
      new Date(at + 1),
      new Date(Math.floor(at / 86_400_000) * 86_400_000 - 4 * 3_600_000),
      undefined,
    ])
  }
  let spans = 0
  for (let n = 0; n < 400; n += 1) {
    const filter: TimelineFilter = {
      from: moment(),
      to: moment(),
      kinds: random.pick([undefined, ['PAYMENT'], ['MESSAGE', 'REWARD']]),
      outcomes: random.pick<Outcome[] | undefined>([undefined, ['FAILED'], ['COMPLETED', 'FAILED']]),
      customers: random.pick([undefined, undefined, accounts.slice(0, 3)]),
      channels: random.pick([undefined, undefined, ['kiosk']]),
      minAmount: random.pick([undefined, undefined, new Decimal(5)]),
    }
    const client = random.pick([undefined, 'demo-kiosks', 'demo-partner'])
    const expected = await counted(client, filter)
    expect(await countTimeline(db, { clientId: client, filter }), JSON.stringify(filter)).toBe(expected)
    if (filter.from && filter.to && expected > 0) spans += 1
  }
  expect(spans).toBeGreaterThan(20)
})

it('TOTALS-02 MUST refuse to count one by one more than the limit, and say what to ask instead', async () => {
  const { db } = stack.app
  const filter = { minAmount: new Decimal(0) }
  const all = await countTimeline(db, { clientId: undefined, filter })
  expect(all).toBeGreaterThan(10)
  expect(await countTimeline(db, { clientId: undefined, filter }, all)).toBe(all)
  await expect(countTimeline(db, { clientId: undefined, filter }, all - 1)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining('leave totalCount out'),
    extensions: { reason: 'TOO_MANY' },
  })
  // Sums know all others, however many there are.
  expect(await countTimeline(db, { clientId: undefined, filter: { from: new Date(0) } }, 0)).toBe(
    times.length,
  )
})
