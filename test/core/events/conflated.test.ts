/** Conflated events: events that come together are one, the last is never lost, and ending waits for nothing. */
import { expect, it } from 'vitest'
import { DONE, streamOf } from '#core/async/stream.ts'
import { ConflatedEvents } from '#core/events/conflated.ts'
import type { EventRow } from '#core/events/event.ts'

const event = (position: number) => ({ position: BigInt(position) }) as EventRow

/** A stream of the events that a test gives. */
const openSource = () => {
  const waiting: EventRow[] = []
  let wake: () => void = () => undefined
  let failure: Error | undefined
  let ended = false
  const next = async () => {
    while (waiting.length === 0 && !ended && !failure) await new Promise<void>(done => (wake = done))
    if (waiting.length > 0) return { done: false as const, value: waiting.shift()! }
    if (failure) throw failure
    return DONE
  }
  const stream = streamOf<EventRow>(next, () => {
    ended = true
    wake()
  })
  return {
    source: Object.assign(stream, { position: 0n }),
    give: (...positions: number[]) => {
      waiting.push(...positions.map(event))
      wake()
    },
    fail: (error: Error) => {
      failure = error
      wake()
    },
    isEnded: () => ended,
  }
}

/** Lets events on their way arrive. */
const settle = () => new Promise(setImmediate)

it('NEWEST-01 gives the first at once, nothing in its rest, and the last of those that came in it', async () => {
  const { source, give } = openSource()
  const conflated = new ConflatedEvents(source, 200)
  give(1)
  expect((await conflated.next()).value?.position).toBe(1n)
  let isGiven = false
  const second = conflated.next().finally(() => (isGiven = true))
  give(2, 3)
  await settle()
  give(4)
  // Later than any timer of a rest that is none.
  await new Promise(done => setTimeout(done, 5))
  expect([isGiven, conflated.position]).toEqual([false, 1n])
  expect((await second).value?.position).toBe(4n)
  expect(conflated.position).toBe(4n)
  await conflated.return()
})

it('NEWEST-02 gives the last of all to a reader that did not ask for long', async () => {
  const { source, give } = openSource()
  const conflated = new ConflatedEvents(source, 0)
  give(...Array.from({ length: 5_000 }, (_, index) => index + 1))
  const taken: bigint[] = []
  do taken.push((await conflated.next()).value!.position)
  while (taken.at(-1) !== 5_000n)
  expect(taken.length).toBeLessThan(50)
  await conflated.return()
})

it('NEWEST-03 throws a failure once, after the last event, without a rest', async () => {
  const { source, give, fail } = openSource()
  const conflated = new ConflatedEvents(source, 60_000)
  give(1)
  await conflated.next()
  give(2)
  await settle()
  fail(new Error('resume after 2'))
  expect((await conflated.next()).value?.position).toBe(2n)
  await expect(conflated.next()).rejects.toThrow('resume after 2')
  expect(await conflated.next()).toEqual(DONE)
})

it('NEWEST-04 ends at once, in a rest or while nothing comes, and its source with it', async () => {
  for (const given of [[1], []]) {
    const { source, give, isEnded } = openSource()
    const conflated = new ConflatedEvents(source, 60_000)
    give(...given)
    if (given.length > 0) await conflated.next()
    const pending = conflated.next()
    give(2)
    if (given.length > 0) await settle()
    else expect((await pending).value?.position).toBe(2n)
    await conflated.return()
    if (given.length > 0) expect(await pending).toEqual(DONE)
    expect(await conflated.next()).toEqual(DONE)
    expect(isEnded()).toBe(true)
  }
})
