/** When settling happens: at once after a create, and every second for what another process left behind. */
import { createWorker, type Worker } from '../async/worker.ts'
import type { App } from '../context/app.ts'
import { SetAside } from './set-aside.ts'
import { type Settlement, settleAll } from './settle.ts'

const SWEEP_MS = 1_000

/** Starts settling a service's transactions until stopped. A failure of the database ends a round, never the settler. */
export function startSettler(app: App, settlement: Settlement): Worker {
  const aside = new SetAside()
  const settler = createWorker({
    run: () => settleAll(app, settlement, aside),
    sweepMs: SWEEP_MS,
    onError: error => app.log.warn({ err: error }, 'settling round failed; retrying within a second'),
  })
  settler.wake()
  return settler
}
