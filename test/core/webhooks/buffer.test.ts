/** The buffer of a subscriber is bounded by events and by bytes, and its end says where to resume. */
import { expect, it } from 'vitest'
import { type EventRow, sizeOfEvent } from '#core/events/event.ts'
import { toEventCursor } from '#core/events/read.ts'
import { EventStream } from '#core/events/stream.ts'

const LIMIT = 64 * 1024

/** One that follows live and has taken nothing yet. */
const openStream = async (replayed: EventRow[] = []) => {
  const stream = new EventStream<EventRow>({
    after: 0n,
    capacity: 1_000_000,
    capacityBytes: LIMIT,
    sizeOf: sizeOfEvent,
    feedPosition: () => BigInt(replayed.length),
    matches: () => true,
    read: async () => ({ events: replayed, until: BigInt(replayed.length) }),
    onEnd: () => undefined,
  })
  for (const _ of replayed) await stream.next()
  const first = stream.next()
  await new Promise(setImmediate)
  return { stream, first }
}

const event = (position: number, length: number) =>
  ({ position: BigInt(position), description: 'x'.repeat(length), clientId: 'c' }) as EventRow

it('BUF-01 a subscriber that takes nothing is ended once its events come to too many bytes, however few they are', async () => {
  const { stream, first } = await openStream()
  stream.push(event(1, 10))
  await first
  for (let position = 2; position <= 20; position++) stream.push(event(position, 8_192))
  await expect(stream.next()).rejects.toThrow(`resume after ${toEventCursor(1n)}`)
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})

it('BUF-02 bytes that were taken, live or replayed, do not count any more', async () => {
  const { stream, first } = await openStream([event(1, 30_000), event(2, 30_000)])
  stream.push(event(3, 10))
  await first
  for (let position = 4; position <= 100; position++) {
    stream.push(event(position, 20_000))
    expect((await stream.next()).value?.position).toBe(BigInt(position))
  }
})
