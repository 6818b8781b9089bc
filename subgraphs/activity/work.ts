/** The background work of the service: the projection of the timeline, and the making of statements. */
import type { Worker } from '#core/async/worker.ts'
import type { App } from '#core/context/app.ts'
import type { Kinds } from './kinds.ts'
import { startProjector } from './projection/project.ts'
import { startStatements } from './statements/worker.ts'

/** Starts both, as one worker. */
export async function startWork(app: App, kinds: Kinds): Promise<Worker> {
  const workers = [await startProjector(app, kinds), startStatements(app, kinds)]
  const each = async (run: (worker: Worker) => Promise<void>) => {
    for (const worker of workers) await run(worker)
  }
  return {
    wake: () => workers.forEach(worker => worker.wake()),
    idle: () => each(worker => worker.idle()),
    stop: () => each(worker => worker.stop()),
  }
}
