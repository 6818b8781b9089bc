/**
 * Calls for claimed orders, outside of any database transaction: an order is submitted, inquired about or captured, and
 * its outcome is recorded, together with others.
 */
import {
  type ChargeOrder,
  type ChargeProgress,
  type ChargingConnector,
  NotSentError,
} from '#core/charging/charging.ts'
import type { App } from '#core/context/app.ts'
import { type Tracing, tracing } from '#core/observability/tracing.ts'
import { createRecorder } from '#core/queue/lease-queue.ts'
import { COLUMNS } from '#core/transactions/columns.ts'
import { orderOf, type Settlement, type TransactionRow, tableOf } from '#core/transactions/kind.ts'
import { announce } from './finalize.ts'
import type { ClaimedOrder } from './queue.ts'
import { type Called, type CallOutcome, recordCalls } from './record.ts'

/** Parts that calls to a charging system need, for orders and for interventions. */
export interface DispatchOptions {
  readonly app: App
  readonly settlement: Settlement
  readonly connector: ChargingConnector
  /** How long a call may take, in milliseconds. */
  readonly deadlineMs: number
  /** Breaks off calls in flight; the outcome that is recorded then is that it is unknown. */
  readonly stop: AbortSignal
}

/** The calls that an order's state may ask for. */
type CallName = 'submit' | 'inquire' | 'capture'

const callFor = ({ state }: ClaimedOrder, connector: ChargingConnector): CallName => {
  if (state === 'reserved' && connector.capture) return 'capture'
  return state === 'waiting' || !connector.inquire ? 'submit' : 'inquire'
}

/** An order that never arrived, or is not known there any more, is sent (again) under the same key. */
const call = async (
  connector: ChargingConnector,
  name: CallName,
  order: ChargeOrder,
  signal: AbortSignal,
): Promise<ChargeProgress> => {
  if (name === 'capture') return connector.capture!(order, signal)
  const found = name === 'inquire' ? await connector.inquire!(order, signal) : undefined
  return found ?? connector.submit(order, signal)
}

/** A connector that does not heed its signal is left to itself. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** A call to a charging system, as its span tells of it. */
interface TracedCall {
  readonly connector: ChargingConnector
  readonly name: string
  readonly order: ChargeOrder
  /** Calls before it that brought no outcome. */
  readonly attempts?: number
}

/**
 * Makes a call with a span in the trace of the transaction's request, which the system may continue.
 * @param outcomeOf tells what it brought, in one word, and whether that is a failure of the call.
 */
export async function traceCall<T>(
  traces: Tracing,
  { connector, name, order, attempts = 0 }: TracedCall,
  make: (order: ChargeOrder) => Promise<T>,
  outcomeOf: (result: T) => { readonly label: string; readonly isFailure: boolean },
): Promise<T> {
  const { trace, transactionId, operation } = order
  const span = traces.start(`${name} ${connector.name}`, {
    kind: 'client',
    parent: trace,
    links: trace === undefined ? [] : [trace],
    attributes: {
      'partner_graph.charging.system': connector.name,
      'partner_graph.charging.call': name,
      'partner_graph.charging.operation': operation,
      'partner_graph.charging.attempt': attempts + 1,
      'partner_graph.transaction.id': transactionId,
    },
  })
  return traces.run(span, async () => {
    const result = await make({ ...order, trace: traces.propagates ? span.trace : undefined })
    const { label, isFailure } = outcomeOf(result)
    span.set({ 'partner_graph.charging.outcome': label })
    if (isFailure) span.fail(label)
    return result
  })
}

/** The outcome of a call in one word, for metrics and traces. */
const labelOf = (outcome: CallOutcome): string =>
  'progress' in outcome ? outcome.progress.outcome : outcome.notSent ? 'not_sent' : 'unknown'

const MAX_ERROR = 500
const MAX_RECORDED = 200

/** Calls for the orders of one kind. */
export class OrderDispatcher {
  readonly #options: DispatchOptions
  readonly #record: (called: Called) => Promise<unknown>

  constructor(options: DispatchOptions) {
    const { app, settlement, connector } = options
    this.#options = options
    this.#record = createRecorder<Called, never>(
      async called => {
        announce(
          app,
          settlement,
          await app.db.$transaction(tx => recordCalls(tx, app, settlement, connector, called)),
        )
        return []
      },
      {
        watchdog: app.watchdog,
        name: `outcomes of ${settlement.kind.name} orders`,
        maxBatch: MAX_RECORDED,
        onRejected: ({ order }, error) =>
          app.log.error(
            { err: error, transactionId: order.id },
            'the outcome of an order could not be recorded; an inquiry follows when its lease ends',
          ),
      },
    )
  }

  /** The transactions of orders, by their ids. */
  async read(orders: readonly ClaimedOrder[]): Promise<ReadonlyMap<string, TransactionRow<never>>> {
    const { app, settlement } = this.#options
    const rows = await app.db.$queryRaw<TransactionRow<never>[]>`
      SELECT ${COLUMNS} FROM ${tableOf(settlement.kind)} t WHERE t.id = ANY (${orders.map(({ id }) => id)}::uuid[])`
    return new Map(rows.map(row => [row.id, row]))
  }

  /** Resolves once the outcome of the call is recorded; fails where the database did not take it. */
  async dispatch(order: ClaimedOrder, row: TransactionRow<never>): Promise<void> {
    const { app, settlement, connector } = this.#options
    const name = callFor(order, connector)
    const done = app.metrics.chargingCallSeconds.startTimer({ system: connector.name, call: name })
    const request = orderOf(settlement, row)
    const outcome = await (tracing
      ? this.#executeTraced(tracing, { connector, name, order: request, attempts: order.attempts })
      : this.#execute(name, request))
    done()
    this.#report(order, name, outcome)
    await this.#record({ order, outcome })
  }

  #executeTraced(traces: Tracing, traced: TracedCall & { readonly name: CallName }): Promise<CallOutcome> {
    return traceCall(
      traces,
      traced,
      order => this.#execute(traced.name, order),
      outcome => ({ label: labelOf(outcome), isFailure: 'error' in outcome }),
    )
  }

  /** Makes the call. Never throws: every failure is an outcome. */
  async #execute(name: CallName, order: ChargeOrder): Promise<CallOutcome> {
    const { connector, stop, deadlineMs } = this.#options
    const over = new AbortController()
    const late = setTimeout(() => over.abort(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs)
    const signal = AbortSignal.any([stop, over.signal])
    try {
      const working = call(connector, name, order, signal)
      working.catch(() => undefined)
      return { progress: await Promise.race([working, untilAborted(signal)]) }
    } catch (error) {
      const text = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR)
      if (!(error instanceof NotSentError)) return { error: text }
      return { error: text, notSent: { retryAfterMs: error.retryAfterMs ?? 0 } }
    } finally {
      clearTimeout(late)
    }
  }

  #report({ id, attempts }: ClaimedOrder, name: CallName, outcome: CallOutcome): void {
    const { app, settlement, connector } = this.#options
    app.metrics.chargingCalls.inc({ system: connector.name, call: name, outcome: labelOf(outcome) })
    if ('progress' in outcome) return
    const details = { transactionId: id, kind: settlement.kind.name, call: name, attempt: attempts + 1 }
    app.log.warn(
      { ...details, error: outcome.error },
      `order ${outcome.notSent ? 'not sent' : 'with unknown outcome'}`,
    )
  }
}
