/** Look-ups that share statements: none gets another's value, and none suffers from another's fault. */
import { describe, expect, it } from 'vitest'
import { audienceOf } from '#core/access/visibility.ts'
import { sharedKey } from '#core/async/single-flight.ts'
import { batchedLookup } from '#core/data/batched-lookup.ts'

/** As the driver reports a text that PostgreSQL cannot hold. */
const refused = () => Object.assign(new Error('invalid byte sequence'), { meta: { code: '22021' } })

const lower = async (keys: readonly string[]) => {
  if (keys.some(key => key.includes('\0'))) throw refused()
  return keys.map(key => key.toLowerCase())
}

describe('together', () => {
  it('TOGETHER-01 reads together what is requested together, each key its own value', async () => {
    const calls: (readonly string[])[] = []
    const find = batchedLookup(async (keys: readonly string[]) => {
      calls.push(keys)
      return lower(keys)
    })
    expect(await Promise.all(['A', 'B', 'A'].map(find))).toEqual(['a', 'b', 'a'])
    expect(calls).toEqual([['A', 'B', 'A']])
  })

  it('TOGETHER-02 keeps nothing: a later look-up reads anew', async () => {
    let reads = 0
    const find = batchedLookup(async (keys: readonly string[]) => keys.map(() => (reads += 1)))
    expect([await find('A'), await find('A')]).toEqual([1, 2])
  })

  it('TOGETHER-03 a key that the database refuses fails alone', async () => {
    const find = batchedLookup(lower)
    const [good, bad, other] = await Promise.allSettled(['A', 'B\0', 'C'].map(find))
    expect(good).toEqual({ status: 'fulfilled', value: 'a' })
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'invalid byte sequence' } })
    expect(other).toEqual({ status: 'fulfilled', value: 'c' })
  })

  it('TOGETHER-04 a group that fails leaves the other groups alone', async () => {
    const down = async (keys: readonly string[]) => {
      if (keys.includes('down')) throw new Error('away')
      return keys
    }
    const find = batchedLookup(down, key =>
      sharedKey(audienceOf({ clientId: 'portal', role: 'portal' }), key),
    )
    const [failed, answered] = await Promise.allSettled(['down', 'up'].map(find))
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'away' } })
    expect(answered).toEqual({ status: 'fulfilled', value: 'up' })
  })
})
