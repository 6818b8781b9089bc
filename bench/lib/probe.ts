/** Loaded into a server that is measured: says where it listens, and what memory and CPU time it has taken. */
import cluster from 'node:cluster'
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

const sayPort = (port: number) => process.send?.({ listening: port } satisfies Listening)

/** Serves the parent. A worker of the server has another one, which speaks for it. */
const observe = () => {
  subscribe('tracing:net.server.listen:asyncEnd', message => {
    const address = (message as { server: Server }).server.address()
    if (typeof address === 'object' && address) sayPort(address.port)
  })
  cluster.on('listening', (_, { port }) => sayPort(port))
  serveCalls({
    memory: async (): Promise<Memory> => {
      await collectGarbage()
      const { rss, heapUsed, external } = process.memoryUsage()
      return { rss, heap: heapUsed + external }
    },
    cpuSeconds,
    pids: () => [process.pid, ...Object.values(cluster.workers ?? {}).map(one => one!.process.pid!)],
  })
  // A server ends when it has nothing left to do, however long it is watched.
  process.channel?.unref()
}

if (cluster.isPrimary) observe()
