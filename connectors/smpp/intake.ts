/**
 * Reading from a message centre at a pace that leaves others their turn: in short slices, no further ahead than what may
 * be under way at once, and not while the other side leaves our responses unread.
 */
import type { Session } from './session.ts'

/** How long one connection reads at a stretch, in milliseconds. */
const SLICE_MS = 4

/** How long reading waits for what is under way; where nothing of it is done by then, more is put off. */
const PATIENCE_MS = 1_000

type Reason = 'slice' | 'full' | 'unread'

export interface Intake {
  /** False where the work is to be put off: nothing of what is under way gets done. */
  take(): boolean
  /** Something that was taken is done. */
  done(): void
  /** How much is under way. */
  readonly size: number
  /** Reads no more, and forgets its clocks. */
  end(): void
}

/** @param most how much may be under way at once. */
export function createIntake(session: Session, most: number): Intake {
  const reasons = new Set<Reason>()
  let size = 0
  let isStuck = false
  let impatient: NodeJS.Timeout | undefined
  let slice: NodeJS.Immediate | undefined
  let sliceEnd = 0

  const hold = (reason: Reason) => {
    reasons.add(reason)
    session.pause()
  }
  const release = (reason: Reason) => {
    if (reasons.delete(reason) && reasons.size === 0) session.resume()
  }
  const nextSlice = () => {
    slice = undefined
    release('slice')
  }
  session.on('pdu', () => {
    if (slice === undefined) {
      slice = setImmediate(nextSlice)
      sliceEnd = performance.now() + SLICE_MS
    } else if (performance.now() >= sliceEnd) hold('slice')
    if (session.socket.writableNeedDrain) hold('unread')
  })
  session.socket.on('drain', () => release('unread'))
  return {
    take() {
      if (size >= most) return false
      size++
      if (size < most || isStuck) return true
      hold('full')
      impatient = setTimeout(() => {
        isStuck = true
        release('full')
      }, PATIENCE_MS)
      return true
    },
    done() {
      size--
      isStuck = false
      clearTimeout(impatient)
      release('full')
    },
    get size() {
      return size
    },
    end() {
      clearTimeout(impatient)
      if (slice) clearImmediate(slice)
    },
  }
}
