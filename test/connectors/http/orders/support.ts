/** Setup of the tests of orders: payments that wait, and a charging system with responses that a test sets. */

import { settleByConnector } from '#connectors/http/orders/settler.ts'
import type {
  ChargeListener,
  ChargeOrder,
  ChargeProgress,
  ChargingConnector,
} from '#core/charging/charging.ts'
import { everywhere } from '#core/charging/charging.ts'
import type { App } from '#core/context/app.ts'
import type { Settlement } from '#core/transactions/kind.ts'
import { newId } from '#core/values/id.ts'
import { PAYMENT } from '#subgraphs/postpaid-billing/kind.ts'
import { settlement } from '#subgraphs/postpaid-billing/rules.ts'
import { notePosted } from '#test/support/posted.ts'
import { openTestApp } from '#test/support/stack.ts'

export const DONE = { outcome: 'done' } as const

type Answer = (order: ChargeOrder) => Promise<ChargeProgress> | ChargeProgress

/** A charging system in this process: its calls, in order, and responses that a test sets. */
export class ToldCharging implements ChargingConnector {
  readonly embedded = false
  readonly name = 'scripted'
  readonly calls: string[] = []
  fault: string | undefined
  parallel = 4
  deadlineMs = 20_000
  tell!: ChargeListener
  onSubmit: Answer = () => DONE
  onInquire: (order: ChargeOrder) => Promise<ChargeProgress | undefined> | ChargeProgress | undefined = () =>
    undefined
  onCapture: Answer = () => DONE
  unavailable = () => this.fault
  async submit(order: ChargeOrder): Promise<ChargeProgress> {
    this.calls.push(`submit ${order.transactionId}`)
    return this.onSubmit(order)
  }
  async inquire(order: ChargeOrder): Promise<ChargeProgress | undefined> {
    this.calls.push(`inquire ${order.transactionId}`)
    return this.onInquire(order)
  }
  async capture(order: ChargeOrder): Promise<ChargeProgress> {
    this.calls.push(`capture ${order.transactionId}`)
    return this.onCapture(order)
  }
  async start(listener: ChargeListener): Promise<void> {
    this.tell = listener
  }
  async stop(): Promise<void> {}
}

/** An app without demo data whose payments are settled by such a system; settling has not started. */
export async function openOrders(given: Settlement = settlement) {
  const opened = await openTestApp({ env: { DEMO: '0', LOG_LEVEL: 'silent' } })
  const system = new ToldCharging()
  const app: App = { ...opened.app, charging: everywhere(system) }
  return {
    app,
    system,
    start: (by: ChargingConnector = system) => settleByConnector(app, given, by),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

/** Payments as they are when they have just been posted, each for the account of its place; their ids. */
export async function accept(app: App, accounts: readonly string[]): Promise<string[]> {
  const { db } = app
  const first = await db.payment.count()
  const rows = accounts.map((accountNumber, index) => ({
    id: newId(),
    position: first + index + 1,
    clientId: 'orders',
    clientPosition: first + index + 1,
    createdAt: new Date(),
    status: 'processing',
    accountNumber,
    currency: 'OMR',
    amount: '0.125',
    body: {},
  }))
  await db.payment.createMany({ data: rows })
  await notePosted(app, PAYMENT, first + rows.length)
  return rows.map(({ id }) => id)
}

/** The statuses of payments, in the order of the ids. */
export async function statusesOf({ db }: App, ids: readonly string[]): Promise<string[]> {
  const rows = await db.payment.findMany({ where: { id: { in: [...ids] } } })
  return ids.map(id => rows.find(row => row.id === id)!.status)
}

/** Ends every wait of orders, and every lease. */
export const letTimePass = ({ db }: App) => db.$executeRaw`
  UPDATE charging."order" SET next_attempt_at = now() - interval '1 second', leased_until = NULL
  WHERE next_attempt_at IS NOT NULL AND state <> 'concluded'`
