/** One upstream subscription for many: whom its failure ends, and what each of them gets. */

import { describe, expect, test, vi } from 'vitest'
import { streamOf } from '#core/async/stream.ts'
import { ServiceError } from '#core/errors/catalogue.ts'
import { toEventCursor } from '#core/events/read.ts'
import { FanOut, type FanOutOptions } from '#topology/transport/fan-out.ts'
import type { UpstreamEvent } from '#topology/transport/reconnecting-stream.ts'
import { LostError } from '#topology/transport/subscription-socket.ts'
import { closeAfterEach } from './scripted.ts'

closeAfterEach()

describe('shared', () => {
  const unauthorized = new ServiceError('UNAUTHORIZED', 'The access token has expired')
  const headers = (token: string) => ({ authorization: token })

  /** A hub whose connections the test feeds and fails, each with the token it was made with. */
  const openHub = (parts: Partial<FanOutOptions> = {}) => {
    const opened: { token: string; after: bigint; give(position: bigint): void; fail(error: Error): void }[] =
      []
    const onEnd = vi.fn()
    const open: FanOutOptions['open'] = (after, current) => {
      const arrived: (UpstreamEvent | Error)[] = []
      let wake: () => void = () => undefined
      let begun = false
      const put = (one: UpstreamEvent | Error) => {
        arrived.push(one)
        wake()
      }
      const begin = () => {
        begun = true
        opened.push({
          after,
          token: current()['authorization']!,
          give: position => put({ position, response: {} }),
          fail: put,
        })
      }
      return streamOf<UpstreamEvent>(
        async () => {
          if (!begun) begin()
          while (arrived.length === 0) await new Promise<void>(done => (wake = done))
          const one = arrived.shift()!
          if (one instanceof Error) throw one
          return { done: false, value: one }
        },
        () => wake(),
      )
    }
    const fanOut = new FanOut({ after: 10n, head: 10n, capacity: 5, open, onEnd, ...parts })
    return { hub: fanOut, opened, onEnd }
  }

  test('USOCK-30 a refused token ends those whose it is; for the others it goes on, with a token of theirs', async () => {
    const { hub: fanOut, opened, onEnd } = openHub()
    const stays = fanOut.join(10n, headers('fresh'))
    opened[0]!.give(11n)
    expect((await stays.next()).value?.position).toBe(11n)
    const [one, two] = [fanOut.join(11n, headers('old')), fanOut.join(11n, headers('old'))]
    // The connection is made anew, now with the token of who came last.
    opened[0]!.fail(unauthorized)
    await expect(stays.next()).rejects.toBe(unauthorized)
    await vi.waitFor(() => expect(opened).toHaveLength(2))
    expect(opened[1]).toMatchObject({ token: 'old', after: 11n })
    const third = fanOut.join(11n, headers('new'))
    opened[1]!.fail(unauthorized)
    for (const subscriber of [one, two]) await expect(subscriber.next()).rejects.toBe(unauthorized)
    await vi.waitFor(() => expect(opened).toHaveLength(3))
    expect(opened[2]).toMatchObject({ token: 'new', after: 11n })
    opened[2]!.give(12n)
    expect((await third.next()).value?.position).toBe(12n)
    expect(onEnd).not.toHaveBeenCalled()
    await third.return()
    expect(onEnd).toHaveBeenCalledOnce()
  })

  test('USOCK-31 who does not take is ended with the place to resume, and the others get everything', async () => {
    const { hub: fanOut, opened } = openHub()
    const slow = fanOut.join(10n, headers('a'))
    const quick = fanOut.join(10n, headers('b'))
    opened[0]!.give(11n)
    expect((await slow.next()).value?.position).toBe(11n)
    const got: unknown[] = [(await quick.next()).value?.position]
    for (let position = 12n; position < 20n; position++) {
      opened[0]!.give(position)
      got.push((await quick.next()).value?.position)
    }
    expect(got).toEqual([11n, 12n, 13n, 14n, 15n, 16n, 17n, 18n, 19n])
    await expect(slow.next()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      extensions: { cursor: toEventCursor(11n) },
    })
  })

  test('USOCK-32 who comes without a cursor begins at the head, not where the first of them wanted to', async () => {
    const { hub: fanOut } = openHub({ head: 14n })
    expect(fanOut.head).toBe(14n)
  })

  test('USOCK-33 a transient failure tells everyone where to resume; another is reported as it is', async () => {
    for (const error of [new LostError('gone'), new ServiceError('PERMISSION_DENIED', 'no')]) {
      const { hub: fanOut, opened, onEnd } = openHub()
      const members = [fanOut.join(10n, headers('a')), fanOut.join(10n, headers('b'))]
      const next = members.map(subscriber => subscriber.next())
      opened[0]!.fail(error)
      const expected = error instanceof LostError ? { extensions: { cursor: toEventCursor(10n) } } : error
      for (const one of next) await expect(one).rejects.toMatchObject(expected)
      expect(onEnd).toHaveBeenCalledOnce()
      expect(fanOut.ended).toBe(true)
    }
  })

  test('USOCK-34 what was taken from memory is not read again from a connection of its own', async () => {
    const { hub: fanOut, opened } = openHub({ after: 100n, head: 100n, capacity: 5_000 })
    const stays = fanOut.join(100n, headers('stays'))
    const late = fanOut.join(99n, headers('late'))
    const first = late.next()
    await vi.waitFor(() => expect(opened).toHaveLength(2))
    opened[1]!.give(100n)
    const positions = [(await first).value!.position]
    const publish = async (from: bigint, until: bigint) => {
      for (let position = from; position <= until; position++) {
        opened[0]!.give(position)
        await stays.next()
      }
    }
    // Not live yet: it takes from memory, and by then memory holds nothing of what follows that.
    await publish(101n, 110n)
    positions.push((await late.next()).value!.position)
    await publish(111n, 1_200n)
    while (positions.length < 11) positions.push((await late.next()).value!.position)
    const next = late.next()
    await vi.waitFor(() => expect(opened).toHaveLength(3))
    expect(opened[2]!.after).toBe(110n)
    opened[2]!.give(111n)
    positions.push((await next).value!.position)
    expect(positions).toEqual(positions.map((_, index) => 100n + BigInt(index)))
    await Promise.all([stays.return(), late.return()])
  })
})
