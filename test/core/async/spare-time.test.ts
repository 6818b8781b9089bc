/** Work beside everything else: in its order, and within its share of the time. */
import { expect, it } from 'vitest'
import { SpareTime } from '#core/async/spare-time.ts'

const work = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
}

it('SPARE-01 is done soon, in the order in which it came', async () => {
  const done: number[] = []
  const spare = new SpareTime<number>(one => void done.push(one), { share: 0.5, spellMs: 5 })
  for (let one = 0; one < 100; one++) spare.add(one)
  expect(done).toEqual([])
  await expect.poll(() => done.length).toBe(100)
  expect(done).toEqual(Array.from({ length: 100 }, (_, one) => one))
})

it('SPARE-02 takes no more than its share, however much there is of it', async () => {
  let done = 0
  const spare = new SpareTime<number>(
    ms => {
      work(ms)
      done += 1
    },
    { share: 0.25, spellMs: 4 },
  )
  const began = performance.now()
  for (let one = 0; one < 100; one++) spare.add(1)
  await expect.poll(() => done, { timeout: 10_000 }).toBe(100)
  // A tenth of a second of work; what is done at last is followed by no rest.
  expect(performance.now() - began).toBeGreaterThan(300)
})
