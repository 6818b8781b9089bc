/** One process of the product that may be killed and started again at its port, its log in a file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '../../..')
const READY_MS = 60_000
const LOOK_MS = 50
const TAIL = 40

export interface MemberOptions {
  readonly name: string
  /** The entry file and its arguments. */
  readonly args: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  /** The folder of the version to start; this checkout unless given. */
  readonly root?: string
}

const isFree = (port: number): Promise<boolean> =>
  new Promise(done => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })

/** Below the ports that the system gives to connections, so that nobody has it when the process is started again. */
const freePort = async (): Promise<number> => {
  const port = 15_000 + Math.floor(Math.random() * 15_000)
  return (await isFree(port)) ? port : freePort()
}

export class Member {
  readonly name: string
  readonly #options: MemberOptions
  readonly #port: number
  #root: string
  #child: ChildProcess | undefined
  #ending = false
  /** Output of a process that ended by itself. */
  readonly unexpected: string[] = []

  private constructor(options: MemberOptions, port: number) {
    this.name = options.name
    this.#options = options
    this.#port = port
    this.#root = options.root ?? ROOT
  }

  /** Chooses its port; does not start it. */
  static async create(options: MemberOptions): Promise<Member> {
    return new Member(options, await freePort())
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Resolves when it is ready. @param root another version's folder, to stay with. */
  async start(root = this.#root): Promise<void> {
    this.#root = root
    this.#ending = false
    const { args, env, logFile } = this.#options
    const log = openSync(logFile, 'a')
    const [file, ...rest] = args
    this.#child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(root, file), ...rest],
      {
        env: { PATH: process.env['PATH'], PORT: String(this.#port), ...env },
        stdio: ['ignore', log, log, 'ipc'],
      },
    )
    this.#child.once('exit', (code, signal) => this.#ended(code, signal))
    await this.#ready()
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  /** SIGTERM: what is in flight is finished. */
  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  get #isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#ending = true
    if (!this.#isRunning) return
    const exited = once(this.#child!, 'exit')
    this.#child!.kill(signal)
    await exited
  }

  #ended(code: number | null, signal: string | null): void {
    if (this.#ending) return
    const lines = readFileSync(this.#options.logFile, 'utf8').trimEnd().split('\n').slice(-TAIL)
    this.unexpected.push(`${this.name} ended by itself (${signal ?? code}):\n${lines.join('\n')}`)
  }

  async #ready(): Promise<void> {
    const until = Date.now() + READY_MS
    while (this.#isRunning && Date.now() < until) {
      const response = await fetch(`${this.address}/health/ready`).catch(() => undefined)
      await response?.text().catch(() => undefined)
      if (response?.ok) return
      await delay(LOOK_MS)
    }
    if (!this.#ending) throw new Error(`${this.name} did not become ready\n${this.unexpected.join('\n')}`)
  }
}
