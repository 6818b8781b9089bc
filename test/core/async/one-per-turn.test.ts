/** Turns of the event loop for work that holds it up. */
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { OnePerTurn } from '#core/async/limits.ts'

/** Begins so many pieces of work; and records those that were done. */
const take = (turns: OnePerTurn, client: string, count: number, done: string[]) =>
  Array.from({ length: count }, () => turns.take(client).then(() => done.push(client)))

test('ONE-TURN-01 the first is done at once, and one in each turn of the event loop', async () => {
  const turns = new OnePerTurn()
  const done: string[] = []
  const all = take(turns, 'a', 3, done)
  await Promise.resolve()
  expect(done).toEqual(['a'])
  let turn = 0
  while (done.length < 3 && turn < 10) {
    const before = done.length
    await setImmediate()
    turn += 1
    expect(done.length - before).toBeLessThanOrEqual(1)
  }
  await Promise.all(all)
  expect(done).toEqual(['a', 'a', 'a'])
})

test('ONE-TURN-02 who sends little comes before the rest of who sends much', async () => {
  const turns = new OnePerTurn()
  const done: string[] = []
  const many = take(turns, 'many', 100, done)
  const [one] = take(turns, 'one', 1, done)
  await one
  expect(done.indexOf('one')).toBeLessThanOrEqual(2)
  await Promise.all(many)
  expect(done).toHaveLength(101)
})

test('ONE-TURN-03 what others have to do is done between two turns', async () => {
  const turns = new OnePerTurn()
  const done: string[] = []
  const all = take(turns, 'a', 5, done)
  const seen: number[] = []
  while (done.length < 5) {
    seen.push(done.length)
    await setImmediate()
  }
  await Promise.all(all)
  expect(new Set(seen).size).toBeGreaterThanOrEqual(4)
})
