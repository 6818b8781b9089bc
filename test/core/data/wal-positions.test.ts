/** Positions in the write-ahead log, as a primary and a standby tell them. */
import { describe, expect, it } from 'vitest'
import { hasReached, positionOf } from '#core/data/wal-positions.ts'

const at = (lsn: string | null, timeline: string | null = '00000002') => positionOf({ lsn, timeline })

describe('positions', () => {
  it('WAL-01 MUST be ordered as numbers of 64 bits', () => {
    const reached = (replayed: string, needed: string) => hasReached(at(replayed), at(needed)!)
    expect(reached('16/B374D848', '16/B374D848')).toBe(true)
    expect(reached('16/B374D847', '16/B374D848')).toBe(false)
    expect(reached('17/0', '16/FFFFFFFF')).toBe(true)
    expect(reached('9/0', '10/0')).toBe(false)
    expect(reached('FFFFFFFF/FFFFFFFF', 'FFFFFFFF/FFFFFFFE')).toBe(true)
  })

  it('WAL-02 MUST NOT be reached by a standby of another timeline, however far it has come', () => {
    expect(hasReached(at('20/0', '00000001'), at('10/0')!)).toBe(false)
    expect(hasReached(at('20/0', '0000000A'), at('10/0', '0000000a')!)).toBe(true)
  })

  it('WAL-03 MUST NOT be reached where a server receives nothing, or is no standby', () => {
    expect(at('20/0', null)).toBeUndefined()
    expect(at(null)).toBeUndefined()
    expect(hasReached(undefined, at('10/0')!)).toBe(false)
    expect(() => at('nowhere')).toThrow('nowhere is no position')
  })
})
