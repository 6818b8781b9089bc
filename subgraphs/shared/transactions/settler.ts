/** When settling happens: at once after a create, and every second for what another process left behind. */
import type { App } from '../context/app.ts'
import { SetAside } from './set-aside.ts'
import { type Settlement, settleAll } from './settle.ts'

const SWEEP_MS = 1_000

export interface Settler {
  /** Something was posted. */
  wake(): void
  /** Resolves when nothing is left to settle. */
  idle(): Promise<void>
  /** Finishes what is under way and stops. */
  stop(): Promise<void>
}

/** Starts settling a service's transactions until stopped. A failure of the database ends a round, never the settler. */
export function startSettler(app: App, settlement: Settlement): Settler {
  const aside = new SetAside()
  let running: Promise<void> | undefined
  let again = false
  let stopped = false

  const round = async () => {
    do {
      again = false
      await settleAll(app, settlement, aside).catch(error =>
        app.log.warn({ err: error }, 'settling round failed; retrying within a second'),
      )
    } while (again && !stopped)
    running = undefined
  }
  const wake = () => {
    if (stopped) return
    again = true
    running ??= round()
  }
  const sweep = setInterval(wake, SWEEP_MS).unref()
  wake()
  return {
    wake,
    async idle() {
      wake()
      await running
    },
    async stop() {
      stopped = true
      clearInterval(sweep)
      await running
    },
  }
}
