/** One row that cannot be settled: found by halving, quarantined, tried again alone, and nobody else is slower for it. */
import { describe, expect, it } from 'vitest'
import type { EmbeddedCharging } from '#core/charging/charging.ts'
import { everywhere } from '#core/charging/charging.ts'
import type { App } from '#core/context/app.ts'
import { settleAll, startSettler } from '#core/transactions/settle/settler.ts'
import { newId } from '#core/values/id.ts'
import { PAYMENT } from '#subgraphs/postpaid-billing/kind.ts'
import { settlement } from '#subgraphs/postpaid-billing/rules.ts'
import { notePosted } from '../../support/posted.ts'
import { openTestApp } from '../../support/stack.ts'

const DONE = { outcome: 'done' } as const

/** Payments as they are when they have just been posted; their ids. */
const accept = async (app: App, count: number): Promise<string[]> => {
  const { db } = app
  const ids = Array.from({ length: count }, () => newId())
  const first = await db.payment.count()
  await db.payment.createMany({
    data: ids.map((id, index) => ({
      id,
      position: first + index + 1,
      clientId: 'aside',
      clientPosition: first + index + 1,
      createdAt: new Date(),
      status: 'processing',
      accountNumber: '1',
      currency: 'OMR',
      amount: 1,
      body: {},
    })),
  })
  await notePosted(app, PAYMENT, first + count)
  return ids
}

/** Lets so many milliseconds pass for what is quarantined. */
const letPass = async ({ db }: App, ms: number) => {
  for (const { transactionId, dueAt } of await db.setAside.findMany())
    await db.setAside.update({ where: { transactionId }, data: { dueAt: new Date(dueAt.getTime() - ms) } })
}

const asideIn = async ({ db }: App) =>
  (await db.setAside.findMany({ orderBy: { position: 'asc' } })).map(({ transactionId }) => transactionId)

/** A charging system that fails for some orders, and records its calls. */
const failing = (faulty: Set<string>, batches: string[][]): EmbeddedCharging => ({
  embedded: true,
  async post(_, orders) {
    const ids = orders.map(({ transactionId }) => transactionId)
    batches.push(ids)
    if (ids.some(id => faulty.has(id))) throw new Error('cannot be charged')
    return orders.map(() => DONE)
  },
})

const open = () => openTestApp({ env: { DEMO: '0', LOG_LEVEL: 'silent' } })
const waiting = ({ db }: App) => db.payment.count({ where: { status: 'processing' } })

describe('settling', () => {
  it('ASIDE-01 finds the row by halving and goes back to full batches', async () => {
    await using opened = await open()
    const ids = await accept(opened.app, 1_000)
    const batches: string[][] = []
    const app = { ...opened.app, charging: everywhere(failing(new Set([ids[77]!]), batches)) }
    await settleAll(app, settlement)
    expect(await waiting(app)).toBe(1)
    expect(batches.length).toBeLessThan(40)
    expect(batches.filter(batch => batch.length === 1).length).toBeLessThan(10)
    expect(batches.some((batch, index) => index > 10 && batch.length === 200)).toBe(true)
  })

  it('ASIDE-02 leaves alone what is quarantined until its wait is over, which doubles', async () => {
    await using opened = await open()
    const [faulty] = await accept(opened.app, 3)
    const batches: string[][] = []
    const app = { ...opened.app, charging: everywhere(failing(new Set([faulty!]), batches)) }
    const tries = async () => {
      batches.length = 0
      await settleAll(app, settlement)
      return batches.filter(batch => batch.includes(faulty!)).length
    }
    expect(await tries()).toBeGreaterThan(0)
    const again: number[] = []
    for (let second = 1; second <= 40; second++) {
      await letPass(app, 1_000)
      if ((await tries()) > 0) again.push(second)
    }
    expect(again).toEqual([5, 15, 35])
  })

  it('ASIDE-03 settles what was quarantined once nothing is wrong with it any more', async () => {
    await using opened = await open()
    const [faulty] = await accept(opened.app, 2)
    const wrong = new Set([faulty!])
    const app = { ...opened.app, charging: everywhere(failing(wrong, [])) }
    await settleAll(app, settlement)
    expect(await asideIn(app)).toEqual([faulty])
    wrong.clear()
    await letPass(app, 5_000)
    await settleAll(app, settlement)
    expect({ waiting: await waiting(app), aside: await asideIn(app) }).toEqual({ waiting: 0, aside: [] })
  })

  it('ASIDE-04 blames no row when every one fails, and ends the round', async () => {
    await using opened = await open()
    const ids = await accept(opened.app, 100)
    const batches: string[][] = []
    const app = { ...opened.app, charging: everywhere(failing(new Set(ids), batches)) }
    await expect(settleAll(app, settlement)).rejects.toThrow('cannot be charged')
    expect((await asideIn(app)).length).toBeLessThan(30)
    expect(await waiting(app)).toBe(100)
  })

  it('ASIDE-05 tries at once what was quarantined when a server is started', async () => {
    await using opened = await open()
    const [faulty] = await accept(opened.app, 2)
    const wrong = new Set([faulty!])
    const app = { ...opened.app, charging: everywhere(failing(wrong, [])) }
    await settleAll(app, settlement)
    wrong.clear()
    const settler = await startSettler(app, settlement)
    await settler.idle()
    await settler.stop()
    expect({ waiting: await waiting(app), aside: await asideIn(app) }).toEqual({ waiting: 0, aside: [] })
  })

  it('ASIDE-06 does not charge what was cancelled while it was quarantined', async () => {
    await using opened = await open()
    const [faulty] = await accept(opened.app, 1)
    const wrong = new Set([faulty!])
    const batches: string[][] = []
    const app = { ...opened.app, charging: everywhere(failing(wrong, batches)) }
    await settleAll(app, settlement)
    await app.db.payment.update({ where: { id: faulty! }, data: { status: 'cancelled' } })
    wrong.clear()
    batches.length = 0
    await letPass(app, 5_000)
    await settleAll(app, settlement)
    expect({ batches, aside: await asideIn(app) }).toEqual({ batches: [], aside: [] })
  })
})
