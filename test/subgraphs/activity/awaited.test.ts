/** New transactions that are about to be settled get their timeline entry with what they have come to, written once. */
import { expect, it } from 'vitest'
import type { App } from '#core/context/app.ts'
import { ensureSequence } from '#core/data/gapless-sequence.ts'
import { settleAll } from '#core/transactions/settle/settler.ts'
import { newId } from '#core/values/id.ts'
import { openCheckpoints, projectAll } from '#subgraphs/activity/projection/project.ts'
import { PAYMENT } from '#subgraphs/postpaid-billing/kind.ts'
import { settlement } from '#subgraphs/postpaid-billing/rules.ts'
import { notePosted } from '../../support/posted.ts'
import { openTestApp } from '../../support/stack.ts'

const LONG_AGO_MS = 60_000
/** By a clock that is ahead, so that it stays new however slow the machine is. */
const NEW_MS = -60_000

/** A payment as it is when it has just been posted, so long ago. */
const post = async ({ db }: App, position: number, agoMs: number) => {
  const createdAt = new Date(Date.now() - agoMs)
  const numbers = { position, clientPosition: position, clientId: 'awaited', createdAt }
  const money = { accountNumber: `${position}`, currency: 'OMR', amount: 1 }
  await db.payment.create({ data: { id: newId(), ...numbers, ...money, status: 'processing', body: {} } })
  await notePosted({ db }, PAYMENT, position)
}

const open = async () => {
  const opened = await openTestApp({ env: { DEMO: '0', LOG_LEVEL: 'silent' } })
  await ensureSequence(opened.app.db, PAYMENT)
  await openCheckpoints({ ...opened.app, kinds: [PAYMENT] })
  return opened
}

const project = (app: App, awaited = [PAYMENT]) => projectAll({ ...app, kinds: [PAYMENT], awaited })

const outcomes = async ({ db }: App) => {
  const entries = await db.timelineEntry.findMany({ orderBy: { sort: 'asc' } })
  return entries.map(({ accountNumber, outcome }) => `${accountNumber} ${outcome}`)
}

it('AWAIT-01 a new transaction is shown with what it has come to, those after it with it', async () => {
  await using opened = await open()
  const { app } = opened
  await post(app, 1, NEW_MS)
  await project(app)
  expect(await outcomes(app)).toEqual([])
  await settleAll(app, settlement)
  await post(app, 2, NEW_MS)
  await project(app)
  expect(await outcomes(app)).toEqual(['1 COMPLETED'])
  const pending = await app.db.totalDay.count({ where: { outcome: 'PENDING' } })
  expect(pending).toBe(0)
})

it('AWAIT-02 one that is not settled soon is shown as it is, and then with what it comes to', async () => {
  await using opened = await open()
  const { app } = opened
  await post(app, 1, LONG_AGO_MS)
  await post(app, 2, NEW_MS)
  await project(app)
  expect(await outcomes(app)).toEqual(['1 PENDING'])
  await settleAll(app, settlement)
  await project(app)
  expect(await outcomes(app)).toEqual(['1 COMPLETED', '2 COMPLETED'])
})

it('AWAIT-03 nothing is awaited where nobody says so', async () => {
  await using opened = await open()
  await post(opened.app, 1, NEW_MS)
  await project(opened.app, [])
  expect(await outcomes(opened.app)).toEqual(['1 PENDING'])
})

it('AWAIT-04 what is left when a server stops is left to the next', async () => {
  await using opened = await open()
  const { app } = opened
  await post(app, 1, LONG_AGO_MS)
  await projectAll({ ...app, kinds: [PAYMENT], isStopping: () => true })
  await settleAll(app, settlement, () => true)
  expect([await outcomes(app), await app.db.event.count()]).toEqual([[], 0])
  await settleAll(app, settlement)
  await project(app)
  expect(await outcomes(app)).toEqual(['1 COMPLETED'])
})
