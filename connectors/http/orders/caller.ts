/** Calls for the orders that were taken, and notes what came of it, many at a time. */
import { Batcher } from '#core/async/batcher.ts'
import type { ChargingConnector } from '#core/charging/charging.ts'
import type { App } from '#core/context/app.ts'
import { COLUMNS } from '#core/transactions/columns.ts'
import { orderOf, type Settlement, type TransactionRow, tableOf } from '#core/transactions/kind.ts'
import { type CallName, type CallOutcome, callFor, carryOut } from './carry-out.ts'
import { announce } from './conclude.ts'
import { type Called, noteCalled } from './note.ts'
import type { ClaimedOrder } from './order.ts'

export interface CallerParts {
  readonly app: App
  readonly settlement: Settlement
  readonly connector: ChargingConnector
  /** How long a call may take, in milliseconds. */
  readonly deadlineMs: number
  /** Breaks off what is under way; what is noted then is that its outcome is unknown. */
  readonly stop: AbortSignal
}

const MAX_NOTED = 200
/** For a batch that is noted, or its orders one by one. */
const STANDSTILL_MS = 15_000
/** Far above what can be under way: nothing is refused. */
const MAX_WAITING = 100_000
/** What came of a call is noted even when we stop. */
const NEVER = new AbortController().signal

export class OrderCaller {
  readonly #parts: CallerParts
  readonly #notes: Batcher<Called, null>

  constructor(parts: CallerParts) {
    this.#parts = parts
    this.#notes = new Batcher(called => this.#noteAll(called), {
      maxBatch: MAX_NOTED,
      maxWaiting: MAX_WAITING,
      rounds: parts.app.watchdog.over(`outcomes of ${parts.settlement.kind.name} orders`, STANDSTILL_MS),
    })
  }

  /** The transactions of orders, by their ids. */
  async read(orders: readonly ClaimedOrder[]): Promise<ReadonlyMap<string, TransactionRow<never>>> {
    const { app, settlement } = this.#parts
    const rows = await app.db.$queryRaw<TransactionRow<never>[]>`
      SELECT ${COLUMNS} FROM ${tableOf(settlement.kind)} t WHERE t.id = ANY (${orders.map(({ id }) => id)}::uuid[])`
    return new Map(rows.map(row => [row.id, row]))
  }

  /** Resolves once what came of the call is noted; fails where the database did not take it. */
  async call(order: ClaimedOrder, row: TransactionRow<never>): Promise<void> {
    const { app, settlement, connector, stop, deadlineMs } = this.#parts
    const name = callFor(order, connector)
    const done = app.metrics.chargingCallSeconds.startTimer({ system: connector.name, call: name })
    const outcome = await carryOut(connector, name, orderOf(settlement, row), { stop, deadlineMs })
    done()
    this.#tell(order, name, outcome)
    await this.#notes.add({ order, outcome }, NEVER)
  }

  #tell({ id, attempts }: ClaimedOrder, name: CallName, outcome: CallOutcome): void {
    const { app, settlement, connector } = this.#parts
    const told = 'progress' in outcome ? outcome.progress.outcome : outcome.notSent ? 'not_sent' : 'unknown'
    app.metrics.chargingCalls.inc({ system: connector.name, call: name, outcome: told })
    if ('progress' in outcome) return
    const details = { transactionId: id, kind: settlement.kind.name, call: name, attempt: attempts + 1 }
    app.log.warn(
      { ...details, error: outcome.error },
      `order ${told === 'unknown' ? 'with unknown outcome' : 'not sent'}`,
    )
  }

  async #noteAll(called: Called[]): Promise<null[]> {
    try {
      await this.#note(called)
    } catch (error) {
      if (called.length === 1) throw error
      // One that cannot be noted must not hold up the others.
      for (const one of called) await this.#note([one]).catch(reason => this.#tellUnnoted(one, reason))
    }
    return called.map(() => null)
  }

  async #note(called: readonly Called[]): Promise<void> {
    const { app, settlement, connector } = this.#parts
    announce(
      app,
      settlement,
      await app.writer.transaction(tx => noteCalled(tx, app, settlement, connector, called)),
    )
  }

  #tellUnnoted({ order }: Called, error: unknown): void {
    this.#parts.app.log.error(
      { err: error, transactionId: order.id },
      'what became of an order could not be noted; asked about again when its lease ends',
    )
  }
}
