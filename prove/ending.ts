/** Servers at the end of a run: brought back, stopped in order, and asked whether they ended by themselves. */
import type { Recorder } from './history/recorder.ts'
import { heal } from './stage/heal.ts'
import type { Stage } from './stage/stage.ts'

/** Longest that a server may take to serve again once no fault is made any more. */
const RECOVERY_MS = 30_000

/** Records which servers ended by themselves, and which did not start because they found no database. */
export const recordEnds = ({ servers }: Stage, recorder: Recorder): void => {
  for (const { at, text } of servers.flatMap(({ refusedStarts }) => refusedStarts))
    recorder.write({ t: 'notice', at, what: 'refused-start', text })
  for (const text of servers.flatMap(({ unexpected }) => unexpected))
    recorder.write({ t: 'notice', at: Date.now(), what: 'ended-by-itself', text })
}

/** Stops the servers one after the other, and records each that did not end in order. */
export const stopAll = async ({ servers }: Stage, recorder: Recorder): Promise<void> => {
  for (const server of servers) {
    const code = await server.stop()
    if (code === 0) continue
    const text = `${server.name}: exit code ${code}\n${server.tail()}`
    recorder.write({ t: 'notice', at: Date.now(), what: 'stopped', text })
  }
}

/** Ends every fault and waits until all servers serve again. Records those that do not. */
export const recover = async (stage: Stage, recorder: Recorder): Promise<void> => {
  try {
    await heal(stage)
    await Promise.all(stage.servers.map(server => server.ready(RECOVERY_MS)))
  } catch (error) {
    recorder.write({ t: 'notice', at: Date.now(), what: 'not-recovered', text: String(error) })
  }
}
