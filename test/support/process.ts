/** The product as an operator runs it: a process of its own, which can be killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '../..')
const CACHE = ['--import', pathToFileURL(join(ROOT, 'compile-cache.js')).href]

/** A program of the project, and how the address that it serves at stands in its output. */
interface Program {
  readonly file: string
  readonly address: RegExp
}

const ALL_IN_ONE: Program = { file: 'gateway/main.ts', address: /"address":"([^"]+)"/ }

/** The program of `npm run start:all`, which serves once the gateway does. */
export const START_ALL: Program = {
  file: 'topology/start-all.ts',
  address: /partner-graph is ready at (\S+) with/,
}

export interface ServerProcess {
  readonly address: string
  /** The lines that it wrote until it served. */
  readonly started: readonly string[]
  readonly pid: number
  /** SIGKILL: no chance to finish anything. */
  kill(): Promise<void>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

const readyAddress = async (child: ChildProcess, pattern: RegExp, lines: string[]): Promise<string> => {
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line)
    const address = pattern.exec(line)?.[1]
    if (address) return address
  }
  throw new Error(`The server did not start:\n${lines.join('\n')}`)
}

/** The program of `npm run start:gateway`. */
export const GATEWAY_ALONE: Program = { file: 'topology/gateway-only.ts', address: ALL_IN_ONE.address }

/**
 * Starts a program with these settings, `npm start`'s unless another is given, and resolves when it serves.
 * @param within words before the command, by which it runs elsewhere: `ip netns exec <name>`.
 */
export async function startProcess(
  env: Record<string, string>,
  { file, address: pattern }: Program = ALL_IN_ONE,
  within: readonly string[] = [],
): Promise<ServerProcess> {
  const flags = ['--disable-warning=ExperimentalWarning', ...CACHE]
  const [command, ...args] = [...within, process.execPath, ...flags, join(ROOT, file)]
  const child = spawn(command!, args, {
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const started: string[] = []
  const address = await readyAddress(child, pattern, started)
  child.stdout!.resume()
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return (await exited)[0]
  }
  return {
    address,
    started,
    pid: child.pid!,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}
