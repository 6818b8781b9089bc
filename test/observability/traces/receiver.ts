/** The receiver of traces as a process of its own, and what tests ask it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { vi } from 'vitest'
import type { ReceivedSpan } from './otlp.ts'

const MAIN = join(import.meta.dirname, 'receiver-main.ts')

/** Batches are sent as soon as there is anything, so that no test waits for them. */
const SOON = { OTEL_BSP_SCHEDULE_DELAY: '50' }

/** How long a span may take until it is there, on a busy machine. */
const LIMIT = { timeout: 60_000, interval: 50 }

export interface ReceivedRequest {
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

export class TraceReceiver implements AsyncDisposable {
  readonly address: string
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>

  private constructor(child: ChildProcess, address: string, exited: Promise<unknown>) {
    this.#child = child
    this.address = address
    this.#exited = exited
  }

  /** Resolves when it listens. */
  static async start(port = 0): Promise<TraceReceiver> {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      env: { PATH: process.env['PATH'], PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    const exited = once(child, 'exit')
    const [address] = await once(createInterface({ input: child.stdout! }), 'line')
    return new TraceReceiver(child, address, exited)
  }

  /** The settings by which a server sends its traces here. */
  get env(): Record<string, string> {
    return { OTEL_EXPORTER_OTLP_ENDPOINT: this.address, ...SOON }
  }

  spans(): Promise<ReceivedSpan[]> {
    return this.#get('/spans') as Promise<ReceivedSpan[]>
  }

  requests(): Promise<ReceivedRequest[]> {
    return this.#get('/requests') as Promise<ReceivedRequest[]>
  }

  /** Has it take spans (`ok`), never answer (`silent`), or answer 503 (`busy`). */
  async be(mode: 'ok' | 'silent' | 'busy'): Promise<void> {
    await this.#get(`/mode?is=${mode}`)
  }

  /** Resolves with the spans of a trace once they are as many of these names as are wanted. */
  async trace(traceId: string, wanted: Readonly<Record<string, number>>): Promise<ReceivedSpan[]> {
    return vi.waitFor(async () => {
      const spans = (await this.spans()).filter(span => span.traceId === traceId)
      for (const [name, count] of Object.entries(wanted)) {
        const found = spans.filter(span => span.name === name).length
        if (found < count)
          throw new Error(`${found} of ${count} "${name}" among ${spans.map(span => span.name).join(', ')}`)
      }
      return spans
    }, LIMIT)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#exited
  }

  async #get(path: string): Promise<unknown> {
    const response = await fetch(this.address + path, { headers: { connection: 'close' } })
    return response.json()
  }
}
