/** The charging simulator as whoever tries it runs it: a process of its own, which can be killed and started again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Entry } from '#simulators/charging/book.ts'
import type { Fault } from '#simulators/charging/faults.ts'

const MAIN = join(import.meta.dirname, '../../simulators/charging/main.ts')

export const TOKEN = 'simulator-token'
export const CALLBACK_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

/** A port that nobody has at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** An order in its book, with how often it was sent since the simulator started. */
export interface Listed extends Entry {
  readonly arrivals: number
}

export interface SimulatorOptions {
  readonly port?: number
  readonly dataDir?: string
  readonly callbackUrl?: string
}

export class Simulator implements AsyncDisposable {
  readonly address: string
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>

  private constructor(child: ChildProcess, address: string, exited: Promise<unknown>) {
    this.#child = child
    this.address = address
    this.#exited = exited
  }

  /** Resolves when it listens. */
  static async start({ port = 0, dataDir = 'memory:', callbackUrl = '' }: SimulatorOptions = {}) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      env: {
        PATH: process.env['PATH'],
        PORT: String(port),
        DATA_DIR: dataDir,
        CHARGING_TOKEN: TOKEN,
        CALLBACK_URL: callbackUrl,
        CHARGING_CALLBACK_SECRET: CALLBACK_SECRET,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    for await (const line of createInterface({ input: child.stdout! })) {
      const address = /ready at (\S+)/.exec(line)?.[1]
      if (address) return new Simulator(child, address, exited)
    }
    throw new Error('the simulator did not start')
  }

  /** Orders that it has carried out, and those that it has not. */
  async book(): Promise<Listed[]> {
    return (await this.#call('GET', '/orders')) as Listed[]
  }

  /** Takes the place of the faults before. */
  async faults(...faults: readonly Fault[]): Promise<void> {
    await this.#call('PUT', '/faults', faults)
  }

  /** SIGKILL: no chance to finish anything. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#exited
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.address + path, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, connection: 'close' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} ${response.status} ${await response.text()}`)
    return response.json()
  }
}
