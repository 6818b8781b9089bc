/** When the projection runs: moments after a commit, and every second in case a notification was lost. */

import { createWorker, type Worker } from '#core/async/worker.ts'
import type { App } from '#core/context/app.ts'
import { isOutage } from '#core/data/database-errors.ts'
import type { Kinds } from '../kinds.ts'
import { projectAll } from './project.ts'
import { openCheckpoints } from './rebuild.ts'

const SWEEP_MS = 1_000
/** For a batch, which may take as long as a request. */
const STANDSTILL_MS = 15_000
/** Commits that come close together are projected together: nobody sees so short a wait, and it saves most of the work. */
const BATCH_MS = 10

/** As long as the round before took: under load it takes more at once, and leaves the database to those who post. */
const restMs = (previousRoundMs: number): number => Math.min(Math.max(BATCH_MS, previousRoundMs), SWEEP_MS)

/**
 * Projects until stopped. What the database itself settles is awaited, which takes moments; an outside system may take
 * longer than anyone would. A failure of the database ends a round, never the projector.
 */
export async function startProjector(app: App, kinds: Kinds): Promise<Worker> {
  await openCheckpoints({ ...app, kinds })
  const settledSoon = kinds.filter(kind => app.charging.for(kind).embedded)
  let awaited = settledSoon
  const worker = createWorker({
    run: (isStopping, progress) => projectAll({ ...app, kinds, awaited, isStopping, progress }),
    rounds: app.watchdog.over('timeline', STANDSTILL_MS),
    isReportedElsewhere: isOutage,
    sweepMs: SWEEP_MS,
    restMs,
    onError: error => app.log.warn({ err: error }, 'timeline projection failed; retrying within a second'),
  })
  const unlisten = [app.posted, app.eventsWritten].map(committed => committed.listen(worker.wake))
  worker.wake()
  const stop = async () => {
    for (const one of unlisten) one()
    await worker.stop()
  }
  const idle = async () => {
    awaited = []
    await worker.idle()
    awaited = settledSoon
  }
  return { ...worker, idle, stop }
}
