/** Retention of webhook deliveries, and their metrics. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteExpired } from '#core/events/retention.ts'
import { SEPARATE } from '#test/support/stack.ts'
import { type Receiver, startReceiver, status } from './receiver.ts'
import { openStage, type Stage } from './stage.ts'

const DAYS = 400

describe('retention', () => {
  let stage: Stage
  let receiver: Receiver

  beforeAll(async () => {
    stage = await openStage()
    receiver = await startReceiver()
    await deleteExpired(stage.stack.app.db, DAYS)
  })
  afterAll(async () => {
    await stage[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  const post = async (code: number) => {
    receiver.answer = status(code)
    const id = await stage.pay({ notificationUrl: receiver.url })
    await stage.sent()
    return id
  }
  const statuses = async (ids: string[]) =>
    Promise.all(ids.map(async id => (await stage.deliveries(id)).map(one => one.status)))
  const kept = (ids: string[]) => stage.stack.app.db.event.count({ where: { transactionId: { in: ids } } })
  /** Lets everything written so far have happened long ago. */
  const age = () =>
    stage.stack.app.db.$executeRaw`UPDATE events.event SET event_time = now() - interval '401 days'`

  it('KEEP-01 what has arrived or was given up goes with its event, what is younger stays', async () => {
    const ended = [await post(204), await post(410)]
    await age()
    const young = await post(204)
    expect(await deleteExpired(stage.stack.app.db, DAYS)).toBeGreaterThanOrEqual(2)
    expect(await statuses([...ended, young])).toEqual([[], [], ['DELIVERED']])
    expect([await kept(ended), await kept([young])]).toEqual([0, 1])
  })

  it('KEEP-02 an event that is still to be sent is kept, with those after it, and sent', async () => {
    const ids = [await post(204), await post(500), await post(204)]
    await age()
    await deleteExpired(stage.stack.app.db, DAYS)
    expect(await statuses(ids)).toEqual([[], ['PENDING'], ['DELIVERED']])
    expect([await kept(ids.slice(0, 1)), await kept(ids.slice(1))]).toEqual([0, 2])
    receiver.answer = status(204)
    stage.ahead += 10_000
    await stage.sent()
    expect(await statuses(ids)).toEqual([[], ['DELIVERED'], ['DELIVERED']])
    expect(await deleteExpired(stage.stack.app.db, DAYS)).toBe(2)
    expect(await statuses(ids)).toEqual([[], [], []])
  })

  it('KEEP-03 is done once by two processes at the same time', async () => {
    const ids = [await post(204), await post(204)]
    await age()
    const { db } = stage.stack.app
    const deleted = await Promise.all([deleteExpired(db, DAYS), deleteExpired(db, DAYS)])
    expect(deleted.toSorted()).toEqual([0, 2])
    expect(await statuses(ids)).toEqual([[], []])
  })

  it('KEEP-04 reads on from where the log begins, and misses nothing that had to stay', async () => {
    const { db } = stage.stack.app
    const ids = [await post(204), await post(500), await post(204)]
    await age()
    const beginning = { after: 0n }
    const first = await deleteExpired(db, DAYS, beginning)
    const waiting = await db.event.findFirstOrThrow({ where: { transactionId: ids[1]! } })
    expect([first > 0, beginning.after]).toEqual([true, waiting.position - 1n])
    receiver.answer = status(204)
    stage.ahead += 10_000
    await stage.sent()
    expect(await deleteExpired(db, DAYS, beginning)).toBe(2)
    expect([beginning.after, await kept(ids)]).toEqual([waiting.position + 1n, 0])
    expect(await deleteExpired(db, DAYS, beginning)).toBe(0)
    expect(beginning.after).toBe(waiting.position + 1n)
  })

  /** Every process has figures of its own. */
  it.skipIf(SEPARATE)(
    'COUNT-01 attempts by outcome and time, transactions by status, and subscribers are shown at /metrics',
    async () => {
      const figures = async () => {
        const lines = (await (await fetch(`${stage.stack.address}/metrics`)).text()).split('\n')
        const value = (name: string) =>
          Number(
            lines
              .find(line => line.startsWith(`${name} `))
              ?.split(' ')
              .at(-1) ?? 0,
          )
        return [
          value('webhook_deliveries_total{outcome="delivered"}'),
          value('webhook_deliveries_total{outcome="failed"}'),
          value('webhook_deliveries_total{outcome="dead"}'),
          value('webhook_attempt_duration_seconds_count'),
          value('transactions_settled_total{kind="PAYMENT",status="succeeded"}'),
          value('event_feed_subscribers'),
        ]
      }
      const before = await figures()
      await post(204)
      await post(500)
      await post(410)
      const stream = await stage.stack.app.feed.subscribe({})
      const after = await figures()
      await stream.return()
      expect(after.map((one, index) => one - before[index]!)).toEqual([1, 1, 1, 3, 3, 1])
    },
  )
})
