/** Servers at the end of a run: brought back, stopped in order, and asked whether they ended by themselves. */
import type { Recorder } from './history/recorder.ts'
import { heal } from './stage/heal.ts'
import type { Stage } from './stage/stage.ts'

/** Longest that a server may take to serve again once no fault is made any more. */
const RECOVERY_MS = 30_000

/** Notes which server has ended by itself, and which did not start for want of its database. */
export const noteEnds = ({ servers }: Stage, recorder: Recorder): void => {
  for (const { at, text } of servers.flatMap(({ refusedStarts }) => refusedStarts))
    recorder.write({ t: 'notice', at, what: 'refused-start', text })
  for (const text of servers.flatMap(({ unexpected }) => unexpected))
    recorder.write({ t: 'notice', at: Date.now(), what: 'ended-by-itself', text })
}

/** Stops every server in order, and notes which one did not. */
export const stopAll = async ({ servers }: Stage, recorder: Recorder): Promise<void> => {
  for (const server of servers) {
    const code = await server.stop()
    if (code === 0) continue
    const text = `${server.name}: exit code ${code}\n${server.tail()}`
    recorder.write({ t: 'notice', at: Date.now(), what: 'stopped', text })
  }
}

/** Brings everything back, and notes what does not come. */
export const recover = async (stage: Stage, recorder: Recorder): Promise<void> => {
  try {
    await heal(stage)
    await Promise.all(stage.servers.map(server => server.ready(RECOVERY_MS)))
  } catch (error) {
    recorder.write({ t: 'notice', at: Date.now(), what: 'not-recovered', text: String(error) })
  }
}
