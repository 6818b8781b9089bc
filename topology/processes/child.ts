/** A supervised process: when it ends by itself, it is started again at the same address after a short wait. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { createBackoff } from '#core/async/retry.ts'
import { environmentWith } from '#core/config/config.ts'
import { projectPath } from '#core/config/project-files.ts'
import type { ParentMessage } from '#core/process.ts'
import { eachLine, type WriteLine, writeLine } from './lines.ts'

/** The command of a process, with its settings. */
export interface Program {
  readonly name: string
  /** The entry file and its arguments. */
  readonly args: readonly string[]
  /** The settings that differ from those of this process. */
  readonly env: Readonly<Record<string, string>>
  /** Longest time from SIGTERM until its end, in milliseconds; then the process is killed. */
  readonly stopMs: number
}

/** Thrown for a process that ended before it was ready; its output gives the reason. */
export class StartError extends Error {}

const COMPILE_CACHE = pathToFileURL(projectPath('compile-cache.js')).href

const restartDelayMs = createBackoff({ firstMs: 500, longestMs: 10_000 })
/** Run after which a process counts as stable, in milliseconds: the wait before its next start is short again. */
const STABLE_AFTER_MS = 30_000

/** The address that a process writes when it listens, in its log or in its banner. */
const READY_LINE = /"address":"([^"]+)"|is ready at (\S+)/

/** Flags of Node.js, as in the scripts of package.json; docs/architecture.md gives the reason for the bound on memory. */
const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=16',
  '--import',
  COMPILE_CACHE,
]

const launch = ({ args, env }: Program): ChildProcess =>
  spawn(process.execPath, [...NODE_FLAGS, ...args], {
    env: environmentWith(env),
    // The channel carries the other processes' ports (`ParentMessage`); its end shows a child that this process is gone.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })

/** Whether a line is of a child's banner, which repeats the table of all children. */
const isBanner = (line: string) => /^partner-graph |^ {2}\S/.test(line)

/** Forwards the output of a process, all but its banner; resolves with the address that the output names. */
const forwardOutput = (child: ChildProcess, write: (line: string) => void): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>()
  eachLine(child.stdout!, line => {
    const [, logged, printed] = READY_LINE.exec(line) ?? []
    const address = logged ?? printed
    if (address) resolve(address)
    if (!isBanner(line) && line !== '') write(line)
  })
  eachLine(child.stderr!, write)
  return promise
}

export class SupervisedProcess {
  readonly name: string
  readonly #program: Program
  readonly #write: (line: string) => void
  #child: ChildProcess
  #address: string | undefined
  #stopping = false
  #startedAt = Date.now()
  /** The number of restarts since it was last stable. */
  #restarts = 0
  #restartTimer: NodeJS.Timeout | undefined
  /** All messages so far, merged into one. */
  #message: ParentMessage | undefined

  private constructor(program: Program, write: WriteLine) {
    this.name = program.name
    this.#program = program
    this.#write = line => write(program.name, line)
    this.#child = launch(program)
  }

  /**
   * Starts a process and resolves when it is ready.
   * @param onStart receives the process at once, so that it can be stopped before it is ready.
   * @throws StartError when it ends before it is ready; `write` gets its output.
   */
  static async start(
    program: Program,
    onStart: (process: SupervisedProcess) => void,
    write: WriteLine = writeLine,
  ): Promise<SupervisedProcess> {
    const started = new SupervisedProcess(program, write)
    onStart(started)
    await started.#untilReady()
    return started
  }

  /** The process that runs at the moment. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Address where it listens. */
  get address(): string {
    return this.#address!
  }

  /** Sends the process a message, and again, with all others, whenever it is started again. */
  send(message: ParentMessage): void {
    this.#message = { ...this.#message, ...message }
    if (this.#child.connected) this.#child.send(this.#message)
  }

  /** Lets the process finish its work in flight, and resolves when it has ended. A process that hangs is killed. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#restartTimer)
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    const killTimer = setTimeout(() => this.#kill(), this.#program.stopMs)
    await ended
    clearTimeout(killTimer)
  }

  #kill(): void {
    this.#write(`did not end within ${this.#program.stopMs} ms of SIGTERM; killed`)
    this.#child.kill('SIGKILL')
  }

  async #untilReady(): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>()
    this.#child.once('exit', () => {
      if (!this.#stopping) reject(new StartError(`${this.name} did not start`))
    })
    this.#address = await Promise.race([forwardOutput(this.#child, this.#write), promise])
    this.#restartOnExit()
  }

  #restartOnExit(): void {
    this.#child.once('exit', (code, signal) => {
      if (this.#stopping) return
      if (Date.now() - this.#startedAt > STABLE_AFTER_MS) this.#restarts = 0
      const wait = restartDelayMs(this.#restarts++)
      this.#write(`ended by itself (${signal ?? code}); started again in ${wait} ms`)
      this.#restartTimer = setTimeout(() => this.#restart(), wait)
    })
  }

  #restart(): void {
    const { port } = new URL(this.address)
    this.#startedAt = Date.now()
    this.#child = launch({ ...this.#program, env: { ...this.#program.env, PORT: port } })
    forwardOutput(this.#child, this.#write).then(address => {
      if (this.#message) this.send({})
      this.#write(`is ready again at ${address}`)
    })
    this.#restartOnExit()
  }
}
