/** Rounds with tasks under way: an ended task brings a round, idle means both, and a stop breaks off what lasts too long. */
import { expect, test, vi } from 'vitest'
import { createWatchdog } from '#core/async/watchdog.ts'
import { TaskWorker, type TaskWorkerOptions } from '#core/async/worker.ts'

const watchdog = createWatchdog({ onLate: () => undefined, onRecovered: () => undefined })
const rounds = watchdog.over('test', 60_000)

const create = (options: Partial<TaskWorkerOptions> = {}) => {
  const run = vi.fn(async () => undefined)
  const onError = vi.fn()
  const worker = new TaskWorker({ run, rounds, onError, gatherMs: 1, stopMs: 1, ...options })
  const track = () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onFailure = vi.fn()
    worker.track(promise, onFailure)
    return { resolve, reject, onFailure }
  }
  return { worker, run, track }
}

/** Longer than any test. */
const NEVER_MS = 3_600_000

test('TASKS-01 one round follows for all tasks that ended together', async () => {
  vi.useFakeTimers()
  try {
    const { worker, run, track } = create({ gatherMs: 10 })
    const tasks = [track(), track(), track()]
    expect(worker.size).toBe(3)
    for (const { resolve } of tasks) resolve()
    await vi.advanceTimersByTimeAsync(9)
    expect(worker.size).toBe(0)
    expect(run).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(100)
    expect(run).toHaveBeenCalledTimes(1)
  } finally {
    vi.useRealTimers()
  }
})

test('TASKS-07 a task that asks for a round before it ends shares it with those that end meanwhile', async () => {
  vi.useFakeTimers()
  try {
    const { worker, run, track } = create({ gatherMs: 10 })
    const [early, late] = [track(), track()]
    worker.wakeSoon()
    await vi.advanceTimersByTimeAsync(9)
    early.resolve()
    await vi.advanceTimersByTimeAsync(2)
    expect([run.mock.calls.length, worker.size]).toEqual([1, 1])
    late.resolve()
    await vi.advanceTimersByTimeAsync(100)
    expect(run).toHaveBeenCalledTimes(2)
  } finally {
    vi.useRealTimers()
  }
})

test('TASKS-08 no round follows while nothing is known to wait', async () => {
  vi.useFakeTimers()
  try {
    let isClear = true
    const { run, track } = create({ isClear: () => isClear })
    track().resolve()
    await vi.advanceTimersByTimeAsync(100)
    expect(run).not.toHaveBeenCalled()
    isClear = false
    track().resolve()
    await vi.advanceTimersByTimeAsync(100)
    expect(run).toHaveBeenCalledTimes(1)
  } finally {
    vi.useRealTimers()
  }
})

test('TASKS-02 a task that fails is reported, and its slot is free again', async () => {
  const { worker, run, track } = create()
  const { reject, onFailure } = track()
  reject(new Error('away'))
  await vi.waitUntil(() => run.mock.calls.length === 1)
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(new Error('away'))
  expect(worker.size).toBe(0)
})

test('TASKS-06 it is not idle after a round whose tasks ended before it did', async () => {
  const { worker, run, track } = create({ gatherMs: NEVER_MS })
  run.mockImplementationOnce(async () => {
    track().resolve()
    while (worker.size > 0) await new Promise(done => setImmediate(done))
  })
  await worker.idle()
  expect(run).toHaveBeenCalledTimes(2)
  await worker.stop()
})

test('TASKS-03 it is idle when a round finds nothing more and no task is under way', async () => {
  const { worker, run, track } = create({ gatherMs: NEVER_MS })
  const found: ReturnType<typeof track>[] = []
  run.mockImplementationOnce(async () => void found.push(track()))
  const isIdle = vi.fn()
  const idle = worker.idle().then(isIdle)
  await vi.waitUntil(() => found.length === 1)
  await new Promise(done => setImmediate(done))
  expect(isIdle).not.toHaveBeenCalled()
  found[0]!.resolve()
  await idle
  expect(run).toHaveBeenCalledTimes(2)
  await worker.stop()
})

test('TASKS-04 a stop lets tasks end, without breaking them off and without another round', async () => {
  const { worker, run, track } = create({ stopMs: NEVER_MS })
  const { resolve } = track()
  const isStopped = vi.fn()
  const stopped = worker.stop().then(isStopped)
  await new Promise(done => setImmediate(done))
  expect([isStopped.mock.calls.length, worker.signal.aborted]).toEqual([0, false])
  resolve()
  await stopped
  worker.wake()
  await worker.idle()
  expect(run).not.toHaveBeenCalled()
})

test('TASKS-05 a stop breaks off what lasts longer than it waits, and waits for its end', async () => {
  const { worker, track } = create({ stopMs: 1 })
  const { resolve } = track()
  const broken = vi.fn(resolve)
  worker.signal.addEventListener('abort', () => setImmediate(broken))
  await worker.stop()
  expect(broken).toHaveBeenCalledOnce()
  expect(worker.size).toBe(0)
})
