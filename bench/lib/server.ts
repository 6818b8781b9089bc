/** A server in a process of its own, on a free port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Memory } from './probe.ts'
import { type CallChild, callsTo } from './worker.ts'

export interface Server extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly address: string
  /** What the program itself serves to its parent, if anything. */
  readonly call: CallChild
  /** What it holds, garbage collected. */
  memory(): Promise<Memory>
  /** What it has taken so far, all its threads together. */
  cpuSeconds(): Promise<number>
}

const ROOT = join(import.meta.dirname, '../..')
const READY_WITHIN_MS = 60_000

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}

const untilListening = async (child: ChildProcess, address: string, program: string) => {
  const deadline = Date.now() + READY_WITHIN_MS
  while (!(await fetch(address).then(Boolean, () => false))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${program} did not start`)
    await new Promise(done => setTimeout(done, 50))
  }
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>
  /** For the runtime, e.g. `--cpu-prof`. */
  readonly flags?: readonly string[]
}

const PROBE = ['--expose-gc', '--import', join(import.meta.dirname, 'probe.ts')]

/** Starts a program of this project, which is told its port by `PORT`; disposing ends it. */
export async function startServer(program: string, { env, flags = [] }: ServerOptions = {}): Promise<Server> {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...PROBE, ...flags, program],
    {
      cwd: ROOT,
      env: { ...env, PORT: String(port), NODE_ENV: 'production', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  const address = `http://127.0.0.1:${port}`
  await untilListening(child, address, program)
  const call = callsTo(child)
  return {
    address,
    call,
    memory: () => call('memory'),
    cpuSeconds: () => call('cpuSeconds'),
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
  }
}
