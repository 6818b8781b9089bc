/** Loaded into a server's process before its program: says how long its event loop was held up, and what memory it holds. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

export interface Probed {
  /** The longest delay since the last look, in milliseconds. */
  readonly delayMs: number
  /** The processor time that the process took since then, in milliseconds; no delay of its own making can be longer. */
  readonly cpuMs: number
  readonly heapMiB: number
  readonly rssMiB: number
}

const RESOLUTION_MS = 5
const MIB = 1024 * 1024

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
let cpu = process.cpuUsage()

const look = (): Probed => {
  const { user, system } = process.cpuUsage(cpu)
  const { heapUsed, rss } = process.memoryUsage()
  const delayMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS)
  delay.reset()
  cpu = process.cpuUsage()
  return { delayMs, cpuMs: (user + system) / 1_000, heapMiB: heapUsed / MIB, rssMiB: rss / MIB }
}

/** A process whose loop is held up does not notice that nobody waits for it any more; a thread of its own does. */
const WATCH = `const parent = process.ppid
setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGKILL'), 500)`
new Worker(WATCH, { eval: true, execArgv: [] }).unref()

process.on('message', message => {
  // Two turns on: a delay is recorded when the timer that was late has run.
  if (message === 'probe') setTimeout(() => process.send?.(look()), 2 * RESOLUTION_MS)
})
