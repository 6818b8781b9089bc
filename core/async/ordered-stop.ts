/**
 * Ordered stop: what was opened first is closed last, and what does not end in time is logged by its name and passed
 * over.
 */
import { withTimeout } from './deadline.ts'

/** A part that is stopped in its place of the order. */
interface Stoppable {
  readonly name: string
  stop(): unknown
}

interface StopOptions {
  /** How long the stop may take as a whole, in milliseconds. */
  readonly withinMs: number
  /** Called at once for each part that failed to stop or did not end in time. */
  onFault(part: string, error: unknown): void
}

/** Thrown where parts failed to stop or did not end in time; each has been reported. */
export class StopError extends Error {
  readonly parts: readonly string[]

  constructor(parts: readonly string[]) {
    super(`not stopped: ${parts.join(', ')}`)
    this.parts = parts
  }
}

/**
 * Collects what is to be stopped while it is opened. Declared with `await using`, a failure on the way gives back what
 * was opened until then; `move` keeps it open.
 */
export interface OrderedStop extends AsyncDisposable {
  /** Adds parts, which are stopped before all that were added earlier; several at once stop side by side. */
  add(...parts: readonly Stoppable[]): void
  /** Adds a part with an ordered stop of its own, which keeps its own time. */
  addOrdered(part: { stop(): Promise<void> }): void
  /** Makes a place in the order to which parts may be added later. */
  level(): OrderedStop
  /** Hands all parts over to the ordered stop that is returned; this one stops nothing any more. */
  move(): OrderedStop
  /** @throws StopError when parts failed to stop or did not end in time; all others have stopped nevertheless. */
  stop(): Promise<void>
}

/** Least time of a part, in milliseconds, even where others have left it none. */
const LEAST_MS = 1_000

/** Makes the state of one stop, however many levels it has: the time of its end, and the failed parts. */
const createRun = ({ withinMs, onFault }: StopOptions) => {
  const failed: string[] = []
  let end: number | undefined
  const finish = async (part: Stoppable) => {
    end ??= performance.now() + withinMs
    try {
      const ms = Math.max(LEAST_MS, end - performance.now())
      await withTimeout<unknown>(part.stop(), ms, () => {
        throw new Error(`did not end within ${Math.round(ms)} ms`)
      })
    } catch (error) {
      failed.push(part.name)
      onFault(part.name, error)
    }
  }
  const finishOrdered = async (part: { stop(): Promise<void> }) => {
    await part.stop().catch(error => {
      if (!(error instanceof StopError)) throw error
      failed.push(...error.parts)
    })
  }
  return { failed, finish, finishOrdered }
}

const over = (run: ReturnType<typeof createRun>, stack = new AsyncDisposableStack()): OrderedStop => ({
  add(...parts) {
    stack.defer(async () => void (await Promise.all(parts.map(run.finish))))
  },
  addOrdered(part) {
    stack.defer(() => run.finishOrdered(part))
  },
  level: () => over(run, stack.use(new AsyncDisposableStack())),
  move: () => over(run, stack.move()),
  async stop() {
    await stack.disposeAsync()
    if (run.failed.length > 0) throw new StopError(run.failed)
  },
  [Symbol.asyncDispose]: () => stack.disposeAsync(),
})

/** Makes an ordered stop without parts. */
export const createOrderedStop = (options: StopOptions): OrderedStop => over(createRun(options))
