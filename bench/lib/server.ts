/** A server in a process of its own, on a free port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Listening, Memory } from './probe.ts'
import { openServerLog, type ServerLog } from './server-log.ts'
import { type CallChild, callsTo } from './worker.ts'

export interface Server extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly address: string
  /** Calls that the program itself serves to its parent, if any. */
  readonly call: CallChild
  /** Its memory after garbage collection. */
  memory(): Promise<Memory>
  /** Its processor time so far, all its threads and workers together. */
  cpuSeconds(): Promise<number>
  /** Its process and those of its workers. */
  pids(): Promise<readonly number[]>
}

const ROOT = join(import.meta.dirname, '../..')
const READY_WITHIN_MS = 60_000
/** A port that was free a moment ago may be taken by the time it is wanted. */
const TRIES = 5

/** A port that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}

/** Resolves when the child itself has the port, and when somebody else took it first: `undefined` then. */
const untilListening = async (child: ChildProcess, port: number): Promise<true | undefined> => {
  const { promise, resolve } = Promise.withResolvers<true | undefined>()
  child.on('message', message => (message as Partial<Listening>).listening === port && resolve(true))
  child.once('exit', () => resolve(undefined))
  const timer = setTimeout(resolve, READY_WITHIN_MS, undefined)
  return promise.finally(() => clearTimeout(timer))
}

const untilAnswering = async (child: ChildProcess, address: string) => {
  while (child.exitCode === null && !(await fetch(address).then(Boolean, () => false))) {
    await new Promise(done => setTimeout(done, 50))
  }
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>
  /** For the runtime, e.g. `--cpu-prof`. */
  readonly flags?: readonly string[]
  /** For the program. */
  readonly args?: readonly string[]
  /** Folder of the checkout that it belongs to; this one's unless given. */
  readonly root?: string
  /** Whether it is made to refuse, of which it warns; absent where a warning means that something else was measured. */
  readonly mayWarn?: boolean
}

/** Loads what answers its parent: that of the program's own checkout, since a second one would answer as well. */
const probeOf = (root: string) => ['--expose-gc', '--import', join(root, 'bench/lib/probe.ts')]

const launch = (
  program: string,
  port: number,
  { env, flags = [], args = [], root = ROOT }: ServerOptions,
  { fd }: ServerLog,
) =>
  spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...probeOf(root), ...flags, program, ...args],
    {
      cwd: root,
      // Requests are repeated in order to be measured: they are to be executed each time.
      env: { STORED_ANSWERS_MIB: '0', ...env, PORT: String(port), NODE_ENV: 'production' },
      stdio: ['ignore', fd, 'inherit', 'ipc'],
    },
  )

const end = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

/** Looks for warnings in its log once it has ended, when nothing is measured any more. */
const endChecked = async (child: ChildProcess, log: ServerLog) => {
  await end(child)
  try {
    await log.check()
  } finally {
    await log.remove()
  }
}

const toServer = (child: ChildProcess, address: string, log: ServerLog): Server => {
  const call = callsTo(child)
  return {
    address,
    call,
    memory: () => call('memory'),
    cpuSeconds: () => call('cpuSeconds'),
    pids: () => call('pids'),
    [Symbol.asyncDispose]: () => endChecked(child, log),
  }
}

/**
 * Starts a program of this project, which gets its port by `PORT`; disposing ends it, and fails where it logged a
 * warning or an error.
 * @throws Error when it does not start.
 */
export async function startServer(program: string, options: ServerOptions = {}): Promise<Server> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const log = openServerLog(program, options.mayWarn)
    const child = launch(program, port, options, log)
    if (await untilListening(child, port)) {
      await untilAnswering(child, address)
      return toServer(child, address, log)
    }
    await end(child)
    await log.remove()
  }
  throw new Error(`${program} did not start`)
}
