/** A process of the run that is killed, stopped in its tracks and started again at its port; its output is in a file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { undoAtExit } from './leftovers.ts'

const READY_MS = 90_000
const LOOK_MS = 150
const TAIL = 40
/** Pause of a supervisor. */
const AGAIN_MS = 1_000

export interface ProcessOptions {
  readonly name: string
  /** Arguments of Node.js: the entry file and its own arguments, with whatever flags go before. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  readonly port: number
  /** Path whose 200 says that it is ready; a port that takes connections says so where it is absent. */
  readonly readyPath?: string
  /** Sentence with which it ends where it cannot start yet: it is started again then, as a supervisor does. */
  readonly notYet?: RegExp
}

/** A start that came to nothing, since what the process needs was not there. */
export interface RefusedStart {
  readonly at: number
  readonly text: string
}

/** Changes of a process with its next start. */
export interface Renewal {
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Done while it is stopped. */
  meanwhile?(): Promise<void>
}

const isFree = (port: number): Promise<boolean> =>
  new Promise(done => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })

/** Finds a port below those that the system gives to connections, so that nobody has it when a process comes back. */
export const stablePort = async (): Promise<number> => {
  const port = 15_000 + Math.floor(Math.random() * 15_000)
  return (await isFree(port)) ? port : stablePort()
}

export class Process {
  readonly name: string
  readonly port: number
  readonly #options: ProcessOptions
  #child: ChildProcess | undefined
  #args: readonly string[]
  #env: Readonly<Record<string, string>>
  #renewal: Promise<void> = Promise.resolve()
  #ending = false
  #stopped = false
  #isServing = false
  /** Where the output since its last start begins. */
  #logFrom = 0
  /** Output of a process that ended by itself, each time that it did. */
  readonly unexpected: string[] = []
  /** Its starts that came to nothing. */
  readonly refusedStarts: RefusedStart[] = []

  constructor(options: ProcessOptions) {
    this.name = options.name
    this.port = options.port
    this.#options = options
    this.#args = options.args
    this.#env = options.env
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Starts it once it is renewed, and resolves when it is ready. @throws Error when it is not in time, or ends before. */
  async start(): Promise<void> {
    // Until it is renewed it stays as it is: a command may need its database for itself.
    await this.#renewal.catch(() => undefined)
    await this.#start()
  }

  async #start(): Promise<void> {
    for (const until = Date.now() + READY_MS; ; await delay(AGAIN_MS)) {
      if (!this.isRunning) this.#spawn()
      const refused = this.refusedStarts.length
      try {
        return await this.ready(until - Date.now())
      } catch (error) {
        if (this.refusedStarts.length === refused || Date.now() > until) throw error
      }
    }
  }

  #spawn(): void {
    this.#ending = false
    this.#stopped = false
    this.#isServing = false
    this.#logFrom = existsSync(this.#options.logFile) ? statSync(this.#options.logFile).size : 0
    const log = openSync(this.#options.logFile, 'a')
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...this.#args], {
      env: { PATH: process.env['PATH'], PORT: String(this.port), ...this.#env },
      stdio: ['ignore', log, log],
    })
    const child = this.#child
    const isOver = undoAtExit(() => child.kill('SIGKILL'))
    child.once('exit', (code, signal) => {
      isOver()
      this.#ended(code, signal)
    })
  }

  /** Number of the process; undefined before it is started. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name)
  }

  /** SIGKILL: no chance to finish anything. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** SIGTERM: what is in flight is finished. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  /** Stops it in order, and starts it with other settings or arguments, which it keeps from then on; one renewal at a time. */
  renew(renewal: Renewal): Promise<void> {
    this.#renewal = this.#renewal.catch(() => undefined).then(() => this.#renew(renewal))
    return this.#renewal
  }

  async #renew({ env, args, meanwhile }: Renewal): Promise<void> {
    // One that has ended by itself is noted then.
    const code = this.isRunning ? await this.stop() : null
    // Another fault may have killed it meanwhile, and then it has no code.
    if (code) this.unexpected.push(`${this.name} did not stop in order (${code}):\n${this.tail()}`)
    if (env) this.#env = { ...this.#env, ...env }
    if (args) this.#args = args
    try {
      await meanwhile?.()
    } finally {
      await this.#start()
    }
  }

  /** Arguments that it was first started with. */
  get usualArgs(): readonly string[] {
    return this.#options.args
  }

  /** SIGSTOP: it stands still, its connections stay. */
  freeze(): void {
    this.#stopped = true
    this.#child?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#stopped = false
    this.#child?.kill('SIGCONT')
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    this.#ending = true
    if (!this.isRunning) return this.#child?.exitCode ?? null
    const exited = once(this.#child!, 'exit')
    this.#child!.kill(signal)
    if (this.#stopped) this.thaw()
    return (await exited)[0]
  }

  #ended(code: number | null, signal: string | null): void {
    if (this.#ending) return
    const { notYet, logFile } = this.#options
    const said = readFileSync(logFile).subarray(this.#logFrom).toString()
    const text = this.#isServing ? undefined : notYet?.exec(said)?.[0]
    if (text) this.refusedStarts.push({ at: Date.now(), text: `${this.name}: ${text}` })
    else this.#noteEnd(code, signal)
  }

  #noteEnd(code: number | null, signal: string | null): void {
    this.unexpected.push(`${this.name} ended by itself (${signal ?? code}):\n${this.tail()}`)
  }

  /** Last lines of its output. */
  tail(): string {
    return readFileSync(this.#options.logFile, 'utf8').trimEnd().split('\n').slice(-TAIL).join('\n')
  }

  /** Resolves when it is ready. @throws Error when it is not in time, or has ended. */
  async ready(withinMs = READY_MS): Promise<void> {
    const until = Date.now() + withinMs
    while (this.isRunning && Date.now() < until) {
      if (await this.#isReady()) {
        this.#isServing = true
        return
      }
      await delay(LOOK_MS)
    }
    if (this.#ending) return
    throw new Error(`${this.name} is not ready${this.isRunning ? '' : ', and has ended'}:\n${this.tail()}`)
  }

  async #isReady(): Promise<boolean> {
    const { readyPath } = this.#options
    if (!readyPath) return !(await isFree(this.port))
    const response = await fetch(this.address + readyPath, {
      signal: AbortSignal.timeout(3_000),
      headers: { connection: 'close' },
    }).catch(() => undefined)
    await response?.text().catch(() => undefined)
    return response?.ok === true
  }
}
