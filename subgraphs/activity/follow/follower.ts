/** When following happens: moments after a commit in this process, and every second for what others committed. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../shared/app.ts'
import type { Worker } from '../../shared/subgraph.ts'
import { followAll } from './follow.ts'
import { openProgress } from './rebuild.ts'

const SWEEP_MS = 1_000
/** Commits that come close together are followed together: nobody sees so short a wait, and it saves most of the work. */
const GATHER_MS = 10

/** Follows until stopped. A failure of the database ends a round, never the follower. */
export async function startFollower(app: App): Promise<Worker> {
  let running: Promise<void> | undefined
  let again = false
  let stopped = false

  /** Rests as long as the last turn took: under load it takes more at once, and leaves the database to those who post. */
  const round = async () => {
    let rest = GATHER_MS
    while (again && !stopped) {
      await sleep(rest)
      again = false
      const began = performance.now()
      await followAll(app).catch(error => app.log.warn({ err: error }, 'the timeline is interrupted'))
      rest = Math.min(Math.max(GATHER_MS, performance.now() - began), SWEEP_MS)
    }
    running = undefined
  }
  const wake = () => {
    if (stopped) return
    again = true
    running ??= round()
  }
  await openProgress(app)
  const forget = [app.posted.listen(wake), app.eventsWritten.listen(wake)]
  const sweep = setInterval(wake, SWEEP_MS).unref()
  wake()
  return {
    async idle() {
      wake()
      await running
    },
    async stop() {
      stopped = true
      for (const one of forget) one()
      clearInterval(sweep)
      await running
    },
  }
}
