/** The last events of a stream, for those who come back after a moment: bounded in number and in bytes. */
import { sizeOfResult } from '#core/values/json.ts'
import type { UpstreamEvent } from './reconnecting-stream.ts'

/** How many events are kept. */
export const KEPT = 1_000
/** What they may come to, in bytes: events of a portal have some hundred. */
export const KEPT_BYTES = 4 * 1024 * 1024

interface Kept {
  readonly event: UpstreamEvent
  readonly bytes: number
}

export class RecentEvents {
  #kept: Kept[] = []
  #bytes = 0
  #after: bigint

  /** @param after every event after this position will be added. */
  constructor(after: bigint) {
    this.#after = after
  }

  get bytes(): number {
    return this.#bytes
  }

  add(event: UpstreamEvent): void {
    const bytes = sizeOfResult(event.response)
    this.#kept.push({ event, bytes })
    this.#bytes += bytes
    while (this.#kept.length > KEPT || this.#bytes > KEPT_BYTES) this.#drop()
  }

  /** Every event after a position; undefined where some are no longer kept. */
  since(position: bigint): UpstreamEvent[] | undefined {
    if (position < this.#after) return undefined
    return this.#kept.filter(({ event }) => event.position > position).map(({ event }) => event)
  }

  #drop(): void {
    const { event, bytes } = this.#kept.shift()!
    this.#bytes -= bytes
    this.#after = event.position
  }
}
