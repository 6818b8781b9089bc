/** One row that cannot be settled: found by halving, set aside, tried again alone, and nobody else is slower for it. */
import { describe, expect, it } from 'vitest'
import { settlement } from '../../subgraphs/postpaid-billing/service.ts'
import type { EmbeddedCharging } from '../../subgraphs/shared/charging/charging.ts'
import { everywhere } from '../../subgraphs/shared/charging/choice.ts'
import type { App } from '../../subgraphs/shared/context/app.ts'
import { SetAside } from '../../subgraphs/shared/transactions/set-aside.ts'
import { settleAll } from '../../subgraphs/shared/transactions/settler.ts'
import { newId } from '../../subgraphs/shared/values/id.ts'
import { openTestApp } from '../support/stack.ts'

const DONE = { outcome: 'done' } as const

/** Payments as they are when they have just been posted; their ids. */
const accept = async ({ db }: App, count: number): Promise<string[]> => {
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
  return ids
}

/** A charging system that fails for some, and says what it was asked for. */
const failing = (faulty: Set<string>, asked: string[][]): EmbeddedCharging => ({
  embedded: true,
  async post(_, orders) {
    const ids = orders.map(({ transactionId }) => transactionId)
    asked.push(ids)
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
    const asked: string[][] = []
    const app = { ...opened.app, charging: everywhere(failing(new Set([ids[77]!]), asked)) }
    await settleAll(app, settlement)
    expect(await waiting(app)).toBe(1)
    expect(asked.length).toBeLessThan(40)
    expect(asked.filter(batch => batch.length === 1).length).toBeLessThan(10)
    expect(asked.some((batch, index) => index > 10 && batch.length === 200)).toBe(true)
  })

  it('ASIDE-02 leaves alone what is set aside until its wait is over, which doubles', async () => {
    await using opened = await open()
    const [faulty] = await accept(opened.app, 3)
    const asked: string[][] = []
    const app = { ...opened.app, charging: everywhere(failing(new Set([faulty!]), asked)) }
    let now = 0
    const aside = new SetAside(() => now)
    const tries = async (at: number) => {
      now = at
      asked.length = 0
      await settleAll(app, settlement, aside)
      return asked.filter(batch => batch.includes(faulty!)).length
    }
    expect(await tries(0)).toBeGreaterThan(0)
    const again: number[] = []
    for (let second = 1; second <= 40; second++) if ((await tries(second * 1_000)) > 0) again.push(second)
    expect(again).toEqual([5, 15, 35])
  })

  it('ASIDE-03 settles what was set aside once nothing is wrong with it any more', async () => {
    await using opened = await open()
    const [faulty] = await accept(opened.app, 2)
    const wrong = new Set([faulty!])
    const app = { ...opened.app, charging: everywhere(failing(wrong, [])) }
    let now = 0
    const aside = new SetAside(() => now)
    await settleAll(app, settlement, aside)
    expect(aside.ids).toEqual([faulty])
    wrong.clear()
    now = 5_000
    await settleAll(app, settlement, aside)
    expect({ waiting: await waiting(app), aside: aside.ids }).toEqual({ waiting: 0, aside: [] })
  })

  it('ASIDE-04 blames no row when every one fails, and ends the round', async () => {
    await using opened = await open()
    const ids = await accept(opened.app, 100)
    const asked: string[][] = []
    const app = { ...opened.app, charging: everywhere(failing(new Set(ids), asked)) }
    const aside = new SetAside()
    await expect(settleAll(app, settlement, aside)).rejects.toThrow('cannot be charged')
    expect(aside.ids.length).toBeLessThan(30)
    expect(await waiting(app)).toBe(100)
  })
})
