/** Bind that is kept: made anew whenever it ends, with its window and its pace. */
import { setTimeout as delay } from 'node:timers/promises'
import { createBackoff } from '#core/async/retry.ts'
import { NotSentError } from '#core/charging/charging.ts'
import type { SmppBind } from '#core/config/smpp.ts'
import type { Logger } from '#core/observability/log.ts'
import type { Pdu, PduFields } from '../third-party/smpp.ts'
import { inTime, type Link, openLink } from './link.ts'

interface Window {
  readonly size: number
  /** Requests that wait for their responses at the moment. */
  readonly outstanding: number
  readonly isFull: boolean
  /** Takes a slot. The caller calls the returned function when the response has come, or when none is expected any more. */
  take(): () => void
}

/** @param onFree called whenever a slot has become free. */
export function createWindow(size: number, onFree: () => void): Window {
  let outstanding = 0
  return {
    size,
    get outstanding() {
      return outstanding
    },
    get isFull() {
      return outstanding >= size
    },
    take() {
      if (outstanding >= size) throw new Error('the window is full')
      outstanding++
      let taken = true
      return () => {
        if (!taken) return
        taken = false
        outstanding--
        onFree()
      }
    },
  }
}

/** Interval after the first refusal, in milliseconds: ten messages a second. */
const FIRST_MS = 100

/** Longest interval, in milliseconds. */
const LONGEST_MS = 10_000

/** Factor by which each accepted message shortens the interval. */
const RECOVERY = 0.9

/** Shortest interval, in milliseconds; a shorter one counts as none. */
const SHORTEST_MS = 1

interface Pace {
  /** Time until the next message may be sent, in milliseconds. */
  waitMs(): number
  /** Records that a message is sent. */
  sent(): void
  /** Records that a message was accepted. */
  taken(): void
  /** Records that a message was refused as too fast. @param sentAt time of sending, by the same clock. */
  throttled(sentAt: number): void
  /** Interval between two messages, in milliseconds. */
  readonly intervalMs: number
}

/**
 * Makes a pace: as fast as the window allows until the message centre says that it is too fast, then at half the speed
 * after each such refusal, and a little faster with each accepted message.
 * @param perSecond most messages a second, even where the message centre would accept more; 0 for no such limit.
 * @param now monotonic clock, in milliseconds.
 */
export function createPace(perSecond: number, now: () => number = () => performance.now()): Pace {
  const least = perSecond > 0 ? 1_000 / perSecond : 0
  let intervalMs = least
  let nextAt = 0
  let slowedAt = Number.NEGATIVE_INFINITY
  return {
    waitMs: () => Math.max(0, nextAt - now()),
    sent() {
      nextAt = Math.max(nextAt, now()) + intervalMs
    },
    taken() {
      const faster = intervalMs * RECOVERY
      intervalMs = Math.max(least, faster < SHORTEST_MS ? 0 : faster)
    },
    throttled(sentAt) {
      // Requests that were in flight at the last slowdown are refused for the same reason.
      if (sentAt < slowedAt) return
      slowedAt = now()
      intervalMs = Math.min(LONGEST_MS, Math.max(FIRST_MS, intervalMs * 2))
      nextAt = slowedAt + intervalMs
    },
    get intervalMs() {
      return intervalMs
    },
  }
}

export interface Bind {
  /** Name in log lines and metrics: `host:port`, and a number where several binds share it. */
  readonly label: string
  readonly settings: SmppBind
  readonly window: Window
  readonly pace: Pace
  /** Reason why the bind is down; undefined while it is up. */
  readonly down: string | undefined
  /** Since when it is down; undefined while it is up. */
  readonly downSince: Date | undefined
  /** Sends a request. @throws NotSentError or LinkEndedError. */
  request(command: string, fields: PduFields): Promise<Pdu>
  /** Waits a while for outstanding responses, unbinds, and connects no more. */
  stop(): Promise<void>
}

interface BindDependencies {
  readonly log: Logger
  /** Takes a delivery of this bind; resolves with the status of the response, once the delivery is committed. */
  receive(pdu: Pdu, settings: SmppBind): Promise<number>
  /** Called whenever a slot may have become usable. */
  onReady(): void
}

const backoff = createBackoff({ firstMs: 250, longestMs: 15_000, jitter: 0.2 })

/** Links that end sooner count as failures to connect, in milliseconds. */
const LASTING_MS = 5_000

/** Longest wait of a stop for outstanding responses, in milliseconds. */
const DRAIN_MS = 2_000

/** Connects again and again until aborted; calls `use` with each link, and with undefined and a reason when it has ended. */
const keep = async (
  { settings, label }: { readonly settings: SmppBind; readonly label: string },
  { log, receive }: BindDependencies,
  signal: AbortSignal,
  use: (link: Link | undefined, reason: string) => void,
) => {
  let failures = 0
  while (!signal.aborted) {
    const began = performance.now()
    const reason = await openLink(settings, pdu => receive(pdu, settings), signal).then(
      link => {
        log.info({ bind: label }, 'SMPP bind is up')
        use(link, '')
        return link.ended
      },
      (error: Error) => error.message,
    )
    use(undefined, reason)
    if (signal.aborted) return
    failures = performance.now() - began > LASTING_MS ? 0 : failures + 1
    const retryMs = Math.round(backoff(Math.max(0, failures - 1)))
    log.warn({ bind: label, reason, retryMs }, 'SMPP bind is down')
    await delay(retryMs, undefined, { signal }).catch(() => undefined)
  }
}

const drained = (window: Window, freed: (listener: () => void) => void): Promise<void> =>
  new Promise(resolve => {
    const look = () => {
      if (window.outstanding === 0) resolve()
    }
    freed(look)
    look()
  })

/** Opens a bind and keeps it until it is stopped. */
export function keepBind(settings: SmppBind, label: string, parts: BindDependencies): Bind {
  const stopping = new AbortController()
  let link: Link | undefined
  let down: string | undefined = 'not bound yet'
  let downSince: Date | undefined = new Date()
  let onFreed: () => void = () => undefined
  const window = createWindow(settings.window, () => {
    onFreed()
    parts.onReady()
  })
  const kept = keep({ settings, label }, parts, stopping.signal, (next, reason) => {
    link = next
    down = next ? undefined : reason
    downSince = next ? undefined : (downSince ?? new Date())
    if (next) parts.onReady()
    if (next && stopping.signal.aborted) void next.close()
  })
  return {
    label,
    settings,
    window,
    pace: createPace(settings.rate),
    get down() {
      return down ?? link?.leaving
    },
    get downSince() {
      return downSince
    },
    request: async (command, fields) => {
      if (!link || link.leaving) throw new NotSentError(`the bind is down: ${down ?? link?.leaving}`)
      return link.request(command, fields)
    },
    async stop() {
      stopping.abort()
      const empty = drained(window, listener => {
        onFreed = listener
      })
      await inTime(DRAIN_MS, empty, 'not all responses came').catch(() => undefined)
      await link?.close()
      await kept
    },
  }
}
