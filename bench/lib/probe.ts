/** Loaded into a server that is measured: says what memory and CPU time it has taken. */
import { setTimeout as delay } from 'node:timers/promises'
import { serveCalls } from './worker.ts'

/** In bytes. */
export interface Memory {
  readonly rss: number
  /** Objects, and what they keep outside of the heap. */
  readonly heap: number
}

/** Several times, since what one collection frees may be what kept something else. */
const collectGarbage = async () => {
  for (let time = 0; time < 4; time += 1) {
    globalThis.gc?.()
    await delay(50)
  }
}

serveCalls({
  memory: async (): Promise<Memory> => {
    await collectGarbage()
    const { rss, heapUsed, external } = process.memoryUsage()
    return { rss, heap: heapUsed + external }
  },
  cpuSeconds: (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000_000
  },
})
// A server ends when it has nothing left to do, however long it is watched.
process.channel?.unref()
