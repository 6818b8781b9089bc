/** Writes events of payments to the log at a fixed rate, as settling them does, in a process of its own. */

import { setTimeout as delay } from 'node:timers/promises'
import { v7 } from 'uuid'
import { readConfig } from '#core/config/config.ts'
import type { App } from '#core/context/app.ts'
import { appendEvents, type NewEvent } from '#core/events/append.ts'
import { createLog } from '#core/observability/log.ts'
import { openApp } from '#core/open-app.ts'
import { seedDemo } from '#prisma/demo/seed.ts'
import { accountOf, mobileOf } from './fill.ts'
import { serveCalls } from './worker.ts'

export interface WriteJob {
  /** Events per second. */
  readonly rate: number
  readonly count: number
  /** How many payments there are; the events are of these in turns. */
  readonly payments: number
}

let app: App
let written = 0

/** The event of a payment that `fillTransactions` made. */
const eventOf = (payment: number): NewEvent => {
  const now = new Date()
  return {
    eventid: v7(),
    kind: 'PAYMENT',
    eventType: 'PAYMENT_COMPLETED',
    eventTime: now,
    transactionId: `01900000-0000-7000-8001-${payment.toString(16).padStart(12, '0')}`,
    operationStatus: 'succeeded',
    status: 'succeeded',
    description: 'The payment was posted to the account',
    clientCorrelatorId: `fill-${payment}`,
    paymentDate: now,
    clientId: 'bench-partner',
    accountNumber: accountOf(payment),
    mobileNumber: mobileOf(payment),
  }
}

/** Notifies the other processes of the commit, as after settling. */
const write = async (payment: number) => {
  await app.db.$transaction(tx => appendEvents(tx, [eventOf(payment)]))
  app.eventsWritten.emit()
}

serveCalls({
  async open(env: Record<string, string>) {
    const config = readConfig({ ...env, LOG_LEVEL: 'warn' })
    app = await openApp(config, createLog(config.logLevel), seedDemo)
  },
  /** Each at its time, however long the one before took. */
  async write({ rate, count, payments }: WriteJob) {
    const start = performance.now()
    for (let index = 0; index < count; index += 1) {
      await delay(Math.max(0, start + (index * 1_000) / rate - performance.now()))
      await write(1 + (written++ % payments))
    }
  },
})
