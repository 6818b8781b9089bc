/** One start of the whole program on a database in memory, after which all that a start compiles is kept. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = join(import.meta.dirname, '..')
const PROGRAM = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  './compile-cache.js',
  join(ROOT, 'gateway/main.ts'),
]
/** Ten times what a start takes: an installation must not wait for ever. */
const WITHIN_MS = 30_000
const SETTINGS = { DATA_DIR: 'memory:', DEMO: '0', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' }

/** Starts and stops the program. Where it does not start, nothing is kept, and whoever starts it is told why. */
export async function warmUp(): Promise<void> {
  const child = spawn(process.execPath, PROGRAM, {
    cwd: ROOT,
    env: SETTINGS,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: WITHIN_MS,
    killSignal: 'SIGKILL',
  })
  const ended = once(child, 'exit')
  createInterface({ input: child.stdout }).once('line', () => child.kill('SIGTERM'))
  await ended
}
