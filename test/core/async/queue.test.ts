import { describe, expect, it } from 'vitest'
import { AsyncQueue, type AsyncQueueOptions, DONE } from '#core/async/stream.ts'

const queueOf = <T = string>(options: Partial<AsyncQueueOptions<T>> = {}) =>
  new AsyncQueue<T>({ capacity: 2, onFull: () => undefined, ...options })

const given = <T>(value: T) => ({ done: false, value })

describe('a queue', () => {
  it('gives items in the sequence in which they were put', async () => {
    const queue = queueOf()
    queue.put('a')
    queue.put('b')
    expect(queue.size).toBe(2)
    expect(await queue.next()).toEqual(given('a'))
    expect(await queue.next()).toEqual(given('b'))
    expect(queue.size).toBe(0)
  })

  it('gives an item to a consumer that waits for it, also one that is falsy', async () => {
    const queue = queueOf<number>()
    const next = queue.next()
    queue.put(0)
    expect(await next).toEqual(given(0))
  })

  it('serves several consumers that wait at the same time', async () => {
    const queue = queueOf()
    const both = Promise.all([queue.next(), queue.next()])
    queue.put('a')
    queue.put('b')
    expect(await both).toEqual([given('a'), given('b')])
  })

  it.each(['return', 'close', 'dispose'] as const)('ends a waiting consumer at once: %s', async way => {
    const queue = queueOf()
    const next = queue.next()
    if (way === 'return') await queue.return()
    else if (way === 'close') queue.close()
    else await queue[Symbol.asyncDispose]()
    expect(await next).toEqual(DONE)
    expect(await queue.next()).toEqual(DONE)
    expect(queue.isEnded).toBe(true)
  })

  it('drops what waits and what comes later when it is closed', async () => {
    const queue = queueOf()
    queue.put('a')
    queue.close()
    queue.put('b')
    queue.fill(['c'])
    expect(await queue.next()).toEqual(DONE)
  })

  it('gives what waits before it ends, then throws the first error once', async () => {
    const queue = queueOf()
    queue.put('a')
    queue.end(new Error('first'))
    queue.end(new Error('second'))
    expect(await queue.next()).toEqual(given('a'))
    await expect(queue.next()).rejects.toThrow('first')
    expect(await queue.next()).toEqual(DONE)
  })

  it('ends, and passes on the error, when its consumer throws into it', async () => {
    const queue = queueOf()
    await expect(queue.throw(new Error('of the consumer'))).rejects.toThrow('of the consumer')
    expect(await queue.next()).toEqual(DONE)
  })

  it('is read by `for await`, and ended by leaving the loop', async () => {
    const queue = queueOf()
    queue.put('a')
    for await (const item of queue) {
      expect(item).toBe('a')
      break
    }
    expect(queue.isEnded).toBe(true)
  })
})

describe('a queue that is full', () => {
  it('fails where it is closed with an error', async () => {
    const queue = queueOf({ onFull: full => full.close(new Error('too slow')) })
    for (const item of ['a', 'b', 'c', 'd']) queue.put(item)
    await expect(queue.next()).rejects.toThrow('too slow')
    expect(await queue.next()).toEqual(DONE)
  })

  it('is conflated where the oldest item is dropped', async () => {
    const queue = queueOf({ capacity: 1, onFull: full => full.dropOldest() })
    for (const item of ['a', 'b', 'c']) queue.put(item)
    expect(await queue.next()).toEqual(given('c'))
    expect(queue.size).toBe(0)
  })

  it('holds its producer back until everything is taken', async () => {
    const calls: string[] = []
    const queue = queueOf({ onFull: () => calls.push('full'), onEmpty: () => calls.push('empty') })
    for (const item of ['a', 'b', 'c']) queue.put(item)
    expect(calls).toEqual(['full'])
    for (let taken = 0; taken < 3; taken++) await queue.next()
    expect(calls).toEqual(['full', 'empty'])
  })

  it('counts bytes that are given back when an item is taken', async () => {
    let times = 0
    const queue = queueOf({
      capacity: 10,
      capacityBytes: 4,
      sizeOf: item => item.length,
      onFull: () => times++,
    })
    queue.put('aaaa')
    await queue.next()
    queue.put('bbbb')
    expect(times).toBe(0)
    queue.put('c')
    expect(times).toBe(1)
  })

  it('takes everything that its consumer has requested', async () => {
    const queue = queueOf({ capacity: 1, onFull: full => full.close(new Error('too slow')) })
    queue.fill(['a', 'b', 'c'])
    expect(queue.size).toBe(3)
    expect(await queue.next()).toEqual(given('a'))
  })
})
