/** Loaded into a server that is measured: says where it listens, and what memory and CPU time it has taken. */
import { subscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { cpuSeconds } from './cpu-seconds.ts'
import { serveCalls } from './worker.ts'

/** In bytes. */
export interface Memory {
  readonly rss: number
  /** Objects, and what they keep outside of the heap. */
  readonly heap: number
}

/** Sent to the parent for each port that the server listens at. */
export interface Listening {
  readonly listening: number
}

/** Several times, since what one collection frees may be what kept something else. */
const collectGarbage = async () => {
  for (let time = 0; time < 4; time += 1) {
    globalThis.gc?.()
    await delay(50)
  }
}

subscribe('tracing:net.server.listen:asyncEnd', message => {
  const address = (message as { server: Server }).server.address()
  if (typeof address === 'object' && address) process.send?.({ listening: address.port } satisfies Listening)
})

serveCalls({
  memory: async (): Promise<Memory> => {
    await collectGarbage()
    const { rss, heapUsed, external } = process.memoryUsage()
    return { rss, heap: heapUsed + external }
  },
  cpuSeconds,
})
// A server ends when it has nothing left to do, however long it is watched.
process.channel?.unref()
