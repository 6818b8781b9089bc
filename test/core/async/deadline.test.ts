/** The limit of a request: held where its timer comes too late, and no answer of its own once something is being written. */
import { expect, test } from 'vitest'
import { beginWriting, isOver, startDeadline, withDeadline } from '#core/async/deadline.ts'

const LIMIT_MS = 5
const EXPIRED = { code: 'REQUEST_TIMEOUT_EXCEEDED' }

/** Keeps the process busy beyond the limit, as the embedded database does: no timer fires meanwhile. */
const beBusy = () => {
  for (const end = performance.now() + LIMIT_MS + 1; performance.now() < end; );
}

test('DEADLINE-01 a result that came after the time, before the timer, is 504', async () => {
  const work = async () => beBusy()
  await expect(withDeadline(LIMIT_MS, work)).rejects.toMatchObject(EXPIRED)
})

test('DEADLINE-02 a check between two steps knows it before the timer does', () => {
  const { signal, stop } = startDeadline(LIMIT_MS)
  expect(isOver(signal)).toBe(false)
  beBusy()
  expect(isOver(signal)).toBe(true)
  expect(() => beginWriting(signal)).toThrow(expect.objectContaining(EXPIRED))
  stop()
})

test('DEADLINE-03 what has begun to be written decides the answer, however late', async () => {
  const written = Promise.withResolvers<string>()
  const answer = withDeadline(LIMIT_MS, signal => {
    beginWriting(signal)
    signal.addEventListener('abort', () => written.resolve('committed'))
    return written.promise
  })
  expect(await answer).toBe('committed')
})

test('DEADLINE-04 what fails to be written is its own failure', async () => {
  const answer = withDeadline(LIMIT_MS, async signal => {
    beginWriting(signal)
    beBusy()
    throw new Error('rolled back')
  })
  await expect(answer).rejects.toThrow('rolled back')
})

test('DEADLINE-05 the time that was spent before counts', async () => {
  let began = false
  const begin = async () => {
    began = true
  }
  const answer = withDeadline(1_000, begin, 1_000)
  await expect(answer).rejects.toMatchObject(EXPIRED)
  expect(began).toBe(false)
})
