/** Receivers of webhooks in a process of their own. */
import type { Arrived, Expectation } from './arrivals.ts'
import type { Received } from './receivers-process.ts'
import { startWorker } from './worker.ts'

export interface Receivers extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` of each. */
  readonly origins: readonly string[]
  /** Forgets what has arrived. */
  reset(): Promise<void>
  /** Webhooks that have arrived at all of them since the reset. */
  report(): Promise<Arrived>
  /** Resolves when so many have arrived since the reset. @throws Error when they have not in time. */
  until(expected: Expectation): Promise<Arrived>
  /** The last request that came. */
  last(): Promise<Received>
}

/** Starts so many. */
export async function startReceivers(count: number): Promise<Receivers> {
  const { call, [Symbol.asyncDispose]: dispose } = startWorker('receivers-process.ts')
  return {
    origins: await call<string[]>('open', count),
    reset: () => call('reset'),
    report: () => call('report'),
    until: expected => call('until', expected),
    last: () => call('last'),
    [Symbol.asyncDispose]: dispose,
  }
}
