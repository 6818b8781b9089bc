/** What a portal wants done to transactions that an outside charging system carries out. */
import { describe, expect, it } from 'vitest'
import { PAYMENT } from '../../../subgraphs/postpaid-billing/kind.ts'
import type { ChargeProgress } from '../../../subgraphs/shared/charging/charging.ts'
import type { App } from '../../../subgraphs/shared/context/app.ts'
import { intervene } from '../../../subgraphs/shared/transactions/intervene.ts'
import { accept, DONE, openOrders, statusesOf } from './support.ts'

const HELD: ChargeProgress = { outcome: 'pending' }
const WHY = 'Posted twice'

const want = ({ db, charging }: App, transactionId: string) =>
  db.$transaction(tx =>
    intervene(tx, charging.for(PAYMENT), PAYMENT, {
      transactionId,
      action: 'CANCEL',
      clientId: 'desk',
      correlator: 'desk-1',
      reason: WHY,
    }),
  )

const interventionOf = ({ db }: App, transactionId: string) =>
  db.intervention.findFirstOrThrow({ where: { transactionId } })

const orderOf = ({ db }: App, transactionId: string) => db.chargeOrder.findFirst({ where: { transactionId } })

describe('cancelling with an outside charging system', () => {
  it('INT-30 one that it holds is cancelled there first, and ends with who and why, in one event', async () => {
    await using orders = await openOrders()
    const { app, system } = orders
    const asked: string[] = []
    system.onSubmit = () => HELD
    system.onInquire = () => HELD
    Object.assign(system, {
      cancel: async ({ transactionId }: { transactionId: string }) => {
        asked.push(transactionId)
        return { outcome: 'cancelled', reason: 'as asked' }
      },
    })
    const settler = await orders.start()
    const [id] = await accept(app, ['100001'])
    settler.wake()
    await settler.idle()
    await want(app, id!)
    settler.wake()
    await settler.idle()
    await settler.stop()
    expect(asked).toEqual([id])
    expect(await statusesOf(app, [id!])).toEqual(['cancelled'])
    expect(await interventionOf(app, id!)).toMatchObject({ carriedOutAt: expect.any(Date), refusal: null })
    expect(await orderOf(app, id!)).toMatchObject({ state: 'concluded', outcome: 'cancelled' })
    const events = await app.db.event.findMany()
    expect(events).toMatchObject([
      { eventType: 'PAYMENT_FAILED', description: `Cancelled by the operator: ${WHY}` },
    ])
  })

  it('INT-31 one that was carried out meanwhile stays so, and the portal reads why', async () => {
    await using orders = await openOrders()
    const { app, system } = orders
    system.onSubmit = () => HELD
    system.onInquire = () => HELD
    Object.assign(system, { cancel: async () => DONE })
    const settler = await orders.start()
    const [id] = await accept(app, ['100001'])
    settler.wake()
    await settler.idle()
    await want(app, id!)
    settler.wake()
    await settler.idle()
    await settler.stop()
    expect(await statusesOf(app, [id!])).toEqual(['succeeded'])
    expect(await interventionOf(app, id!)).toMatchObject({ carriedOutAt: null, refusal: 'The order is done' })
    expect(await app.db.ledgerEntry.count()).toBe(1)
  })

  it('INT-32 one that was never sent is cancelled without a call, and never sent', async () => {
    await using orders = await openOrders()
    const { app, system } = orders
    system.fault = 'away'
    const [id] = await accept(app, ['100001'])
    const settler = await orders.start()
    await settler.idle()
    await want(app, id!)
    settler.wake()
    await settler.idle()
    expect(await statusesOf(app, [id!])).toEqual(['cancelled'])
    system.fault = undefined
    settler.wake()
    await settler.idle()
    await settler.stop()
    expect(system.calls).toEqual([])
  })

  it('INT-33 an unknown outcome is no outcome: it is wanted still', async () => {
    await using orders = await openOrders()
    const { app, system } = orders
    system.onSubmit = () => HELD
    system.onInquire = () => HELD
    Object.assign(system, {
      cancel: async () => {
        throw new Error('the connection broke')
      },
    })
    const settler = await orders.start()
    const [id] = await accept(app, ['100001'])
    settler.wake()
    await settler.idle()
    await want(app, id!)
    settler.wake()
    await settler.idle()
    await settler.stop()
    expect(await statusesOf(app, [id!])).toEqual(['processing'])
    expect(await interventionOf(app, id!)).toMatchObject({ carriedOutAt: null, refusal: null })
  })
})
