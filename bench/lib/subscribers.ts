/** Many graphql-transport-ws subscribers, in a process of their own: how much they get, and how soon. */
import type { Arrived, Expectation } from './arrivals.ts'
import type { SubscribeJob } from './subscribers-process.ts'
import { startWorker } from './worker.ts'

export interface Subscribers extends AsyncDisposable {
  /** Forgets what has arrived. */
  reset(): Promise<void>
  /** Events that have arrived since the reset. @throws Error when one was closed or got an error. */
  report(): Promise<Arrived>
  /** Resolves when so many messages have arrived since the reset. @throws Error when they have not in time. */
  until(expected: Expectation): Promise<Arrived>
}

/**
 * Opens all; they are acknowledged and have sent their subscription when this resolves, which the protocol does not
 * answer. Disposing cuts all off.
 */
export async function openSubscribers(job: SubscribeJob): Promise<Subscribers> {
  const { call, [Symbol.asyncDispose]: dispose } = startWorker('subscribers-process.ts')
  await call('open', job)
  return {
    reset: () => call('reset'),
    report: () => call('report'),
    until: expected => call('until', expected),
    [Symbol.asyncDispose]: dispose,
  }
}
