/**
 * Settles one kind of transaction by a charging system outside of the database, one settler a process: woken by creates
 * and by reports of the system, and every second for orders that are due again or that another process left behind.
 */
import type { Worker } from '#core/async/worker.ts'
import { readBacklog } from '#core/charging/backlog.ts'
import type { ChargingConnector } from '#core/charging/charging.ts'
import { faultOf } from '#core/charging/charging.ts'
import type { App } from '#core/context/app.ts'
import { LeaseWorker, OwnerWalk } from '#core/queue/lease-queue.ts'
import type { Settlement } from '#core/transactions/kind.ts'
import { watchSettlingLag } from '#core/transactions/settle/lag.ts'
import { SETTLING_STANDSTILL_MS } from '#core/transactions/settle/settler.ts'
import { type DispatchOptions, OrderDispatcher } from './dispatcher.ts'
import { announce, type FinalizedBatch, finalizeExpired, finalizeReported } from './finalize.ts'
import { claimInterventions, executeIntervention } from './interventions.ts'
import {
  type ClaimedOrder,
  claimHeads,
  claimHeld,
  enqueueOrders,
  freeOrders,
  type OrderLimits,
  openProgress,
} from './queue.ts'
import { recordReport } from './record.ts'

/** Time for which ended calls are gathered before their slots are given to others, with one statement for all. */
const GATHER_MS = 5
const PARALLEL = 32
const DEADLINE_MS = 20_000
/** Time beyond the call itself, for its outcome to be recorded before another process may claim the order. */
const LEASE_EXTENSION_MS = 5_000

class OrderSettler {
  readonly #app: App
  readonly #settlement: Settlement
  readonly #connector: ChargingConnector
  readonly #options: DispatchOptions
  readonly #dispatcher: OrderDispatcher
  /** Its rounds claim orders; its tasks are the calls for them. */
  readonly #worker: LeaseWorker
  readonly #walk = new OwnerWalk()
  #fault: string | undefined
  #isConnected = false
  #unlisten: (() => void) | undefined

  constructor(app: App, settlement: Settlement, connector: ChargingConnector) {
    const { name: kind } = settlement.kind
    this.#app = app
    this.#settlement = settlement
    this.#connector = connector
    this.#worker = new LeaseWorker({
      ...{ log: app.log, watchdog: app.watchdog },
      name: `settling of ${kind}`,
      limitMs: SETTLING_STANDSTILL_MS,
      run: (_, progress) => this.#round(progress),
      gatherMs: GATHER_MS,
      failed: [{ kind }, 'settling round failed; retrying within a second'],
      unrecorded: 'the outcome of an order was not recorded; an inquiry follows when its lease ends',
    })
    const deadlineMs = connector.deadlineMs ?? DEADLINE_MS
    this.#options = { app, settlement, connector, deadlineMs, stop: this.#worker.signal }
    this.#dispatcher = new OrderDispatcher(this.#options)
  }

  /** Begins to listen for reports of the system, and to settle. */
  async start(): Promise<void> {
    const { db, database, metrics, charging, outbound } = this.#app
    const { kind } = this.#settlement
    await openProgress(db, kind)
    if (database.embedded) await freeOrders(db, kind.name)
    watchSettlingLag(this.#app, kind)
    metrics.chargingBacklog.watch(
      kind.name,
      () => readBacklog(db, kind.name),
      () => faultOf(this.#connector) === undefined,
    )
    if (!outbound.off()) await this.#connect()
    this.#unlisten = charging.reported.listen(() => this.wake())
    this.wake()
  }

  /** Begins to listen to the system, once: connections to it are outbound traffic too. */
  async #connect(): Promise<void> {
    if (this.#isConnected) return
    await this.#connector.start(async (id, progress) => {
      await recordReport(this.#app.db, id, progress)
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

  get #limits(): OrderLimits {
    const { parallel = PARALLEL, deadlineMs = DEADLINE_MS } = this.#connector
    const slots = parallel - this.#worker.size
    return { kind: this.#settlement.kind.name, slots, leaseMs: deadlineMs + LEASE_EXTENSION_MS }
  }

  async #round(progress: () => void): Promise<void> {
    await this.#finalize(finalizeReported, progress)
    const isOff = this.#app.outbound.off() !== undefined
    // Where nothing may be sent, orders keep waiting, and do not expire for that.
    if (this.#settlement.expiresAt && !isOff) await this.#finalize(finalizeExpired, progress)
    await enqueueOrders(this.#app, this.#settlement, progress)
    if (isOff) return
    await this.#connect()
    await this.#intervene()
    progress()
    if (!this.#isAvailable()) return
    await this.#claimHeads(progress)
    if (this.#limits.slots > 0) await this.#startAll(await claimHeld(this.#app.db, this.#limits))
  }

  async #finalize(
    step: (app: App, settlement: Settlement) => Promise<FinalizedBatch>,
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

  /**
   * Executes due interventions, also while the system must not be called: an order that was never sent needs nothing of
   * it.
   */
  async #intervene(): Promise<void> {
    if (this.#limits.slots <= 0) return
    for (const wanted of await claimInterventions(this.#app.db, this.#limits)) {
      const { transactionId } = wanted
      this.#worker.start(executeIntervention(this.#options, wanted), { transactionId })
    }
  }

  /** Whether the system may be called: settling pauses while it may not, and creates go on. */
  #isAvailable(): boolean {
    const fault = this.#connector.unavailable()
    if (fault !== this.#fault) this.#logFault(fault)
    this.#fault = fault
    return fault === undefined
  }

  #logFault(fault: string | undefined): void {
    const { log } = this.#app
    const details = { system: this.#connector.name, kind: this.#settlement.kind.name }
    if (fault === undefined) log.info(details, 'the charging system is called again')
    else if (this.#fault === undefined) log.warn({ ...details, fault }, 'the charging system is not called')
  }

  async #claimHeads(progress: () => void): Promise<void> {
    const hasSlots = () => this.#limits.slots > 0
    await this.#walk.round(hasSlots, async after => {
      const { orders, reached } = await claimHeads(this.#app.db, this.#limits, after)
      await this.#startAll(orders)
      progress()
      return reached
    })
  }

  /**
   * Starts the calls for claimed orders. When one has ended there is a slot for another, and the owner's next order may
   * follow.
   */
  async #startAll(orders: readonly ClaimedOrder[]): Promise<void> {
    if (orders.length === 0) return
    const rows = await this.#dispatcher.read(orders)
    for (const order of orders) {
      const row = rows.get(order.id)
      if (row) this.#worker.start(this.#dispatcher.dispatch(order, row), { transactionId: order.id })
    }
  }
}

/** Starts settling until stopped. A failure of the database or of the system ends a round, never the settler. */
export async function settleByConnector(
  app: App,
  settlement: Settlement,
  connector: ChargingConnector,
): Promise<Worker> {
  const settler = new OrderSettler(app, settlement, connector)
  await settler.start()
  return { wake: () => settler.wake(), idle: () => settler.idle(), stop: () => settler.stop() }
}
