/**
 * Interventions that an outside charging system has to execute: it gives up an order that it holds, or takes back one
 * that it executed. Requests are sent outside of any transaction, by one process at a time, again until the system
 * reports an outcome.
 */

import { recordReversal } from '#core/charging/booking.ts'
import type { ChargeOrder, ChargeProgress, ChargeResult } from '#core/charging/charging.ts'
import { type Db, Prisma, type Statements } from '#core/data/db.ts'
import { tracing } from '#core/observability/tracing.ts'
import { claimDue, type LeasedTable, leaseEnd } from '#core/queue/lease-queue.ts'
import { mayFollow, orderOf, type TransactionRow } from '#core/transactions/kind.ts'
import {
  finalizeIntervention,
  type InterventionRequest,
  recordIntervention,
  targetOf,
} from '#core/transactions/settle/intervene.ts'
import { type DispatchOptions, traceCall } from './dispatcher.ts'
import { endOrders, finalizeOrders, lockTransactions } from './finalize.ts'
import type { OrderLimits } from './queue.ts'

/** The wait after a call without an outcome, in milliseconds. */
const RETRY_MS = 5_000

/** The table of interventions, with the columns of its leases. */
const INTERVENTIONS: LeasedTable = {
  table: Prisma.sql`events.intervention`,
  until: Prisma.sql`leased_until`,
}

/** Claims interventions without an outcome, the oldest first. */
export const claimInterventions = (
  db: Pick<Statements, '$queryRaw'>,
  limits: OrderLimits,
): Promise<InterventionRequest[]> => {
  const open = {
    ...INTERVENTIONS,
    key: [Prisma.sql`transaction_id`, Prisma.sql`action`],
    isDue: Prisma.sql`q.kind = ${limits.kind} AND q.carried_out_at IS NULL AND q.refusal IS NULL`,
    dueSince: Prisma.sql`q.requested_at`,
    returning: Prisma.sql`
      q.transaction_id AS "transactionId", q.action, q.client_id AS "clientId", q.correlator, q.reason`,
  }
  return claimDue<InterventionRequest>(db, open, limits)
}

const reschedule = (db: Db, { transactionId, action }: InterventionRequest) => db.$executeRaw`
  UPDATE events.intervention SET leased_until = ${leaseEnd(RETRY_MS)}
  WHERE transaction_id = ${transactionId}::uuid AND action = ${action}`

const lockOrder = async (tx: Statements, id: string) =>
  (
    await tx.$queryRaw<{ state: string }[]>`
      SELECT state FROM charging."order" WHERE transaction_id = ${id}::uuid FOR UPDATE`
  )[0]?.state

const declined = (reason: string): ChargeResult => ({ outcome: 'declined', reason })
const CANCELLED: ChargeResult = { outcome: 'cancelled', reason: 'Cancelled by the operator' }

/** Next step: a request to the system, now or later, or none because the intervention has ended. */
type Next = { readonly ask: TransactionRow<never> } | 'later' | 'ended'

/** One intervention that an outside charging system executes. */
class OutsideIntervention {
  readonly #options: DispatchOptions
  readonly #wanted: InterventionRequest

  constructor(options: DispatchOptions, wanted: InterventionRequest) {
    this.#options = options
    this.#wanted = wanted
  }

  /** Executes it once. Resolves when its outcome or the time of the next request is recorded. */
  async execute(): Promise<void> {
    const { db } = this.#options.app
    const next = await db.$transaction(tx => this.#decide(tx))
    const progress = typeof next === 'string' ? undefined : await this.#ask(next.ask)
    if (next === 'ended') return this.#announce()
    if (progress === undefined || progress.outcome === 'pending')
      return void (await reschedule(db, this.#wanted))
    await db.$transaction(tx => this.#record(tx, progress))
    this.#announce()
  }

  async #lock(tx: Statements) {
    const { kind } = this.#options.settlement
    const state = await lockOrder(tx, this.#wanted.transactionId)
    const [row] = await lockTransactions(tx, kind, [this.#wanted.transactionId])
    return {
      row: row!,
      state,
      isPossible: mayFollow(kind, row!.status, targetOf(kind, this.#wanted.action)!),
    }
  }

  async #end(tx: Statements, row: TransactionRow<never>, result: ChargeResult): Promise<'ended'> {
    await finalizeIntervention(tx, this.#options.settlement.kind, this.#wanted, { row, result })
    return 'ended'
  }

  /**
   * Ends an intervention in a transaction that has ended meanwhile. It may have ended as the intervention wanted, since the
   * system reported that by itself, or in another way.
   */
  async #giveUp(tx: Statements, row: TransactionRow<never>): Promise<'ended'> {
    const { kind } = this.#options.settlement
    if (row.status !== targetOf(kind, this.#wanted.action))
      return this.#end(tx, row, declined(`The transaction is ${row.status} by now`))
    await recordIntervention(tx, kind, this.#wanted, row.completedAt)
    return 'ended'
  }

  /**
   * Decides on the next step. An order that was never sent is ended here; one that may be on its way is waited for.
   */
  async #decide(tx: Statements): Promise<Next> {
    const { row, state, isPossible } = await this.#lock(tx)
    if (!isPossible) return this.#giveUp(tx, row)
    if (this.#wanted.action === 'REVERSE')
      return state === undefined
        ? this.#end(tx, row, declined('The charging system does not know the order'))
        : { ask: row }
    if (state === 'waiting') {
      await endOrders(tx, [{ id: row.id, result: CANCELLED }])
      return this.#end(tx, row, CANCELLED)
    }
    return state === 'pending' || state === 'reserved' ? { ask: row } : 'later'
  }

  /** Calls the system; undefined where the call brought no outcome. */
  async #ask(row: TransactionRow<never>): Promise<ChargeProgress | undefined> {
    const { app, connector, settlement, deadlineMs, stop } = this.#options
    if (connector.unavailable() !== undefined) return undefined
    const signal = AbortSignal.any([stop, AbortSignal.timeout(deadlineMs)])
    const call = this.#wanted.action === 'CANCEL' ? connector.cancel : connector.reverse
    if (!call) return declined('The charging system does not do that')
    const name = this.#wanted.action === 'CANCEL' ? 'cancel' : 'reverse'
    const make = (order: ChargeOrder): Promise<ChargeProgress> => call.call(connector, order, signal)
    const order = orderOf(settlement, row)
    try {
      return await (tracing
        ? traceCall(tracing, { connector, name, order }, make, ({ outcome: label }) => ({
            label,
            isFailure: false,
          }))
        : make(order))
    } catch (error) {
      const { transactionId, action } = this.#wanted
      app.log.warn(
        { err: error, transactionId, action },
        'an intervention has no outcome yet; the request is repeated',
      )
      return undefined
    }
  }

  /** Records the outcome of the system, unless the transaction has ended otherwise meanwhile. */
  async #record(tx: Statements, result: ChargeResult): Promise<void> {
    const { app, settlement } = this.#options
    const { row, state, isPossible } = await this.#lock(tx)
    if (!isPossible) {
      await this.#giveUp(tx, row)
    } else if (this.#wanted.action === 'REVERSE') {
      if (result.outcome === 'done') await recordReversal(tx, orderOf(settlement, row))
      await this.#end(tx, row, result)
    } else if (result.outcome === 'cancelled') {
      await endOrders(tx, [{ id: row.id, result }])
      await this.#end(tx, row, result)
    } else {
      if (state !== 'concluded') await finalizeOrders(tx, app, settlement, [{ id: row.id, result }])
      await this.#end(tx, row, result)
    }
  }

  #announce(): void {
    this.#options.app.eventsWritten.emit()
  }
}

/** Executes an intervention, or sets the time of the next request. */
export const executeIntervention = (options: DispatchOptions, wanted: InterventionRequest): Promise<void> =>
  new OutsideIntervention(options, wanted).execute()
