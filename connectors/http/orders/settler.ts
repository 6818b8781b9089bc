/**
 * Settles one kind of transaction by a charging system outside of the database, one settler a process: woken by creates
 * and by what the system tells, and every second for what is due again or another process left behind.
 */

import type { Worker } from '#core/async/worker.ts'
import { TaskWorker } from '#core/async/worker.ts'
import { readBacklog } from '#core/charging/backlog.ts'
import type { ChargingConnector } from '#core/charging/charging.ts'
import { faultOf } from '#core/charging/choice.ts'
import type { App } from '#core/context/app.ts'
import { isOutage } from '#core/data/database-errors.ts'
import type { Settlement } from '#core/transactions/kind.ts'
import { STANDSTILL_MS } from '#core/transactions/settle/settler.ts'
import { OrderCaller } from './caller.ts'
import { type ClaimLimits, claimHeads, claimHeld, freeLeases } from './claim.ts'
import { announce } from './conclude.ts'
import { carryOutWanted, claimWanted, type InterventionParts } from './interventions.ts'
import type { ClaimedOrder } from './order.ts'
import { openProgress, takeIn } from './take.ts'
import { concludeExpired, concludeTold, noteTold, type Step } from './told.ts'

const SWEEP_MS = 1_000
/** How long ended calls are gathered before their places are given to others, with one statement for all. */
const GATHER_MS = 5
const PARALLEL = 32
const DEADLINE_MS = 20_000
/** Beyond the call itself: for its outcome to be noted before another may take the order. */
const LEASE_EXTENSION_MS = 5_000
/** How long a stop waits for calls under way before it breaks them off. */
const STOP_TIMEOUT_MS = 2_000

class OrderSettler {
  readonly #app: App
  readonly #settlement: Settlement
  readonly #connector: ChargingConnector
  readonly #caller: OrderCaller
  readonly #parts: InterventionParts
  /** Its rounds claim orders; its tasks are the calls for them. */
  readonly #worker: TaskWorker
  /** The owner after whom the next claim looks on, so that each has his turn. */
  #after = ''
  #fault: string | undefined
  #isConnected = false
  #unlisten: (() => void) | undefined

  constructor(app: App, settlement: Settlement, connector: ChargingConnector) {
    this.#app = app
    this.#settlement = settlement
    this.#connector = connector
    this.#worker = new TaskWorker({
      run: (_, progress) => this.#round(progress),
      rounds: app.watchdog.over(`settling of ${settlement.kind.name}`, STANDSTILL_MS),
      isReportedElsewhere: isOutage,
      sweepMs: SWEEP_MS,
      gatherMs: GATHER_MS,
      stopMs: STOP_TIMEOUT_MS,
      onError: error =>
        app.log.warn(
          { err: error, kind: settlement.kind.name },
          'settling round failed; retrying within a second',
        ),
    })
    const deadlineMs = connector.deadlineMs ?? DEADLINE_MS
    this.#parts = { app, settlement, connector, deadlineMs, stop: this.#worker.signal }
    this.#caller = new OrderCaller(this.#parts)
  }

  /** Begins to listen for what the system tells by itself, and to settle. */
  async start(): Promise<void> {
    const { db, database, metrics, charging, outbound } = this.#app
    const { kind } = this.#settlement
    await openProgress(db, kind)
    if (database.embedded) await freeLeases(db, kind.name)
    metrics.chargingBacklog.watch(
      kind.name,
      () => readBacklog(db, kind.name),
      () => faultOf(this.#connector) === undefined,
    )
    if (!outbound.off()) await this.#connect()
    this.#unlisten = charging.told.listen(() => this.wake())
    this.wake()
  }

  /** Begins to listen to the system, once: connections to it are outbound traffic too. */
  async #connect(): Promise<void> {
    if (this.#isConnected) return
    await this.#connector.start(async (id, progress) => {
      await noteTold(this.#app.db, id, progress)
      this.wake()
    })
    this.#isConnected = true
  }

  wake(): void {
    this.#worker.wake()
  }

  idle(): Promise<void> {
    return this.#worker.idle()
  }

  async stop(): Promise<void> {
    this.#unlisten?.()
    await this.#worker.stop()
    await this.#connector.stop()
  }

  get #limits(): ClaimLimits {
    const { parallel = PARALLEL, deadlineMs = DEADLINE_MS } = this.#connector
    const places = parallel - this.#worker.size
    return { kind: this.#settlement.kind.name, places, leaseMs: deadlineMs + LEASE_EXTENSION_MS }
  }

  async #round(progress: () => void): Promise<void> {
    await this.#conclude(concludeTold, progress)
    const isOff = this.#app.outbound.off() !== undefined
    // Where nothing may leave, what waits keeps waiting, and does not expire for that.
    if (this.#settlement.expiresAt && !isOff) await this.#conclude(concludeExpired, progress)
    await takeIn(this.#app, this.#settlement, progress)
    if (isOff) return
    await this.#connect()
    await this.#intervene()
    progress()
    if (!this.#isAvailable()) return
    await this.#claimHeads(progress)
    if (this.#limits.places > 0) await this.#startAll(await claimHeld(this.#app.db, this.#limits))
  }

  async #conclude(
    step: (app: App, settlement: Settlement) => Promise<Step>,
    progress: () => void,
  ): Promise<void> {
    let isFull: boolean
    do {
      const done = await step(this.#app, this.#settlement)
      announce(this.#app, this.#settlement, done.settled)
      progress()
      isFull = done.isFull
    } while (isFull)
  }

  /** Also while the system is not to be called: what was never sent needs nothing of it. */
  async #intervene(): Promise<void> {
    if (this.#limits.places <= 0) return
    for (const asked of await claimWanted(this.#app.db, this.#limits))
      this.#track(carryOutWanted(this.#parts, asked), { id: asked.transactionId })
  }

  /** Settling pauses while the system is not to be called; creates go on. */
  #isAvailable(): boolean {
    const fault = this.#connector.unavailable()
    if (fault !== this.#fault) this.#tellFault(fault)
    this.#fault = fault
    return fault === undefined
  }

  #tellFault(fault: string | undefined): void {
    const { log } = this.#app
    const details = { system: this.#connector.name, kind: this.#settlement.kind.name }
    if (fault === undefined) log.info(details, 'the charging system is called again')
    else if (this.#fault === undefined) log.warn({ ...details, fault }, 'the charging system is not called')
  }

  /** From where the last claim ended once around. */
  async #claimHeads(progress: () => void): Promise<void> {
    let wrapped = this.#after === ''
    while (this.#limits.places > 0) {
      const { orders, reached } = await claimHeads(this.#app.db, this.#limits, this.#after)
      this.#after = reached
      await this.#startAll(orders)
      progress()
      if (reached !== '') continue
      if (wrapped) return
      wrapped = true
    }
  }

  async #startAll(orders: readonly ClaimedOrder[]): Promise<void> {
    if (orders.length === 0) return
    const rows = await this.#caller.read(orders)
    for (const order of orders) {
      const row = rows.get(order.id)
      if (row) this.#track(this.#caller.call(order, row), order)
    }
  }

  /** When a call has ended there is room for another, and the owner's next order may follow. */
  #track(work: Promise<void>, { id }: Pick<ClaimedOrder, 'id'>): void {
    this.#worker.track(work, error =>
      this.#app.log.warn(
        { err: error, transactionId: id },
        'what became of an order was not noted; asked about again when its lease ends',
      ),
    )
  }
}

/** Starts settling until stopped. A failure of the database or of the system ends a round, never the settler. */
export async function startOrderSettler(
  app: App,
  settlement: Settlement,
  connector: ChargingConnector,
): Promise<Worker> {
  const settler = new OrderSettler(app, settlement, connector)
  await settler.start()
  return { wake: () => settler.wake(), idle: () => settler.idle(), stop: () => settler.stop() }
}
