/** A server as a child process: started, its output passed on, stopped within a limit. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
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

export class ChildServer {
  readonly name: string
  readonly #program: Program
  readonly #write: (line: string) => void
  readonly #child: ChildProcess
  readonly #ended = Promise.withResolvers<void>()
  #address: string | undefined
  #stopping = false

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
    onStart: (process: ChildServer) => void,
    write: WriteLine = writeLine,
  ): Promise<ChildServer> {
    const started = new ChildServer(program, write)
    onStart(started)
    await started.#untilReady()
    return started
  }

  /** Resolves when the process, once ready, has ended by itself; a line says so. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Address where it listens. */
  get address(): string {
    return this.#address!
  }

  send(message: ParentMessage): void {
    if (this.#child.connected) this.#child.send(message)
  }

  /** Lets the process finish its work in flight, and resolves when it has ended. A process that hangs is killed. */
  async stop(): Promise<void> {
    this.#stopping = true
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
    this.#child.once('exit', (code, signal) => {
      if (this.#stopping) return
      this.#write(`ended by itself (${signal ?? code})`)
      this.#ended.resolve()
    })
  }
}
