/** A bind that is kept: made anew whenever it ends, with its window and its pace. */
import { setTimeout as delay } from 'node:timers/promises'
import { createBackoff } from '#core/async/retry.ts'
import { NotSentError } from '#core/charging/charging.ts'
import type { SmppBind } from '#core/config/smpp.ts'
import type { Logger } from '#core/observability/log.ts'
import type { Pdu, PduFields } from '../third-party/smpp.ts'
import { inTime, type Link, openLink } from './link.ts'
import { createPace, type Pace } from './throttling.ts'
import { createWindow, type Window } from './window.ts'

export interface Bind {
  /** For log lines and metrics: `host:port`, and a number where there are several. */
  readonly label: string
  readonly settings: SmppBind
  readonly window: Window
  readonly pace: Pace
  /** Why it is down; undefined while it is up. */
  readonly down: string | undefined
  /** @throws as a link does. */
  request(command: string, fields: PduFields): Promise<Pdu>
  /** Waits a while for the responses that are due, unbinds, and is not made again. */
  stop(): Promise<void>
}

export interface BindParts {
  readonly log: Logger
  /** Takes what is delivered over this bind; resolves with the status to respond with, once that is noted for good. */
  receive(pdu: Pdu, settings: SmppBind): Promise<number>
  /** Called whenever something may be sent that could not be before. */
  onReady(): void
}

const backoff = createBackoff({ firstMs: 250, longestMs: 15_000, jitter: 0.2 })

/** A link that lasted shorter counts as one that could not be made. */
const LASTING_MS = 5_000

/** How long a stop waits for responses that are due. */
const DRAIN_MS = 2_000

/** Makes the link again and again until aborted; `use` resolves with the reason when one has ended. */
const keep = async (
  { settings, label }: { readonly settings: SmppBind; readonly label: string },
  { log, receive }: BindParts,
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

/** Keeps a bind from now on. */
export function keepBind(settings: SmppBind, label: string, parts: BindParts): Bind {
  const stopping = new AbortController()
  let link: Link | undefined
  let down: string | undefined = 'not bound yet'
  let onFreed: () => void = () => undefined
  const window = createWindow(settings.window, () => {
    onFreed()
    parts.onReady()
  })
  const kept = keep({ settings, label }, parts, stopping.signal, (next, reason) => {
    link = next
    down = next ? undefined : reason
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
