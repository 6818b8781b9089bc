/** Duration and memory of programs started as operators start them, without a probe inside. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './server.ts'
import { openServerLog } from './server-log.ts'

export interface PlainStart extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly address: string
  /** From the spawn to the first 200 at the path of readiness, in milliseconds. */
  readonly readyMs: number
  /** The processor time of all its threads until then, in milliseconds. */
  readonly cpuMs: number
  /** Its resident memory now, in bytes. */
  residentBytes(): number
}

const ROOT = join(import.meta.dirname, '../..')
const LOOK_MS = 5
/** Clock ticks of `/proc/<pid>/stat`, on every Linux that Node runs on. */
const TICK_MS = 10

/** The arguments that `npm start` gives to `node`. */
export const startScript = (): string[] => {
  const words = startWords()
  return words.slice(words.indexOf('node') + 1)
}

const startWords = (): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  return scripts['start']!.split(' ')
}

/** The variables that `npm start` sets, `NAME=value` between `env` and `node`. */
const startVariables = (): Record<string, string> =>
  Object.fromEntries(
    startWords()
      .filter(word => /^[A-Z_]+=/.test(word))
      .map(word => word.split('=') as [string, string]),
  )

const untilReady = async (child: ChildProcess, url: string) => {
  const isReady = () =>
    fetch(url).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`)
    await delay(LOOK_MS)
  }
}

const cpuMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

const residentBytesOf = (pid: number): number => {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kib) * 1024
}

/**
 * Starts a program and waits until it is ready; disposing ends it as an operator does, and fails where it logged a
 * warning or an error.
 * @param args for `node`.
 * @param path of readiness.
 */
export async function startPlainly(
  args: readonly string[],
  path: string,
  env: Readonly<Record<string, string>>,
): Promise<PlainStart> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const log = openServerLog(args.at(-1)!)
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...startVariables(), ...env, PORT: String(port) },
    stdio: ['ignore', log.fd, 'inherit'],
  })
  await untilReady(child, address + path)
  const readyMs = performance.now() - began
  const pid = child.pid!
  return {
    address,
    readyMs,
    cpuMs: cpuMsOf(pid),
    residentBytes: () => residentBytesOf(pid),
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
      await log.check().finally(log.remove)
    },
  }
}
