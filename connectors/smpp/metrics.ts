/**
 * Metrics of SMPP, and warnings about message centres whose faults leave messages without a result: responses without an
 * id, and receipts that match no message.
 */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '#core/data/db.ts'
import type { Logger } from '#core/observability/log.ts'
import type { Bind } from './bind.ts'

export interface SmppMetrics {
  /** Parts by the outcome of sending: `taken`, `slow`, `later`, `refused` or `unknown`. */
  readonly submits: Counter<'bind' | 'outcome'>
  /** Receipts by their state, or `early` where the part is not known yet. */
  readonly receipts: Counter<'state'>
}

const createBindGauges = (registry: Registry, binds: () => readonly Bind[]) => {
  const gauge = (name: string, help: string, figureOf: (bind: Bind) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['bind'],
      registers: [registry],
      collect() {
        for (const bind of binds()) this.set({ bind: bind.label }, figureOf(bind))
      },
    })
  gauge('smpp_bind_up', '1 while the bind to the message centre is up', ({ down }) =>
    Number(down === undefined),
  )
  gauge('smpp_window', 'Requests of a bind that wait for their responses', ({ window }) => window.outstanding)
  gauge(
    'smpp_interval_seconds',
    'Between two messages of a bind, as the message centre throttles it',
    ({ pace }) => pace.intervalMs / 1_000,
  )
}

/** Adds the metrics of SMPP to those of the process. */
export function createSmppMetrics(registry: Registry, binds: () => readonly Bind[]): SmppMetrics {
  createBindGauges(registry, binds)
  const registers = [registry]
  return {
    submits: new Counter({
      name: 'smpp_submits_total',
      help: 'Parts put to the message centre, by outcome: taken, slow (throttled), later, refused or unknown',
      labelNames: ['bind', 'outcome'],
      registers,
    }),
    receipts: new Counter({
      name: 'smpp_receipts_total',
      help: 'What the message centre delivered: receipts by what they say; early, whose part is not known yet; message; unreadable',
      labelNames: ['state'],
      registers,
    }),
  }
}

interface CentreWarningsOptions {
  readonly db: Db
  readonly log: Logger
  readonly registry: Registry
  /** Age in milliseconds from which a receipt that fits no message is reported. The responses to parts come much sooner. */
  readonly oldMs?: number
}

/** Interval between two searches for old receipts, in milliseconds. */
const LOOK_MS = 15_000

/** Age of such receipts unless another is given, in milliseconds. */
const OLD_MS = 60_000

/** Interval between two warnings of one fault, in milliseconds. */
const PERIOD_MS = 3_600_000

interface Unmatched {
  readonly smsc: string
  readonly receipts: number
  readonly ageSeconds: number
}

const readUnmatched = (db: Db, oldMs: number) => db.$queryRaw<Unmatched[]>`
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

/** Warnings about message centres. Each fault is logged once an hour and counted in metrics each time. */
export class CentreWarnings {
  readonly #options: CentreWarningsOptions
  readonly #figures
  /** Time of the last warning of each fault, by a monotonic clock. */
  readonly #warnedAt = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined

  constructor(options: CentreWarningsOptions) {
    this.#options = options
    this.#figures = createFigures(options.registry)
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

  /** Warns that a message centre accepted a part that asks for a receipt without giving it an id. */
  withoutId(bind: string): void {
    this.#figures.withoutId.inc({ bind })
    this.#report(`without id ${bind}`, { bind }, NO_ID)
  }

  /** Looks for old receipts that fit no message. */
  async look(): Promise<void> {
    const { db, log, oldMs = OLD_MS } = this.#options
    try {
      const found = await readUnmatched(db, oldMs)
      this.#figures.unmatched.reset()
      this.#figures.oldest.reset()
      for (const { smsc, receipts, ageSeconds } of found) {
        this.#figures.unmatched.set({ smsc }, receipts)
        this.#figures.oldest.set({ smsc }, ageSeconds)
        this.#report(`unmatched ${smsc}`, { smsc, receipts, ageSeconds: Math.round(ageSeconds) }, UNMATCHED)
      }
    } catch (error) {
      log.debug({ err: error }, 'delivery receipts could not be looked through')
    }
  }

  #report(fault: string, details: object, message: string): void {
    const now = performance.now()
    if (now - (this.#warnedAt.get(fault) ?? Number.NEGATIVE_INFINITY) < PERIOD_MS) return
    this.#warnedAt.set(fault, now)
    this.#options.log.warn(details, message)
  }
}

const NO_ID =
  'the message centre takes messages without giving them an id: only a receipt with our user_message_reference can tell what became of them, and query_sm cannot; have its operator return message_id in submit_sm_resp'

const UNMATCHED =
  'delivery receipts fit no message: compare the ids in submit_sm_resp and in receipts, and set ids=decimal-hex, hex-decimal or text in SMPP_URL, or the same centre= for addresses of one message centre; where another system uses the same account they may be its receipts'
