/**
 * What a portal wants an outside charging system to do: an order that it holds given up, one that it carried out taken
 * back. It is asked outside of any transaction, by one caller at a time, again until it says what became of it.
 */
import type { ChargeProgress, ChargeResult, ChargingConnector } from '#core/charging/charging.ts'
import { noteReversal } from '#core/charging/note-movements.ts'
import type { App } from '#core/context/app.ts'
import type { PrismaClient, Statements } from '#core/data/db.ts'
import { mayFollow, orderOf, type Settlement, type TransactionRow } from '#core/transactions/kind.ts'
import {
  type AskedIntervention,
  endIntervention,
  keepIntervention,
  targetOf,
} from '#core/transactions/settle/intervene.ts'
import { concludeOrders, endOrders, lockTransactions } from './conclude.ts'

export interface InterventionParts {
  readonly app: App
  readonly settlement: Settlement
  readonly connector: ChargingConnector
  /** How long a call may take, in milliseconds. */
  readonly deadlineMs: number
  readonly stop: AbortSignal
}

/** Until it is asked again of what nothing came, in milliseconds. */
const RETRY_MS = 5_000

/** Takes what is wanted, the oldest first; it is this caller's for so long. Found by its key (`given`, see `data/sql.ts`). */
export const claimWanted = (
  db: Pick<PrismaClient, '$queryRaw'>,
  { kind, places, leaseMs }: { readonly kind: string; readonly places: number; readonly leaseMs: number },
): Promise<AskedIntervention[]> => db.$queryRaw<AskedIntervention[]>`
  WITH due AS MATERIALIZED (
    SELECT i.transaction_id, i.action, 1 AS given FROM events.intervention i
    WHERE i.kind = ${kind} AND i.carried_out_at IS NULL AND i.refusal IS NULL
      AND (i.leased_until IS NULL OR i.leased_until < statement_timestamp())
    ORDER BY i.requested_at LIMIT ${places} FOR UPDATE SKIP LOCKED)
  UPDATE events.intervention i SET leased_until = statement_timestamp() + ${leaseMs}::int * interval '1 ms'
  FROM due WHERE due.given = 1 AND i.transaction_id = due.transaction_id AND i.action = due.action
  RETURNING i.transaction_id AS "transactionId", i.action, i.client_id AS "clientId", i.correlator, i.reason`

const askAgainLater = (db: PrismaClient, { transactionId, action }: AskedIntervention) => db.$executeRaw`
  UPDATE events.intervention SET leased_until = statement_timestamp() + ${RETRY_MS}::int * interval '1 ms'
  WHERE transaction_id = ${transactionId}::uuid AND action = ${action}`

const lockOrder = async (tx: Statements, id: string) =>
  (
    await tx.$queryRaw<{ state: string }[]>`
      SELECT state FROM charging."order" WHERE transaction_id = ${id}::uuid FOR UPDATE`
  )[0]?.state

const declined = (reason: string): ChargeResult => ({ outcome: 'declined', reason })
const CANCELLED: ChargeResult = { outcome: 'cancelled', reason: 'Cancelled by the operator' }

/** What is to be done next: asked of the system, tried again later, or nothing, since it has come to its end. */
type Next = { readonly ask: TransactionRow<never> } | 'later' | 'ended'

class OutsideIntervention {
  readonly #parts: InterventionParts
  readonly #asked: AskedIntervention

  constructor(parts: InterventionParts, asked: AskedIntervention) {
    this.#parts = parts
    this.#asked = asked
  }

  /** Resolves once what became of it is noted, or when it is to be asked again. */
  async carryOut(): Promise<void> {
    const { db, writer } = this.#parts.app
    const next = await writer.transaction(tx => this.#decide(tx))
    const progress = typeof next === 'string' ? undefined : await this.#ask(next.ask)
    if (next === 'ended') return this.#announce()
    if (progress === undefined || progress.outcome === 'pending')
      return void (await askAgainLater(db, this.#asked))
    await writer.transaction(tx => this.#note(tx, progress))
    this.#announce()
  }

  async #lock(tx: Statements) {
    const { kind } = this.#parts.settlement
    const state = await lockOrder(tx, this.#asked.transactionId)
    const [row] = await lockTransactions(tx, kind, [this.#asked.transactionId])
    return { row: row!, state, isPossible: mayFollow(kind, row!.status, targetOf(kind, this.#asked.action)!) }
  }

  async #end(tx: Statements, row: TransactionRow<never>, result: ChargeResult): Promise<'ended'> {
    await endIntervention(tx, this.#parts.settlement.kind, this.#asked, { row, result })
    return 'ended'
  }

  /** The transaction has come to an end meanwhile: to the one that is wanted, since the system told it, or to another. */
  async #giveUp(tx: Statements, row: TransactionRow<never>): Promise<'ended'> {
    const { kind } = this.#parts.settlement
    if (row.status !== targetOf(kind, this.#asked.action))
      return this.#end(tx, row, declined(`The transaction is ${row.status} by now`))
    await keepIntervention(tx, kind, this.#asked, row.completedAt)
    return 'ended'
  }

  /** What was never sent is ended here; what may be on its way is waited for. */
  async #decide(tx: Statements): Promise<Next> {
    const { row, state, isPossible } = await this.#lock(tx)
    if (!isPossible) return this.#giveUp(tx, row)
    if (this.#asked.action === 'REVERSE')
      return state === undefined
        ? this.#end(tx, row, declined('The charging system does not know the order'))
        : { ask: row }
    if (state === 'waiting') {
      await endOrders(tx, [{ id: row.id, result: CANCELLED }])
      return this.#end(tx, row, CANCELLED)
    }
    return state === 'pending' || state === 'reserved' ? { ask: row } : 'later'
  }

  /** Undefined where nothing came of it. */
  async #ask(row: TransactionRow<never>): Promise<ChargeProgress | undefined> {
    const { app, connector, settlement, deadlineMs, stop } = this.#parts
    if (connector.unavailable() !== undefined) return undefined
    const signal = AbortSignal.any([stop, AbortSignal.timeout(deadlineMs)])
    const call = this.#asked.action === 'CANCEL' ? connector.cancel : connector.reverse
    if (!call) return declined('The charging system does not do that')
    try {
      return await call.call(connector, orderOf(settlement, row), signal)
    } catch (error) {
      const { transactionId, action } = this.#asked
      app.log.warn({ err: error, transactionId, action }, 'nothing came of an intervention; asked again')
      return undefined
    }
  }

  /** The system's word counts, unless the transaction has come to another end meanwhile. */
  async #note(tx: Statements, result: ChargeResult): Promise<void> {
    const { app, settlement } = this.#parts
    const { row, state, isPossible } = await this.#lock(tx)
    if (!isPossible) {
      await this.#giveUp(tx, row)
    } else if (this.#asked.action === 'REVERSE') {
      if (result.outcome === 'done') await noteReversal(tx, orderOf(settlement, row))
      await this.#end(tx, row, result)
    } else if (result.outcome === 'cancelled') {
      await endOrders(tx, [{ id: row.id, result }])
      await this.#end(tx, row, result)
    } else {
      if (state !== 'concluded') await concludeOrders(tx, app, settlement, [{ id: row.id, result }])
      await this.#end(tx, row, result)
    }
  }

  #announce(): void {
    this.#parts.app.eventsWritten.emit()
  }
}

/** Carries out what is wanted, or has it asked again later. */
export const carryOutWanted = (parts: InterventionParts, asked: AskedIntervention): Promise<void> =>
  new OutsideIntervention(parts, asked).carryOut()
