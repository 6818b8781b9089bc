/** How many connections stay open at once, WebSocket and event streams together (`MAX_STREAMS`). */

export interface Streams {
  full(): boolean
  /** Counts one more; the result takes it back. */
  enter(): () => void
}

/** Counts up to `max`. */
export function createStreams(max: number): Streams {
  let open = 0
  return {
    full: () => open >= max,
    enter() {
      open += 1
      let counted = true
      return () => {
        if (counted) open -= 1
        counted = false
      }
    },
  }
}
