/** Interventions by an outside charging system: requested outside of any transaction, until it reports an outcome. */
import { describe, expect, it } from 'vitest'
import { settleByConnector } from '#connectors/http/orders/settler.ts'
import { readBalances } from '#core/charging/booking.ts'
import type { ChargeOrder, ChargeProgress, ChargeResult } from '#core/charging/charging.ts'
import type { App } from '#core/context/app.ts'
import type { Settlement, TransactionKind } from '#core/transactions/kind.ts'
import { type InterventionAction, intervene } from '#core/transactions/settle/intervene.ts'
import { newId } from '#core/values/id.ts'
import { REWARD } from '#subgraphs/loyalty/kind.ts'
import { settlement as rewards } from '#subgraphs/loyalty/rules.ts'
import { settlement as payments } from '#subgraphs/postpaid-billing/rules.ts'
import { notePosted } from '#test/support/posted.ts'
import { accept, DONE, letTimePass, openOrders, statusesOf, ToldCharging } from './support.ts'

const NUMBER = '96891000001'

/** One that gives orders up and takes them back, as a test says. */
class Undoing extends ToldCharging {
  onCancel: (order: ChargeOrder) => ChargeProgress = () => ({ outcome: 'cancelled', reason: 'Given up' })
  onReverse: (order: ChargeOrder) => ChargeResult = () => DONE
  async cancel(order: ChargeOrder): Promise<ChargeProgress> {
    this.calls.push(`cancel ${order.transactionId}`)
    return this.onCancel(order)
  }
  async reverse(order: ChargeOrder): Promise<ChargeResult> {
    this.calls.push(`reverse ${order.transactionId}`)
    return this.onReverse(order)
  }
}

const open = async (settlement: Settlement = payments) => {
  const opened = await openOrders(settlement)
  const system = new Undoing()
  const settler = await settleByConnector(opened.app, settlement, system)
  return {
    ...opened,
    system,
    settler,
    async [Symbol.asyncDispose]() {
      await settler.stop()
      await opened[Symbol.asyncDispose]()
    },
  }
}

const want = (app: App, system: Undoing, kind: TransactionKind, [id, action]: [string, InterventionAction]) =>
  app.db.$transaction(tx =>
    intervene(tx, system, kind, {
      transactionId: id,
      action,
      clientId: 'desk',
      correlator: 'desk-1',
      reason: 'Wrong number',
    }),
  )

const kept = async ({ db }: App, id: string) => {
  const [row] = await db.intervention.findMany({ where: { transactionId: id } })
  return { isDone: row!.carriedOutAt !== null, refusal: row!.refusal }
}

const eventsOf = async ({ db }: App, id: string) =>
  (await db.event.findMany({ where: { transactionId: id }, orderBy: { position: 'asc' } })).map(
    ({ operationStatus }) => operationStatus,
  )

/** Repeats the requests at once that would be repeated later. */
const letRestPass = async (app: App) => {
  await letTimePass(app)
  await app.db.intervention.updateMany({ data: { leasedUntil: null } })
}

const HELD = { outcome: 'pending', isReserved: true } as const

describe('cancelling', () => {
  it('UNDO-01 ends what was never sent, also while the system is away, and asks it nothing', async () => {
    await using opened = await open()
    const { app, system, settler } = opened
    system.fault = 'its breaker is open'
    const [id] = await accept(app, ['1'])
    await settler.idle()
    await want(app, system, payments.kind, [id!, 'CANCEL'])
    await settler.idle()
    expect(await statusesOf(app, [id!])).toEqual(['cancelled'])
    expect(await kept(app, id!)).toEqual({ isDone: true, refusal: null })
    system.fault = undefined
    await letRestPass(app)
    await settler.idle()
    expect([system.calls, await eventsOf(app, id!)]).toEqual([[], ['cancelled']])
  })

  it('UNDO-02 gives up what is reserved once the system reports it, with repeated requests until then', async () => {
    await using opened = await open()
    const { app, system, settler } = opened
    system.onSubmit = () => HELD
    system.onCapture = () => HELD
    system.onInquire = () => HELD
    const [id] = await accept(app, ['1'])
    await settler.idle()
    expect(await statusesOf(app, [id!])).toEqual(['reserved'])
    system.onCancel = () => {
      throw new Error('the connection broke')
    }
    await want(app, system, payments.kind, [id!, 'CANCEL'])
    await settler.idle()
    expect([await statusesOf(app, [id!]), await kept(app, id!)]).toEqual([
      ['reserved'],
      { isDone: false, refusal: null },
    ])
    system.onCancel = () => ({ outcome: 'cancelled', reason: 'Given up' })
    await letRestPass(app)
    await settler.idle()
    expect([await statusesOf(app, [id!]), await kept(app, id!)]).toEqual([
      ['cancelled'],
      { isDone: true, refusal: null },
    ])
    expect(await eventsOf(app, id!)).toEqual(['cancelled'])
    expect(system.calls.filter(call => call === `cancel ${id}`)).toHaveLength(2)
  })

  it('UNDO-03 comes too late for what the system carried out, and finalizes that', async () => {
    await using opened = await open()
    const { app, system, settler } = opened
    system.onSubmit = () => ({ outcome: 'pending' })
    system.onInquire = () => ({ outcome: 'pending' })
    const [id] = await accept(app, ['1'])
    await settler.idle()
    system.onCancel = () => DONE
    await want(app, system, payments.kind, [id!, 'CANCEL'])
    await settler.idle()
    expect(await statusesOf(app, [id!])).toEqual(['succeeded'])
    expect(await kept(app, id!)).toEqual({ isDone: false, refusal: 'The order is done' })
    expect(await eventsOf(app, id!)).toEqual(['succeeded'])
  })
})

describe('reversing', () => {
  const acceptReward = async (app: App) => {
    const { db } = app
    const id = newId()
    const numbers = { position: 1, clientPosition: 1, points: 5 }
    await db.reward.create({
      data: {
        id,
        ...numbers,
        clientId: 'orders',
        createdAt: new Date(),
        status: 'processing',
        mobileNumber: NUMBER,
        body: {},
      },
    })
    await notePosted(app, REWARD, 1)
    return id
  }
  const pointsOf = async ({ db }: App) =>
    (await readBalances(db, [{ kind: 'points', owner: NUMBER, currency: '' }]))[0]!.toNumber()

  it('UNDO-04 takes back what was carried out, and the books say so', async () => {
    await using opened = await open(rewards)
    const { app, system, settler } = opened
    const id = await acceptReward(app)
    await settler.idle()
    expect(await pointsOf(app)).toBe(5)
    await want(app, system, rewards.kind, [id, 'REVERSE'])
    await settler.idle()
    expect(await pointsOf(app)).toBe(0)
    expect(await kept(app, id)).toEqual({ isDone: true, refusal: null })
    expect(await eventsOf(app, id)).toEqual(['success', 'reversed'])
    await letRestPass(app)
    await settler.idle()
    expect(system.calls.filter(call => call === `reverse ${id}`)).toHaveLength(1)
  })

  it('UNDO-05 is refused where the system refuses, and may be wanted anew', async () => {
    await using opened = await open(rewards)
    const { app, system, settler } = opened
    const id = await acceptReward(app)
    await settler.idle()
    system.onReverse = () => ({ outcome: 'declined', reason: 'The points were spent' })
    await want(app, system, rewards.kind, [id, 'REVERSE'])
    await settler.idle()
    expect([await pointsOf(app), await kept(app, id)]).toEqual([
      5,
      { isDone: false, refusal: 'The points were spent' },
    ])
    expect(await eventsOf(app, id)).toEqual(['success'])
    system.onReverse = () => DONE
    await want(app, system, rewards.kind, [id, 'REVERSE'])
    await settler.idle()
    expect([await pointsOf(app), await kept(app, id)]).toEqual([0, { isDone: true, refusal: null }])
  })
})
