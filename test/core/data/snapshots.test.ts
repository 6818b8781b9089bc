/** Snapshots of PostgreSQL: which of them show the same data, as far as stored answers show it. */
import { describe, expect, it } from 'vitest'
import { IgnoredTransactions } from '#core/data/snapshots.ts'

const alike = (earlier: string, later: string, ...ignored: string[]) => {
  const transactions = new IgnoredTransactions()
  for (const one of ignored) transactions.add(one)
  return transactions.areAlike(earlier, later)
}

describe('two snapshots', () => {
  it.each([
    ['are the same', '10:12:10', '10:12:10'],
    ['differ in what is running alone', '10:12:10', '10:14:10,12,13'],
  ])('SNAPSHOT-01 are alike where they %s', (_, earlier, later) => {
    expect(alike(earlier, later)).toBe(true)
  })

  it.each([
    ['one was committed that had begun', '10:12:10', '12:12:'],
    ['one was committed that was begun later', '10:12:10', '10:13:10'],
    ['one was committed behind one that runs', '10:12:10', '10:14:10,12'],
  ])('SNAPSHOT-02 are not where %s', (_, earlier, later) => {
    expect(alike(earlier, later)).toBe(false)
  })

  it('SNAPSHOT-03 are alike where all that were committed are ignored, whether they had begun or not', () => {
    expect(alike('10:12:10', '12:14:', '10', '12', '13')).toBe(true)
    expect(alike('10:12:10', '12:14:', '10', '13')).toBe(false)
    expect(alike('10:12:10', '12:14:', '12', '13')).toBe(false)
  })

  it('SNAPSHOT-04 are not where too much lies between them, or the later is before the earlier', () => {
    const all = Array.from({ length: 5_000 }, (_, index) => String(10 + index))
    expect(alike('10:10:', '1000:1000:', ...all)).toBe(true)
    expect(alike('10:10:', '4000:4000:', ...all)).toBe(false)
    expect(alike('12:12:', '10:10:', ...all)).toBe(false)
  })
})
