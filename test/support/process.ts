/** The product as an operator runs it: a process of its own, which can be killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '../..')
const PROGRAM = [
  '--import',
  pathToFileURL(join(ROOT, 'compile-cache.js')).href,
  join(ROOT, 'gateway/main.ts'),
]

export interface ServerProcess {
  readonly address: string
  readonly pid: number
  /** SIGKILL: no chance to finish anything. */
  kill(): Promise<void>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

const readyAddress = async (child: ChildProcess): Promise<string> => {
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line)
    const address = /"address":"([^"]+)"/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error(`The server did not start:\n${lines.join('\n')}`)
}

/** Starts `npm start`'s process with these settings, and resolves when it serves. */
export async function startProcess(env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...PROGRAM], {
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const address = await readyAddress(child)
  child.stdout!.resume()
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return (await exited)[0]
  }
  return {
    address,
    pid: child.pid!,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}
