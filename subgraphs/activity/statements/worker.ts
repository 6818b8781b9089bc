/** The worker that makes statements: in one process at a time, and within a minute of the end of a day. */
import { createWorker, type Worker } from '#core/async/worker.ts'
import type { App } from '#core/context/app.ts'
import { isOutage } from '#core/data/database-errors.ts'
import type { Kinds } from '../kinds.ts'
import { makeStatements } from './make.ts'

const SWEEP_MS = 30_000
/** Longest time between two steps, each of some thousand rows, in milliseconds. */
const STANDSTILL_MS = 120_000

/** Starts it; it makes up for days that were missed at once. */
export const startStatements = (app: App, kinds: Kinds): Worker => {
  const worker = createWorker({
    run: (isStopping, progress) => makeStatements(app, kinds, isStopping, progress),
    rounds: app.watchdog.over('statements', STANDSTILL_MS),
    isReportedByReadiness: isOutage,
    sweepMs: SWEEP_MS,
    onError: error =>
      app.log.warn({ err: error }, 'daily statements could not be made; tried again within a minute'),
  })
  worker.wake()
  return worker
}
