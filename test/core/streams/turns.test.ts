/** Bursts of work: a few milliseconds in each turn of the event loop, by holder, on a clock that the work sets. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turns } from '#core/streams/connection.ts'
import { createClock } from '#test/core/access/support.ts'

test('TURNS-01 a burst is handled over many turns, each as long as one piece of work may make it', async () => {
  const clock = createClock()
  const turns = new Turns(clock.now)
  let done = 0
  const work = async () => {
    // What follows a promise counts too.
    await Promise.resolve()
    clock.pass(3)
    done += 1
  }
  for (let count = 0; count < 40; count += 1) turns.add(turns, () => void work())
  const inTurn = []
  while (done < 40) {
    const before = done
    await nextTurn()
    inTurn.push(done - before)
  }
  expect(Math.max(...inTurn)).toBeLessThanOrEqual(2)
})

test('TURNS-02 holders take turns, each in its own order', async () => {
  const turns = new Turns()
  const begun: string[] = []
  const [a, b] = [{}, {}]
  const add = (holder: object, name: string) => turns.add(holder, () => void begun.push(name))
  for (const name of ['a1', 'a2', 'a3']) add(a, name)
  add(b, 'b1')
  while (begun.length < 4) await nextTurn()
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('TURNS-03 work that is added by work is begun too, whenever it is added', async () => {
  const turns = new Turns()
  let begun = 0
  const chain = (left: number) => {
    begun += 1
    if (left > 0) turns.add(turns, () => chain(left - 1))
  }
  turns.add(turns, () => chain(99))
  while (begun < 100) await nextTurn()
  // All that was scheduled has run by then.
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  let late = false
  turns.add({}, () => (late = true))
  await nextTurn()
  await nextTurn()
  expect(late).toBe(true)
})
