/** Walks along owners, and records of outcomes: each owner has its turn, and no outcome is lost with those beside it. */
import { describe, expect, it } from 'vitest'
import type { Watchdog } from '#core/async/watchdog.ts'
import { createRecorder, OwnerWalk, ownersPerClaim } from '#core/queue/lease-queue.ts'

const UNWATCHED: Watchdog = {
  over: () => ({ limitMs: 0, begin: () => undefined, progress: () => undefined, end: () => undefined }),
  states: () => [],
}

describe('a walk along owners', () => {
  const OWNERS = ['a', 'b', 'c', 'd', 'e']

  /** Claims at most two owners; returns the last one, and '' at the end of all. */
  const claimInto = (claimed: string[]) => async (after: string) => {
    const found = OWNERS.filter(owner => owner > after).slice(0, 2)
    claimed.push(...found)
    return found.length === 2 ? found[1]! : ''
  }

  it('QUEUE-01 begins where the last round ended, and goes around once at the most', async () => {
    const walk = new OwnerWalk()
    const claimed: string[] = []
    await walk.round(() => claimed.length < 2, claimInto(claimed))
    expect(claimed).toEqual(['a', 'b'])
    await walk.round(() => true, claimInto(claimed))
    expect(claimed.slice(2)).toEqual(['c', 'd', 'e', 'a', 'b', 'c', 'd', 'e'])
  })

  it('QUEUE-02 claims nothing while no slot is free', async () => {
    const claimed: string[] = []
    await new OwnerWalk().round(() => false, claimInto(claimed))
    expect(claimed).toEqual([])
  })

  it('QUEUE-03 looks at more owners the more slots are free, within bounds', () => {
    expect([1, 100, 10_000].map(ownersPerClaim)).toEqual([64, 200, 512])
  })
})

describe('a recorder', () => {
  const OPTIONS = { watchdog: UNWATCHED, name: 'outcomes of a test', maxBatch: 100 }

  it('QUEUE-04 writes outcomes that come together with one call, and returns each its own result', async () => {
    const batches: number[][] = []
    const record = createRecorder<number, number>(async items => {
      batches.push([...items])
      return items.map(item => 10 * item)
    }, OPTIONS)
    expect(await Promise.all([1, 2, 3].map(record))).toEqual([10, 20, 30])
    expect(batches).toEqual([[1, 2, 3]])
  })

  it('QUEUE-05 records the others of a batch one by one where one of them cannot be recorded', async () => {
    const [written, rejected]: [number[], number[]] = [[], []]
    const record = createRecorder<number, number>(
      async items => {
        if (items.includes(2)) throw new Error('refused')
        written.push(...items)
        return items
      },
      { ...OPTIONS, onRejected: item => rejected.push(item) },
    )
    expect(await Promise.all([1, 2, 3].map(record))).toEqual([1, undefined, 3])
    expect([written, rejected]).toEqual([[1, 3], [2]])
    await expect(record(2)).rejects.toThrow('refused')
  })

  it('QUEUE-06 fails all outcomes of a batch where single ones are not to be tried', async () => {
    const record = createRecorder<number, number>(async () => {
      throw new Error('away')
    }, OPTIONS)
    const results = await Promise.allSettled([1, 2].map(record))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
