/** Orders to an outside charging system: what becomes of one, whatever the system says. */

import { describe, expect, it } from 'vitest'
import { duesOf } from '#core/charging/booking.ts'
import { NotSentError } from '#core/charging/charging.ts'
import type { App } from '#core/context/app.ts'
import { settlement } from '#subgraphs/postpaid-billing/rules.ts'
import { orderRow } from './rows.ts'
import { accept, DONE, letTimePass, openOrders, statusesOf } from './support.ts'

/** The events of transactions, in the order of the ids. */
const eventsOf = async ({ db }: App, ids: readonly string[]) => {
  const events = await db.event.findMany({ where: { transactionId: { in: [...ids] } } })
  return ids.flatMap(id => events.filter(event => event.transactionId === id))
}

describe('an order', () => {
  it('ORDER-01 becomes its status, its movement in the books and its event, together', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    const ids = await accept(app, ['1', '1', '2'])
    system.onSubmit = ({ accountNumber }) =>
      accountNumber === '1' ? DONE : { outcome: 'declined', reason: 'It is closed' }
    await using settler = disposable(await opened.start())
    await settler.idle()
    expect(await statusesOf(app, ids)).toEqual(['succeeded', 'succeeded', 'denied'])
    expect(String(await duesOf(app.db, '1'))).toBe('-0.25')
    expect(String(await duesOf(app.db, '2'))).toBe('0')
    expect(await eventsOf(app, ids)).toMatchObject([
      { operationStatus: 'succeeded', status: 'succeeded' },
      { operationStatus: 'succeeded', status: 'succeeded' },
      { operationStatus: 'denied', status: 'failed', description: 'It is closed' },
    ])
    expect(await orderRow(app, ids[2]!)).toMatchObject({ state: 'concluded', outcome: 'declined' })
    expect(system.calls).toHaveLength(3)
  })

  it('ORDER-02 follows the one before it of its owner, beside those of others, so many at once', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    const accounts = Array.from({ length: 18 }, (_, index) => String(index % 6))
    const ids = await accept(app, accounts)
    const inFlight = new Map<string, number>()
    const seen: string[] = []
    let most = 0
    system.onSubmit = async ({ accountNumber, transactionId }) => {
      const owner = accountNumber!
      expect(inFlight.has(owner)).toBe(false)
      inFlight.set(owner, 1)
      most = Math.max(most, inFlight.size)
      seen.push(transactionId)
      await new Promise(setImmediate)
      inFlight.delete(owner)
      return DONE
    }
    await using settler = disposable(await opened.start())
    await settler.idle()
    expect(new Set(await statusesOf(app, ids))).toEqual(new Set(['succeeded']))
    expect(most).toBe(4)
    for (const owner of new Set(accounts)) {
      const own = ids.filter((_, index) => accounts[index] === owner)
      expect(seen.filter(id => own.includes(id))).toEqual(own)
    }
  })

  it('ORDER-03 with an unknown outcome leads to an inquiry, and is not sent again where it arrived', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    const [id, next] = await accept(app, ['1', '1'])
    system.onSubmit = ({ transactionId }) => {
      if (transactionId === id) throw new Error('the connection broke')
      return DONE
    }
    await using settler = disposable(await opened.start())
    await settler.idle()
    expect(await statusesOf(app, [id!, next!])).toEqual(['processing', 'processing'])
    expect(await orderRow(app, id!)).toMatchObject({
      state: 'sent',
      attempts: 1,
      lastError: 'the connection broke',
    })
    system.onInquire = () => DONE
    await letTimePass(app)
    await settler.idle()
    expect(await statusesOf(app, [id!, next!])).toEqual(['succeeded', 'succeeded'])
    expect(system.calls).toEqual([`submit ${id}`, `inquire ${id}`, `submit ${next}`])
  })

  it('ORDER-04 that never arrived is sent again under the same key', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    const [id] = await accept(app, ['1'])
    system.onSubmit = () => {
      throw new Error('the connection broke')
    }
    await using settler = disposable(await opened.start())
    await settler.idle()
    system.onSubmit = () => DONE
    await letTimePass(app)
    await settler.idle()
    expect(await statusesOf(app, [id!])).toEqual(['succeeded'])
    expect(system.calls).toEqual([`submit ${id}`, `inquire ${id}`, `submit ${id}`])
  })

  it('ORDER-05 that gets no answer is broken off in time, and a call that heeds no signal is left', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    const [id] = await accept(app, ['1'])
    system.deadlineMs = 50
    system.onSubmit = () => new Promise(() => undefined)
    await using settler = disposable(await opened.start())
    await settler.idle()
    expect(await orderRow(app, id!)).toMatchObject({ state: 'sent', lastError: 'no answer within 50 ms' })
  })

  it('ORDER-06 that was certainly not sent is as it was before', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    const [id] = await accept(app, ['1'])
    system.onSubmit = () => {
      throw new NotSentError('no connection', { retryAfterMs: 5_000 })
    }
    await using settler = disposable(await opened.start())
    await settler.idle()
    const row = await orderRow(app, id!)
    expect(row).toMatchObject({ state: 'waiting', attempts: 0, submittedAt: null })
    expect(row.nextAttemptAt!.getTime()).toBeGreaterThan(Date.now() + 4_000)
  })

  it('ORDER-07 that is held is finalized by a later report, once, however often it is repeated', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    const [id, next] = await accept(app, ['1', '1'])
    system.onSubmit = ({ transactionId }) => (transactionId === id ? { outcome: 'pending' } : DONE)
    await using settler = disposable(await opened.start())
    await settler.idle()
    // The next of its owner does not wait for it.
    expect(await statusesOf(app, [id!, next!])).toEqual(['processing', 'succeeded'])
    expect(await orderRow(app, id!)).toMatchObject({ state: 'pending' })
    for (let time = 0; time < 3; time++) await system.tell(id!, DONE)
    await settler.idle()
    await system.tell(id!, { outcome: 'declined', reason: 'no' })
    await settler.idle()
    expect(await statusesOf(app, [id!])).toEqual(['succeeded'])
    expect(await eventsOf(app, [id!])).toHaveLength(1)
    expect(String(await duesOf(app.db, '1'))).toBe('-0.25')
  })

  it('ORDER-08 that is held leads to inquiries, less and less often', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    const [id] = await accept(app, ['1'])
    system.onSubmit = () => ({ outcome: 'pending' })
    system.onInquire = () => ({ outcome: 'pending' })
    await using settler = disposable(await opened.start())
    const waits: number[] = []
    for (let time = 0; time < 3; time++) {
      await settler.idle()
      waits.push((await orderRow(app, id!)).nextAttemptAt!.getTime() - Date.now())
      await letTimePass(app)
    }
    expect(waits[1]!).toBeGreaterThan(waits[0]! * 1.2)
    expect(waits[2]!).toBeGreaterThan(waits[1]! * 1.2)
    system.onInquire = () => DONE
    await settler.idle()
    expect(await statusesOf(app, [id!])).toEqual(['succeeded'])
  })

  it('ORDER-09 that is reserved says so before it is captured', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    const [id] = await accept(app, ['1'])
    const statuses: string[] = []
    system.onSubmit = () => ({ outcome: 'pending', isReserved: true })
    system.onCapture = async () => {
      statuses.push(...(await statusesOf(app, [id!])))
      return DONE
    }
    await using settler = disposable(await opened.start())
    await settler.idle()
    await settler.idle()
    expect(statuses).toEqual(['reserved'])
    expect(await statusesOf(app, [id!])).toEqual(['succeeded'])
    expect(system.calls).toEqual([`submit ${id}`, `capture ${id}`])
    expect(await eventsOf(app, [id!])).toHaveLength(1)
  })

  it('ORDER-10 that could not be sent in time ends expired, also while the system is away', async () => {
    const expiresAt = () => new Date(Date.now() - 1_000)
    await using opened = await openOrders({ ...settlement, expiresAt })
    const { app, system } = opened
    const [id] = await accept(app, ['1'])
    system.fault = 'its circuit is open'
    await using settler = disposable(await opened.start())
    await settler.idle()
    expect(await statusesOf(app, [id!])).toEqual(['denied'])
    expect(await orderRow(app, id!)).toMatchObject({ outcome: 'expired' })
    expect(system.calls).toEqual([])
  })

  it('ORDER-11 waits while the system is away, which is a warning and no reason to be unready', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    const ids = await accept(app, ['1', '2'])
    system.fault = 'its circuit is open'
    await using settler = disposable(await opened.start())
    await settler.idle()
    expect(await statusesOf(app, ids)).toEqual(['processing', 'processing'])
    expect(await app.metrics.registry.metrics()).toContain('charging_available{kind="PAYMENT"} 0')
    expect(app.charging.faults()).toMatchObject([{ reason: 'its circuit is open' }])
    expect(await app.metrics.registry.metrics()).toContain(
      'charging_orders{kind="PAYMENT",state="waiting"} 2',
    )
    system.fault = undefined
    await settler.idle()
    expect(await statusesOf(app, ids)).toEqual(['succeeded', 'succeeded'])
    // A reading of the gauge counts for a second.
    await expect
      .poll(() => app.metrics.registry.metrics(), { timeout: 5_000, interval: 100 })
      .toContain('charging_orders{kind="PAYMENT",state="waiting"} 0')
  })

  it('ORDER-12 whose transaction has been ended otherwise stays as it is, and the movement is recorded', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    const [id, other] = await accept(app, ['1', '2'])
    system.onSubmit = async ({ transactionId }) => {
      if (transactionId === id)
        await app.db.payment.update({ where: { id: id! }, data: { status: 'cancelled' } })
      return DONE
    }
    await using settler = disposable(await opened.start())
    await settler.idle()
    expect(await statusesOf(app, [id!, other!])).toEqual(['cancelled', 'succeeded'])
    expect(await eventsOf(app, [id!])).toEqual([])
    expect(String(await duesOf(app.db, '1'))).toBe('-0.125')
    expect(await orderRow(app, id!)).toMatchObject({ state: 'concluded', outcome: 'done' })
  })
})

/** A settler that is stopped at the end of its block. */
function disposable<T extends { stop(): Promise<void> }>(settler: T): T & AsyncDisposable {
  return Object.assign(settler, { [Symbol.asyncDispose]: () => settler.stop() })
}
