/** A process that is kept running: one that ends by itself is started again, at the same address, after a short while. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { createBackoff } from '#core/async/retry.ts'
import { environmentWith } from '#core/config/config.ts'
import { projectPath } from '#core/config/project-folder.ts'
import { eachLine, type WriteLine, writeLine } from './lines.ts'

/** How a process is started. */
export interface Program {
  readonly name: string
  /** The entry file and its arguments. */
  readonly args: readonly string[]
  /** The settings that are not those of this process. */
  readonly env: Readonly<Record<string, string>>
  /** How long it may take to end once it is asked to, in milliseconds; then it is killed. */
  readonly stopMs: number
}

/** A process that ended before it was ready; what it said tells why. */
export class StartError extends Error {}

const COMPILE_CACHE = pathToFileURL(projectPath('compile-cache.js')).href

const waitMs = createBackoff({ firstMs: 500, longestMs: 10_000 })
/** Who has served so long has started well; the next wait is short again. */
const WELL_MS = 30_000

/** As processes say it when they listen, in their log or to a person. */
const READY = /"address":"([^"]+)"|is ready at (\S+)/

/** For Node, as in the scripts of package.json. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16', '--import', COMPILE_CACHE]

const launch = ({ args, env }: Program): ChildProcess =>
  spawn(process.execPath, [...FLAGS, ...args], {
    env: environmentWith(env),
    // The channel tells who else there is (`InstallationPorts`); that it ends, that this process is gone, however it went.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })

/** The banner of a child repeats what the table of all children shows. */
const isBanner = (line: string) => /^partner-graph |^ {2}\S/.test(line)

/** Passes on what a process says, and tells once where it listens. */
const watch = (child: ChildProcess, say: (line: string) => void): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>()
  eachLine(child.stdout!, line => {
    const [, logged, told] = READY.exec(line) ?? []
    const address = logged ?? told
    if (address) resolve(address)
    if (!isBanner(line) && line !== '') say(line)
  })
  eachLine(child.stderr!, say)
  return promise
}

export class KeptProcess {
  readonly name: string
  readonly #program: Program
  readonly #say: (line: string) => void
  #child: ChildProcess
  #address: string | undefined
  #stopping = false
  #startedAt = Date.now()
  /** How often it was started again since it last served well. */
  #restarts = 0
  #again: NodeJS.Timeout | undefined
  #told: object | undefined

  private constructor(program: Program, write: WriteLine) {
    this.name = program.name
    this.#program = program
    this.#say = line => write(program.name, line)
    this.#child = launch(program)
  }

  /**
   * Starts a process and resolves when it says that it is ready.
   * @throws StartError when it ends before; what it said stands among the lines.
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

  /** Where it listens. */
  get address(): string {
    return this.#address!
  }

  /** Tells the process something, and again whenever it is started again. */
  tell(message: object): void {
    this.#told = message
    if (this.#child.connected) this.#child.send(message)
  }

  /** Asks it to finish what is in flight; resolves when it has ended, which one that hangs does by being killed. */
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
    this.#say(`did not end within ${this.#program.stopMs} ms of SIGTERM; killed`)
    this.#child.kill('SIGKILL')
  }

  async #firstReady(): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>()
    this.#child.once('exit', () => {
      if (!this.#stopping) reject(new StartError(`${this.name} did not start`))
    })
    this.#address = await Promise.race([watch(this.#child, this.#say), promise])
    this.#keep()
  }

  #keep(): void {
    this.#child.once('exit', (code, signal) => {
      if (this.#stopping) return
      if (Date.now() - this.#startedAt > WELL_MS) this.#restarts = 0
      const wait = waitMs(this.#restarts++)
      this.#say(`ended by itself (${signal ?? code}); started again in ${wait} ms`)
      this.#again = setTimeout(() => this.#restart(), wait)
    })
  }

  #restart(): void {
    const { port } = new URL(this.address)
    this.#startedAt = Date.now()
    this.#child = launch({ ...this.#program, env: { ...this.#program.env, PORT: port } })
    watch(this.#child, this.#say).then(address => {
      if (this.#told) this.tell(this.#told)
      this.#say(`is ready again at ${address}`)
    })
    this.#keep()
  }
}
