/** Background work: never two rounds at once, no wake-up is missed, and a stop is the end. */
import { expect, test, vi } from 'vitest'
import { createWatchdog } from '#core/async/watchdog.ts'
import { createWorker, type WorkerOptions } from '#core/async/worker.ts'

const watchdog = createWatchdog({ onLate: () => undefined, onRecovered: () => undefined })
const rounds = watchdog.over('test', 60_000)

const create = (options: Partial<WorkerOptions> = {}) => {
  const begun: PromiseWithResolvers<void>[] = []
  const onError = vi.fn()
  const run = () => {
    const round = Promise.withResolvers<void>()
    begun.push(round)
    return round.promise
  }
  return { worker: createWorker({ run, rounds, onError, ...options }), rounds: begun, onError }
}

test('WORKER-01 a wake-up during a round leads to one more, however often it comes', async () => {
  const { worker, rounds } = create()
  worker.wake()
  worker.wake()
  worker.wake()
  expect(rounds).toHaveLength(1)
  rounds[0]!.resolve()
  await vi.waitUntil(() => rounds.length === 2)
  rounds[1]!.resolve()
  const idle = worker.idle()
  await vi.waitUntil(() => rounds.length === 3)
  rounds[2]!.resolve()
  await idle
  expect(rounds).toHaveLength(3)
})

test('WORKER-02 a round that fails is reported, and the next one runs', async () => {
  const { worker, rounds, onError } = create()
  worker.wake()
  rounds[0]!.reject(new Error('away'))
  await vi.waitUntil(() => onError.mock.calls.length === 1)
  worker.wake()
  await vi.waitUntil(() => rounds.length === 2)
  rounds[1]!.resolve()
  await worker.stop()
  expect(onError).toHaveBeenCalledWith(new Error('away'))
})

test('WORKER-03 a stop waits for the round under way, and no other begins', async () => {
  const { worker, rounds } = create()
  worker.wake()
  worker.wake()
  const stopped = worker.stop()
  rounds[0]!.resolve()
  await stopped
  worker.wake()
  await worker.idle()
  expect(rounds).toHaveLength(1)
})

test('WORKER-04 it looks by itself now and then, until it is stopped', async () => {
  const run = vi.fn(async () => undefined)
  const worker = createWorker({ run, rounds, sweepMs: 1, onError: () => undefined })
  await vi.waitUntil(() => run.mock.calls.length >= 2)
  await worker.stop()
  const { length } = run.mock.calls
  await new Promise(done => setImmediate(done))
  expect(run.mock.calls).toHaveLength(length)
})

test('WORKER-05 the rest before a round follows from how long the one before took', async () => {
  const rests: number[] = []
  const restMs = (previous: number) => {
    rests.push(previous)
    return 1
  }
  const { worker, rounds } = create({ restMs })
  worker.wake()
  await vi.waitUntil(() => rounds.length === 1)
  worker.wake()
  rounds[0]!.resolve()
  await vi.waitUntil(() => rounds.length === 2)
  rounds[1]!.resolve()
  await worker.stop()
  expect(rests[0]).toBe(0)
  expect(rests[1]).toBeGreaterThan(0)
})
