/** A process that is kept running: one that ends by itself is started again at the same address after a short while. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { createBackoff } from '#core/async/retry.ts'
import { environmentWith } from '#core/config/config.ts'
import { projectPath } from '#core/config/project-files.ts'
import { eachLine, type WriteLine, writeLine } from './lines.ts'

/** The command of a process. */
export interface Program {
  readonly name: string
  /** The entry file and its arguments. */
  readonly args: readonly string[]
  /** The settings that differ from those of this process. */
  readonly env: Readonly<Record<string, string>>
  /** The time that it may take to end once it is asked to, in milliseconds; then it is killed. */
  readonly stopMs: number
}

/** Thrown for a process that ended before it was ready; its output gives the reason. */
export class StartError extends Error {}

const COMPILE_CACHE = pathToFileURL(projectPath('compile-cache.js')).href

const waitMs = createBackoff({ firstMs: 500, longestMs: 10_000 })
/** A process that has run so long started well; its next wait is short again. */
const WELL_MS = 30_000

/** The address that a process writes when it listens, in its log or in its banner. */
const READY = /"address":"([^"]+)"|is ready at (\S+)/

/** For Node, as in the scripts of package.json. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16', '--import', COMPILE_CACHE]

const launch = ({ args, env }: Program): ChildProcess =>
  spawn(process.execPath, [...FLAGS, ...args], {
    env: environmentWith(env),
    // The channel carries the other processes' ports (`InstallationPorts`); its end tells a child that this process is gone.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })

/** The banner of a child repeats the table of all children. */
const isBanner = (line: string) => /^partner-graph |^ {2}\S/.test(line)

/** Passes on the output of a process; resolves with the address where it listens. */
const watch = (child: ChildProcess, write: (line: string) => void): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>()
  eachLine(child.stdout!, line => {
    const [, logged, printed] = READY.exec(line) ?? []
    const address = logged ?? printed
    if (address) resolve(address)
    if (!isBanner(line) && line !== '') write(line)
  })
  eachLine(child.stderr!, write)
  return promise
}

export class KeptProcess {
  readonly name: string
  readonly #program: Program
  readonly #write: (line: string) => void
  #child: ChildProcess
  #address: string | undefined
  #stopping = false
  #startedAt = Date.now()
  /** The number of starts since it last ran well. */
  #restarts = 0
  #again: NodeJS.Timeout | undefined
  #message: object | undefined

  private constructor(program: Program, write: WriteLine) {
    this.name = program.name
    this.#program = program
    this.#write = line => write(program.name, line)
    this.#child = launch(program)
  }

  /**
   * Starts a process and resolves when it is ready.
   * @throws StartError when it ends before; its output stands among the lines.
   */
  static async start(
    program: Program,
    onStart: (started: KeptProcess) => void,
    write: WriteLine = writeLine,
  ): Promise<KeptProcess> {
    const kept = new KeptProcess(program, write)
    onStart(kept)
    await kept.#firstReady()
    return kept
  }

  /** The process that runs at the moment. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  /** The address where it listens. */
  get address(): string {
    return this.#address!
  }

  /** Sends the process a message, and again whenever it is started again. */
  send(message: object): void {
    this.#message = message
    if (this.#child.connected) this.#child.send(message)
  }

  /** Asks it to finish its work in flight; resolves when it has ended. A process that hangs is killed. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#again)
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    const late = setTimeout(() => this.#kill(), this.#program.stopMs)
    await ended
    clearTimeout(late)
  }

  #kill(): void {
    this.#write(`did not end within ${this.#program.stopMs} ms of SIGTERM; killed`)
    this.#child.kill('SIGKILL')
  }

  async #firstReady(): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>()
    this.#child.once('exit', () => {
      if (!this.#stopping) reject(new StartError(`${this.name} did not start`))
    })
    this.#address = await Promise.race([watch(this.#child, this.#write), promise])
    this.#keep()
  }

  #keep(): void {
    this.#child.once('exit', (code, signal) => {
      if (this.#stopping) return
      if (Date.now() - this.#startedAt > WELL_MS) this.#restarts = 0
      const wait = waitMs(this.#restarts++)
      this.#write(`ended by itself (${signal ?? code}); started again in ${wait} ms`)
      this.#again = setTimeout(() => this.#restart(), wait)
    })
  }

  #restart(): void {
    const { port } = new URL(this.address)
    this.#startedAt = Date.now()
    this.#child = launch({ ...this.#program, env: { ...this.#program.env, PORT: port } })
    watch(this.#child, this.#write).then(address => {
      if (this.#message) this.send(this.#message)
      this.#write(`is ready again at ${address}`)
    })
    this.#keep()
  }
}
