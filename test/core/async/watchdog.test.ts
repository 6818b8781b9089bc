/** The watchdog over background work: a standstill is reported once, shown while it lasts, and its end is reported. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Batcher } from '#core/async/batcher.ts'
import { createWatchdog, type Rounds } from '#core/async/watchdog.ts'
import { createWorker, TaskWorker } from '#core/async/worker.ts'

const LIMIT_MS = 2_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const create = () => {
  const [onLate, onRecovered] = [vi.fn(), vi.fn()]
  const watchdog = createWatchdog({ onLate, onRecovered })
  return { onLate, onRecovered, watchdog, rounds: watchdog.over('work', LIMIT_MS) }
}

const ignore = () => undefined
const workers: [string, (rounds: Rounds, work: () => Promise<void>) => void][] = [
  ['a worker', (rounds, run) => createWorker({ run, rounds, onError: ignore }).wake()],
  [
    'a worker with tasks',
    (rounds, run) => new TaskWorker({ run, rounds, gatherMs: 1, stopMs: 1, onError: ignore }).wake(),
  ],
  [
    'a batcher',
    (rounds, work) => {
      const run = (items: number[]) => work().then(() => items)
      const { signal } = new AbortController()
      void new Batcher(run, { maxBatch: 1, maxWaiting: 1, rounds }).add(1, signal)
    },
  ],
]

test.each(workers)(
  'WATCHDOG-01 MUST tell of a round that stands still, and when it ends: %s',
  async (_, begin) => {
    const { onLate, onRecovered, watchdog, rounds } = create()
    const round = Promise.withResolvers<void>()
    begin(rounds, () => round.promise)
    await vi.advanceTimersByTimeAsync(LIMIT_MS)
    expect(onLate).not.toHaveBeenCalled()
    expect(watchdog.states()).toMatchObject([{ name: 'work', isLate: false }])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(onLate).toHaveBeenCalledOnce()
    expect(watchdog.states()).toMatchObject([{ name: 'work', isLate: true }])
    round.resolve()
    await vi.advanceTimersByTimeAsync(1)
    expect(onRecovered).toHaveBeenCalledOnce()
    expect(watchdog.states()).toEqual([])
  },
)

test('WATCHDOG-02 MUST not tell of a long round that makes progress', async () => {
  const { onLate, rounds } = create()
  const run = async (_: unknown, progress: () => void) => {
    for (let step = 0; step < 5; step++) {
      await new Promise(done => setTimeout(done, LIMIT_MS - 500))
      progress()
    }
  }
  const worker = createWorker({ run, rounds, onError: ignore })
  worker.wake()
  await vi.advanceTimersByTimeAsync(6 * LIMIT_MS)
  expect(onLate).not.toHaveBeenCalled()
})

test('WATCHDOG-03 MUST tell of a worker whose rounds do nothing but fail, until one succeeds', async () => {
  const { onLate, onRecovered, rounds } = create()
  let isWell = false
  const run = async () => {
    if (!isWell) throw new Error('away')
  }
  const worker = createWorker({ run, rounds, sweepMs: 500, onError: ignore })
  worker.wake()
  await vi.advanceTimersByTimeAsync(LIMIT_MS + 1_000)
  expect(onLate).toHaveBeenCalledOnce()
  isWell = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect(onRecovered).toHaveBeenCalledOnce()
  await worker.stop()
})

test('WATCHDOG-04 MUST not hold a failure against a worker that tries again much later, or when woken', async () => {
  const { onLate, watchdog, rounds } = create()
  const run = () => Promise.reject(new Error('away'))
  const worker = createWorker({ run, rounds, sweepMs: 3_600_000, onError: ignore })
  worker.wake()
  await vi.advanceTimersByTimeAsync(3 * LIMIT_MS)
  expect(onLate).not.toHaveBeenCalled()
  expect(watchdog.states()).toEqual([])
  await worker.stop()
})

test('WATCHDOG-06 MUST not hold a failure against a worker of which readiness tells by itself', async () => {
  const { onLate, rounds } = create()
  const run = () => Promise.reject(new Error('away'))
  const worker = createWorker({
    run,
    rounds,
    sweepMs: 500,
    isReportedByReadiness: () => true,
    onError: ignore,
  })
  worker.wake()
  await vi.advanceTimersByTimeAsync(3 * LIMIT_MS)
  expect(onLate).not.toHaveBeenCalled()
  await worker.stop()
})

test('WATCHDOG-05 MUST count the time in which the process could have seen the work end, and no other', async () => {
  const { watchdog, rounds } = create()
  rounds.begin()
  await vi.advanceTimersByTimeAsync(250)
  vi.setSystemTime(Date.now() + 60_000)
  await vi.advanceTimersByTimeAsync(250)
  expect(watchdog.states()).toMatchObject([{ isLate: false }])
  rounds.end()
})
