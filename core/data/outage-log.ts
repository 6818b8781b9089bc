/**
 * Outages of the database in the log: one line when it is away or takes nothing, one when it is back. Every worker and every
 * request fails meanwhile, each with a line of its own, and a thousand lines of one cause hide all others.
 *
 * A failure alone does not say whether the database is away: one connection may be lost while others are served. So its line
 * is held for as long as a probe takes, some two seconds at most. Where the database is well, the line is written as it is.
 */
import { type FailureLines, type Logger, withFailureLines } from '../observability/log.ts'
import { type OutageFailure, outageFailureOf } from './database-errors.ts'
import type { DatabaseFault, DatabaseProbe } from './probe.ts'

const AGAIN_MS = 1_000
/** Between two probes, each of which writes: many failures need no more. */
const APART_MS = 250
/** Work that began before the database was back may fail after that: it connects twice, each time up to the limit. */
const AFTER_MS = 4_000
/** Lines beyond are written as they are. */
const MOST_HELD = 1_000

/** The SQLSTATE of each fault that the operator can do something about at the database. */
const ADVICE: Readonly<Record<string, string>> = {
  '25006':
    'reads are served, what writes is answered 503 and background work waits; see whether DATABASE_URL leads to a replica, or default_transaction_read_only is on',
  '53100':
    'reads are served, what writes is answered 503 and background work waits; free space on the disk of the database',
}
const AWAY =
  'requests that need it are answered 503 and background work waits; see whether it runs, and is reached from here at the host and port of DATABASE_URL'

interface HeldLine {
  readonly failure: OutageFailure
  readonly error: unknown
  /** Milliseconds since 1970. */
  readonly at: number
  write(isReported: boolean): void
}

interface Outage {
  readonly fault: DatabaseFault
  /** Milliseconds since 1970. */
  readonly since: number
}

const isAway = ({ state }: DatabaseFault): boolean => state === undefined || /^(08|57)/.test(state)

/** Whether the failure is one of those that the fault brings. */
const brings = (fault: DatabaseFault, { state, isUnanswered }: OutageFailure): boolean =>
  isAway(fault) ? isUnanswered : state === fault.state

const isSame = (one: DatabaseFault, other: DatabaseFault): boolean =>
  isAway(one) ? isAway(other) : one.state === other.state

const secondsSince = (at: number): number => Math.round((Date.now() - at) / 100) / 10

class OutageWatch {
  readonly #probe: DatabaseProbe
  readonly #log: Logger
  #held: HeldLine[] = []
  #probing: Promise<void> | undefined
  #outage: Outage | undefined
  #last: (Outage & { readonly endedAt: number }) | undefined
  #timer: NodeJS.Timeout | undefined
  #probedAt = Number.NEGATIVE_INFINITY
  #stopped = false

  constructor(probe: DatabaseProbe, log: Logger) {
    this.#probe = probe
    this.#log = log
  }

  readonly take: FailureLines = (error, write) => {
    const failure = outageFailureOf(error)
    if (!failure || !this.#reports) return write(false)
    if (this.#outage && brings(this.#outage.fault, failure)) return write(true)
    if (this.#held.length >= MOST_HELD) return write(false)
    this.#held.push({ failure, error, at: Date.now(), write })
    this.#probeSoon()
  }

  get since(): Date | undefined {
    return this.#outage && new Date(this.#outage.since)
  }

  /** Writes the held lines as they are, and from here on all that come. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#settle(this.#held.splice(0))
  }

  /** Where the line that an outage begins with is not written, no other is kept back for it. */
  get #reports(): boolean {
    return !this.#stopped && this.#log.isLevelEnabled('warn')
  }

  /** Lines that come while a probe runs may be of a failure after it: they wait for the next probe. */
  #probeSoon(): void {
    if (this.#probing || this.#stopped) return
    clearTimeout(this.#timer)
    const waitMs = this.#probedAt + APART_MS - performance.now()
    if (waitMs > 0) this.#probeIn(waitMs)
    else this.#probeNow()
  }

  #probeNow(): void {
    this.#probedAt = performance.now()
    this.#probing = this.#find(this.#held.splice(0)).finally(() => {
      this.#probing = undefined
      if (this.#held.length > 0) this.#probeSoon()
      else if (this.#outage) this.#probeIn(AGAIN_MS)
    })
  }

  #probeIn(ms: number): void {
    this.#timer = setTimeout(() => this.#probeSoon(), ms).unref()
  }

  async #find(lines: readonly HeldLine[]): Promise<void> {
    const found = await this.#probe()
    if (!this.#stopped) this.#record(found && this.#isOutage(found, lines) ? found : undefined, lines[0])
    this.#settle(lines)
  }

  /** A write that the probe alone cannot do, for want of a right, is reported by readiness. */
  #isOutage(found: DatabaseFault, lines: readonly HeldLine[]): boolean {
    const isKnown = this.#outage !== undefined && isSame(this.#outage.fault, found)
    return isKnown || isAway(found) || lines.some(({ failure }) => brings(found, failure))
  }

  #record(fault: DatabaseFault | undefined, first: HeldLine | undefined): void {
    const before = this.#outage
    if (before && fault && isSame(before.fault, fault)) return
    if (before) this.#last = { ...before, endedAt: performance.now() }
    this.#outage = fault && { fault, since: first?.at ?? Date.now() }
    if (fault) this.#reportBegin(fault, this.#outage!.since, first?.error)
    else if (before)
      this.#log.info(
        { seconds: secondsSince(before.since), was: before.fault.reason },
        'the database is back: requests are served, and background work goes on',
      )
  }

  #reportBegin(fault: DatabaseFault, since: number, error: unknown): void {
    const advice = isAway(fault) ? AWAY : ADVICE[fault.state!]
    this.#log.warn(
      { since: new Date(since), ...(error !== undefined && { err: error }) },
      `${fault.reason}: ${advice ?? 'what writes is answered 503 and background work waits'}; a line tells when it is back`,
    )
  }

  #settle(lines: readonly HeldLine[]): void {
    for (const { failure, write } of lines) write(this.#isReported(failure))
  }

  #isReported(failure: OutageFailure): boolean {
    const last = this.#last && performance.now() - this.#last.endedAt < AFTER_MS ? this.#last : undefined
    return [this.#outage, last].some(outage => outage && brings(outage.fault, failure))
  }
}

/** The log of a process, which tells of the outages of its database. */
interface OutageLog {
  /** The log for everything else in the process. */
  readonly log: Logger
  /** The first failure of the outage that lasts; undefined while there is none. */
  since(): Date | undefined
  /** Called once the database is closed. */
  stop(): void
}

/**
 * Watches over one process's database from the first failure on that is written to the returned log.
 * @param log where the two lines go, and all others.
 */
export function logOutages(probe: DatabaseProbe, log: Logger): OutageLog {
  const watch = new OutageWatch(probe, log)
  return { log: withFailureLines(log, watch.take), since: () => watch.since, stop: () => watch.stop() }
}
