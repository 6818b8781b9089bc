/** Admission by holder: a holder that wants everything leaves places, and turns, to the others. */
import { expect, test } from 'vitest'
import { type Admission, FairGate, Shares } from '#core/async/fair-slots.ts'
import { refusal } from '#test/core/access/support.ts'

const takeAll = (shares: Shares, holder: string) => {
  const taken = []
  while (shares.has(holder)) taken.push(shares.take(holder))
  return taken
}

test('SHARES-01 a holder alone has three quarters, and the next ones find room, however much it wants', () => {
  const shares = new Shares(1_000)
  expect(takeAll(shares, 'flood')).toHaveLength(750)
  expect(takeAll(shares, 'second').length).toBeGreaterThan(150)
  expect(takeAll(shares, 'third').length).toBeGreaterThan(40)
  expect(shares.has('fourth')).toBe(true)
})

test('SHARES-02 a place is given back once, and one place is enough for one holder', () => {
  const shares = new Shares(1)
  const giveBack = shares.take('one')
  expect(shares.has('other')).toBe(false)
  giveBack()
  giveBack()
  shares.take('other')
  expect(shares.has('one')).toBe(false)
})

const FOREVER = { slots: 8, longestMs: 60_000 }

/** Asks so many times for a place; `begun` has those that have one. */
const enterMany = (gate: FairGate, holder: string, count: number, waitMs = 60_000) => {
  const begun: Admission[] = []
  const places = Array.from({ length: count }, () => {
    const place = gate.enter(holder, waitMs)
    if (place.turn) place.turn.then(() => begun.push(place)).catch(() => undefined)
    else begun.push(place)
    return place
  })
  return { begun, places }
}

const leaveAll = (places: readonly Admission[]) => {
  for (const { leave } of places) leave()
}

test('GATE-01 another holder begins at once while a flood of one waits', () => {
  const gate = new FairGate(FOREVER)
  const flood = enterMany(gate, 'flood', 1_000)
  expect(flood.begun).toHaveLength(6)
  const other = gate.enter('other', 60_000)
  expect(other.turn).toBeUndefined()
  leaveAll([other, ...flood.places])
})

test('GATE-02 those that wait are taken one of each holder in turn, of one holder in their order', async () => {
  const gate = new FairGate({ slots: 1, longestMs: 60_000 })
  const first = gate.enter('a', 60_000)
  const begun: string[] = []
  const work = (holder: string, name: string) => {
    const { turn, leave } = gate.enter(holder, 60_000)
    return turn!.then(() => {
      begun.push(name)
      leave()
    })
  }
  const all = [work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1'), work('c', 'c1')]
  first.leave()
  await Promise.all(all)
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
})

test('GATE-03 what waits too long is refused, and who leaves waits no longer', async () => {
  const gate = new FairGate({ slots: 1, longestMs: 60_000 })
  const first = gate.enter('a', 60_000)
  expect(await refusal(gate.enter('b', 1).turn!)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  const gone = gate.enter('b', 60_000)
  const next = gate.enter('b', 60_000)
  const refused = refusal(gone.turn!)
  gone.leave()
  await refused
  first.leave()
  await next.turn
  next.leave()
  expect(gate.enter('c', 60_000).turn).toBeUndefined()
})

test('GATE-04 work that is slow for another reason than this process keeps others for a moment alone', async () => {
  const gate = new FairGate({ slots: 1, longestMs: 5 })
  gate.enter('slow', 60_000)
  const other = gate.enter('other', 60_000)
  await other.turn
  other.leave()
})
