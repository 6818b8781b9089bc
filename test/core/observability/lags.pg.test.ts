/** Lags in the metrics: how long the oldest has waited at each station, read from the database at a scrape. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { watchSettlingLag } from '#core/transactions/settle/lag.ts'
import { watchTimelineLag } from '#subgraphs/activity/projection/lag.ts'
import { openCheckpoints } from '#subgraphs/activity/projection/project.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { seriesValue } from '#test/support/metrics.ts'
import { notePosted } from '#test/support/posted.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'

let opened: TestApp
let payment: TransactionKind
beforeAll(async () => {
  opened = await openTestApp({ env: { DEMO: '0' } })
  const kinds = await loadKinds()
  payment = kinds.find(({ name }) => name === 'PAYMENT')!
  await openCheckpoints({ ...opened.app, kinds })
  watchSettlingLag(opened.app, payment)
  watchTimelineLag(opened.app, kinds)
})
afterAll(() => opened[Symbol.asyncDispose]())

const PATIENT = { timeout: 10_000 }
const value = (series: string) => seriesValue(opened.app.metrics, series)

const post = async (position: number, secondsAgo: number) => {
  const { db } = opened.app
  const at = new Date(Date.now() - secondsAgo * 1_000)
  await db.payment.create({
    data: {
      id: `01a201e4-38e5-76b6-8624-dd60c8fd7${String(position).padStart(3, '0')}`,
      ...{ position, clientPosition: position, clientId: 'lagging', createdAt: at },
      ...{ status: 'processing', body: {} },
    },
  })
  await notePosted(opened.app, payment, position)
}

it('LAG-01 settling: the age of the oldest that is not taken, and 0 when all are', async () => {
  const { db } = opened.app
  await db.chargeProgress.upsert({
    where: { kind: 'PAYMENT' },
    create: { kind: 'PAYMENT', position: 0 },
    update: { position: 0 },
  })
  await expect.poll(() => value('settling_lag_seconds{kind="PAYMENT"}'), PATIENT).toBe(0)
  await post(1, 600)
  await post(2, 60)
  const lag = () => value('settling_lag_seconds{kind="PAYMENT"}')
  await expect.poll(lag, PATIENT).toBeGreaterThan(599)
  await db.chargeProgress.update({ where: { kind: 'PAYMENT' }, data: { position: 1 } })
  await expect.poll(lag, PATIENT).toBeLessThan(599)
  expect(await lag()).toBeGreaterThan(59)
  await db.chargeProgress.update({ where: { kind: 'PAYMENT' }, data: { position: 2 } })
  await expect.poll(lag, PATIENT).toBe(0)
})

it('LAG-02 settling: what is in quarantine is counted apart', async () => {
  const { db } = opened.app
  const [one] = await db.payment.findMany({ take: 1 })
  await db.setAside.create({
    data: { transactionId: one!.id, kind: 'PAYMENT', position: one!.position, dueAt: new Date() },
  })
  await expect.poll(() => value('transactions_quarantined{kind="PAYMENT"}'), PATIENT).toBe(1)
  expect(await value('settling_lag_seconds{kind="PAYMENT"}')).toBe(0)
})

it('LAG-03 the timeline: the age of the oldest row or event beyond its checkpoints', async () => {
  const { db } = opened.app
  const lag = () => value('timeline_lag_seconds')
  await expect.poll(lag, PATIENT).toBeGreaterThan(599)
  await db.progress.update({ where: { name: payment.table }, data: { position: 2 } })
  await expect.poll(lag, PATIENT).toBe(0)
})
