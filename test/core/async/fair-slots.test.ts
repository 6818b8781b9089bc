/** Slots that clients share: nobody's long work keeps another from beginning its own. */
import { describe, expect, it } from 'vitest'
import { FairSlots, type FreeSlot } from '#core/async/fair-slots.ts'

const never = new AbortController().signal

/** Takes as many as there are for a client. */
const takeAll = (slots: FairSlots, client: string): FreeSlot[] => {
  const taken: FreeSlot[] = []
  for (let free = slots.take(client); free; free = slots.take(client)) taken.push(free)
  return taken
}

describe('fair slots', () => {
  it('SLOT-01 MUST leave a client as many as others hold together with what is free', () => {
    const slots = new FairSlots(64)
    const held = ['a', 'b', 'c', 'd'].map(client => takeAll(slots, client).length)
    expect(held).toEqual([32, 16, 8, 4])
    expect(takeAll(slots, 'a')).toEqual([])
  })

  it('SLOT-02 MUST give the last one to a client that holds none', () => {
    const slots = new FairSlots(1)
    expect(takeAll(slots, 'a')).toHaveLength(1)
    expect(slots.take('b')).toBeUndefined()
  })

  it('SLOT-03 MUST count one that is given back twice once', () => {
    const slots = new FairSlots(4)
    const [first, second] = takeAll(slots, 'a')
    first!()
    first!()
    expect(takeAll(slots, 'a')).toHaveLength(1)
    second!()
    expect(takeAll(slots, 'a')).toHaveLength(1)
  })

  it('SLOT-04 MUST serve of those who wait the one who holds the fewest, and those who hold as many in turn', async () => {
    const slots = new FairSlots(2)
    const [ofA] = takeAll(slots, 'a')
    const [ofB] = takeAll(slots, 'b')
    const order: string[] = []
    const wait = async (client: string) => {
      const free = await slots.wait(client, never)
      order.push(client)
      free()
    }
    const [greedy, ...others] = ['a', 'c', 'c', 'd'].map(wait)
    ofB!()
    await Promise.all(others)
    expect(order).toEqual(['c', 'd', 'c'])
    ofA!()
    await greedy
    expect(takeAll(slots, 'e')).toHaveLength(1)
  })

  it('SLOT-05 MUST forget who gives up, with its own reason', async () => {
    const slots = new FairSlots(1)
    const [free] = takeAll(slots, 'a')
    const leaving = new AbortController()
    const left = slots.wait('b', leaving.signal)
    const patient = slots.wait('c', never)
    leaving.abort(new Error('no time'))
    await expect(left).rejects.toThrow('no time')
    await expect(slots.wait('d', leaving.signal)).rejects.toThrow('no time')
    free!()
    ;(await patient)()
    expect(takeAll(slots, 'b')).toHaveLength(1)
  })
})
