/**
 * The primary of `WORKERS`: starts the workers, which share its listening socket (`node:cluster`), and starts another in the
 * place of one that ends or hangs. It serves nothing itself, so that nothing of a request can end it.
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createBackoff } from '../async/retry.ts'
import { WORKER_NUMBER } from '../config/config.ts'
import { SetupError } from '../errors/catalogue.ts'
import { type Family, mergeFamilies } from '../observability/exposition.ts'
import type { Logger } from '../observability/log.ts'
import { ALIVE_EVERY_MS, COLLECT_MS, type FromWorker, type ToWorker } from './messages.ts'

export interface PrimaryOptions {
  readonly workers: number
  readonly log: Logger
  /** Longest time from the request to stop until a worker's end, in milliseconds; then it is killed. */
  readonly stopMs: number
  /** Silence after which a worker counts as hanging, in milliseconds. */
  readonly silenceMs?: number
}

const SILENCE_MS = 60_000
/** Silence of a worker that does not serve yet: a start takes seconds, and that of an empty database some more. */
const START_MS = 180_000
/** Time of service after which the next worker that ends is replaced without a wait. */
const WELL_MS = 30_000
const waitMs = createBackoff({ firstMs: 200, longestMs: 10_000 })

interface Slot {
  readonly number: number
  worker: Worker
  address: string | undefined
  aliveAt: number
  startedAt: number
  restarts: number
}

/** A request for the metrics of all workers but one. */
interface Collection {
  readonly from: Slot
  readonly id: number
  waiting: number
  readonly families: Family[]
  readonly timer: NodeJS.Timeout
}

/** The workers of a process; one set a process, since `node:cluster` has but one. */
export class Workers {
  readonly #options: PrimaryOptions
  readonly #slots: Slot[] = []
  readonly #collections = new Map<number, Collection>()
  readonly #watch: NodeJS.Timeout
  #collected = 0
  #stopping = false
  #said: ToWorker | undefined

  constructor(options: PrimaryOptions) {
    this.#options = options
    // Workers take connections themselves. One that the primary passes on is lost, and hangs, where its worker is killed before
    // it has taken it.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ serialization: 'advanced' })
    this.#watch = setInterval(() => this.#endSilent(), ALIVE_EVERY_MS)
  }

  /**
   * Starts the workers, the first alone, since it sets up an empty database for all.
   * @returns the address where they listen.
   * @throws SetupError when one ends before it serves; its own output says why.
   */
  async start(): Promise<string> {
    const numbers = Array.from({ length: this.#options.workers }, (_, index) => index + 1)
    const address = await this.#startFirst(numbers[0]!)
    await Promise.all(numbers.slice(1).map(number => this.#startFirst(number)))
    return address
  }

  /** Has all write log lines from this level on, and those that are started later. */
  tell({ logLevel }: { logLevel: string }): void {
    this.#said = { kind: 'said', logLevel }
    for (const slot of this.#slots) this.#send(slot, this.#said)
  }

  /** Has all finish what is in flight; resolves with whether each ended by itself. */
  async stop(): Promise<boolean> {
    this.#stopping = true
    clearInterval(this.#watch)
    const codes = await Promise.all(this.#slots.map(({ worker }) => this.#end(worker)))
    return codes.every(code => code === 0)
  }

  async #startFirst(number: number): Promise<string> {
    const slot: Slot = { number, ...this.#fork(number), restarts: 0 }
    this.#slots.push(slot)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const fail = () => reject(new SetupError(`Worker ${number} did not start`))
    slot.worker.once('exit', fail)
    this.#listen(slot, address => {
      slot.worker.off('exit', fail)
      this.#keep(slot)
      resolve(address)
    })
    return promise
  }

  #fork(number: number) {
    const worker = cluster.fork({ [WORKER_NUMBER]: String(number) })
    worker.on('error', error =>
      this.#options.log.warn({ worker: number, err: error }, 'a worker is not reached'),
    )
    return { worker, address: undefined, aliveAt: performance.now(), startedAt: performance.now() }
  }

  #listen(slot: Slot, onReady: (address: string) => void): void {
    slot.worker.on('message', (message: FromWorker) => {
      slot.aliveAt = performance.now()
      if (message.kind === 'ready') {
        slot.address = message.address
        if (this.#said) this.#send(slot, this.#said)
        onReady(message.address)
      } else if (message.kind === 'collect') this.#collect(slot, message.id)
      else if (message.kind === 'reported') this.#add(message.id, message.families)
    })
  }

  /** Starts another in the place of one that ends by itself. */
  #keep(slot: Slot): void {
    slot.worker.once('exit', (code, signal) => {
      slot.address = undefined
      if (this.#stopping) return
      if (performance.now() - slot.startedAt > WELL_MS) slot.restarts = 0
      const wait = slot.restarts === 0 ? 0 : waitMs(slot.restarts - 1)
      slot.restarts++
      this.#options.log.error(
        { worker: slot.number, code, signal, waitMs: wait },
        'a worker ended by itself; another takes its place',
      )
      setTimeout(() => this.#replace(slot), wait)
    })
  }

  #replace(slot: Slot): void {
    if (this.#stopping) return
    Object.assign(slot, this.#fork(slot.number))
    this.#listen(slot, () => this.#options.log.info({ worker: slot.number }, 'the worker serves'))
    this.#keep(slot)
  }

  /** Ends workers that hang: one that stands still would get its share of connections for ever, or never begin to serve. */
  #endSilent(): void {
    const { silenceMs = SILENCE_MS, log } = this.#options
    for (const { number, worker, address, aliveAt } of this.#slots) {
      const limitMs = address === undefined ? START_MS : silenceMs
      const hasEnded = worker.process.exitCode !== null || worker.process.signalCode !== null
      if (hasEnded || performance.now() - aliveAt < limitMs) continue
      log.error({ worker: number, silenceMs: limitMs }, 'a worker hangs; it is killed')
      worker.process.kill('SIGKILL')
    }
  }

  #send({ worker }: Slot, message: ToWorker): void {
    if (worker.isConnected()) worker.send(message)
  }

  #collect(from: Slot, id: number): void {
    const others = this.#slots.filter(slot => slot !== from && slot.address !== undefined)
    const key = ++this.#collected
    const timer = setTimeout(() => this.#finish(key), COLLECT_MS)
    this.#collections.set(key, { from, id, waiting: others.length, families: [], timer })
    for (const slot of others) this.#send(slot, { kind: 'report', id: key })
    if (others.length === 0) this.#finish(key)
  }

  #add(key: number, families: readonly Family[]): void {
    const collection = this.#collections.get(key)
    if (!collection) return
    collection.families.push(...families)
    if (--collection.waiting === 0) this.#finish(key)
  }

  #finish(key: number): void {
    const collection = this.#collections.get(key)
    if (!collection) return
    this.#collections.delete(key)
    clearTimeout(collection.timer)
    const families = mergeFamilies(collection.families)
    this.#send(collection.from, { kind: 'collected', id: collection.id, families })
  }

  async #end(worker: Worker): Promise<number | null> {
    const { exitCode, signalCode } = worker.process
    if (exitCode !== null || signalCode !== null) return exitCode
    const ended = once(worker, 'exit')
    worker.process.kill('SIGTERM')
    const late = setTimeout(() => worker.process.kill('SIGKILL'), this.#options.stopMs)
    const [code] = await ended
    clearTimeout(late)
    return code
  }
}
