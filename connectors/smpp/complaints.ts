/**
 * Faults of a message centre that leave messages without their end: responses without an id, and receipts that fit no
 * message. The operator is told of them while there is time.
 */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { PrismaClient } from '#core/data/db.ts'
import type { Logger } from '#core/observability/log.ts'

export interface ComplaintParts {
  readonly db: PrismaClient
  readonly log: Logger
  readonly registry: Registry
  /** After which a receipt that fits no message is old, in milliseconds: responses have come long before. */
  readonly oldMs?: number
}

/** How often receipts are looked through. */
const LOOK_MS = 15_000

const OLD_MS = 60_000

/** A fault that lasts is a line once an hour; its figures say the rest. */
const PERIOD_MS = 3_600_000

interface Unmatched {
  readonly smsc: string
  readonly receipts: number
  readonly ageSeconds: number
}

const readUnmatched = (db: PrismaClient, oldMs: number) => db.$queryRaw<Unmatched[]>`
  SELECT smsc, count(*)::int AS receipts,
    extract(epoch FROM statement_timestamp() - min(received_at))::float8 AS "ageSeconds"
  FROM messaging.receipt WHERE received_at <= statement_timestamp() - ${oldMs}::int * interval '1 ms' GROUP BY smsc`

const createFigures = (registry: Registry) => {
  const registers = [registry]
  return {
    withoutId: new Counter({
      name: 'smpp_submits_without_id_total',
      help: 'Parts that a message centre took without giving them an id, by bind',
      labelNames: ['bind'],
      registers,
    }),
    unmatched: new Gauge({
      name: 'smpp_receipts_unmatched',
      help: 'Delivery receipts that fit no message after a minute, by message centre',
      labelNames: ['smsc'],
      registers,
    }),
    oldest: new Gauge({
      name: 'smpp_oldest_unmatched_receipt_seconds',
      help: 'How long the oldest delivery receipt has fitted no message, by message centre',
      labelNames: ['smsc'],
      registers,
    }),
  }
}

export class Complaints {
  readonly #parts: ComplaintParts
  readonly #figures
  /** When each was told last, by a clock that never goes back. */
  readonly #toldAt = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined

  constructor(parts: ComplaintParts) {
    this.#parts = parts
    this.#figures = createFigures(parts.registry)
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#looking ??= this.look().finally(() => {
        this.#looking = undefined
      })
    }, LOOK_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  /** A message centre has taken a part that asks for a receipt, and gave it no id. */
  withoutId(bind: string): void {
    this.#figures.withoutId.inc({ bind })
    this.#tell(`without id ${bind}`, { bind }, NO_ID)
  }

  /** Looks for receipts that have grown old. */
  async look(): Promise<void> {
    const { db, log, oldMs = OLD_MS } = this.#parts
    try {
      const found = await readUnmatched(db, oldMs)
      this.#figures.unmatched.reset()
      this.#figures.oldest.reset()
      for (const { smsc, receipts, ageSeconds } of found) {
        this.#figures.unmatched.set({ smsc }, receipts)
        this.#figures.oldest.set({ smsc }, ageSeconds)
        this.#tell(`unmatched ${smsc}`, { smsc, receipts, ageSeconds: Math.round(ageSeconds) }, UNMATCHED)
      }
    } catch (error) {
      log.debug({ err: error }, 'delivery receipts could not be looked through')
    }
  }

  #tell(what: string, details: object, message: string): void {
    const now = performance.now()
    if (now - (this.#toldAt.get(what) ?? Number.NEGATIVE_INFINITY) < PERIOD_MS) return
    this.#toldAt.set(what, now)
    this.#parts.log.warn(details, message)
  }
}

const NO_ID =
  'the message centre takes messages without giving them an id: only a receipt with our user_message_reference can tell what became of them, and query_sm cannot; have its operator return message_id in submit_sm_resp'

const UNMATCHED =
  'delivery receipts fit no message: compare the ids in submit_sm_resp and in receipts, and set ids=decimal-hex, hex-decimal or text in SMPP_URL, or the same centre= for addresses of one message centre; where another system uses the same account they may be its receipts'
