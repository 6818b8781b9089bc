/**
 * Loaded into a server that is measured (`node --expose-gc --import …/gauge.ts`): at SIGUSR2 it collects garbage, and adds a line
 * with what it holds to the file that `GAUGE_FILE` names.
 */
import { appendFileSync, readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Figures of a process, after its garbage was collected; sizes are in bytes. */
export interface Gauge {
  readonly at: number
  readonly heap: number
  /** Objects outside of the heap, buffers above all. */
  readonly external: number
  readonly resident: number
  /** Open files and sockets. */
  readonly descriptors: number
  /** Resources that keep the event loop going, by type. */
  readonly resources: Readonly<Record<string, number>>
}

/** Several times, since what one collection frees may be what kept something else. */
const COLLECTIONS = 4
const BETWEEN_MS = 50

const gauge = (): Gauge => {
  const { heapUsed, external, rss } = process.memoryUsage()
  const resources: Record<string, number> = {}
  for (const type of process.getActiveResourcesInfo()) resources[type] = (resources[type] ?? 0) + 1
  const descriptors = readdirSync('/proc/self/fd').length
  return { at: Date.now(), heap: heapUsed, external, resident: rss, descriptors, resources }
}

const file = process.env['GAUGE_FILE']
if (file)
  process.on('SIGUSR2', async () => {
    for (let time = 0; time < COLLECTIONS; time++) {
      globalThis.gc?.()
      await delay(BETWEEN_MS)
    }
    appendFileSync(file, `${JSON.stringify(gauge())}\n`)
  })
