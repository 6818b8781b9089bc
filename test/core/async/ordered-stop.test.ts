/** An ordered stop: the opposite order of opening, bounded in time, with the name of whatever does not end. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOrderedStop, StopError } from '#core/async/ordered-stop.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = () => new Promise<never>(() => undefined)

const create = (withinMs = 5_000) => {
  const stopped: string[] = []
  const onFault = vi.fn()
  const part = (name: string) => ({ name, stop: async () => void stopped.push(name) })
  return { opened: createOrderedStop({ withinMs, onFault }), onFault, part, stopped }
}

test('STOP-01 what was opened first is closed last, at its level', async () => {
  const { opened, part, stopped } = create()
  const below = opened.level()
  opened.add(part('server'))
  const above = opened.level()
  above.add(part('streams'))
  below.add(part('database'))
  below.add(part('workers'))
  await opened.stop()
  expect(stopped).toEqual(['streams', 'server', 'workers', 'database'])
})

test('STOP-02 a part that never ends is named in time, and all others have stopped', async () => {
  const { opened, onFault, part, stopped } = create(5_000)
  opened.add(part('database'))
  opened.add({ name: 'settler', stop: never }, part('projector'))
  opened.add(part('server'))
  const failed = expect(opened.stop()).rejects.toEqual(new StopError(['settler']))
  await vi.advanceTimersByTimeAsync(5_000)
  await failed
  expect(onFault.mock.calls).toEqual([['settler', new Error('did not end within 5000 ms')]])
  expect(stopped).toEqual(['server', 'projector', 'database'])
})

test('STOP-03 parts whose time others have used up have a second each', async () => {
  const { opened, onFault } = create(5_000)
  for (const name of ['first', 'second', 'third']) opened.add({ name, stop: never })
  const failed = expect(opened.stop()).rejects.toThrow('not stopped: third, second, first')
  await vi.advanceTimersByTimeAsync(7_000)
  await failed
  expect(onFault.mock.calls.map(([, { message }]) => message)).toEqual([
    'did not end within 5000 ms',
    'did not end within 1000 ms',
    'did not end within 1000 ms',
  ])
})

test('STOP-04 a part that fails keeps none from stopping', async () => {
  const { opened, onFault, part, stopped } = create()
  const broken = new Error('broken')
  const fail = () => {
    throw broken
  }
  opened.add(part('database'))
  opened.add({ name: 'at once', stop: fail })
  opened.add({ name: 'later', stop: async () => fail() })
  await expect(opened.stop()).rejects.toThrow('not stopped: later, at once')
  expect(onFault.mock.calls).toEqual([
    ['later', broken],
    ['at once', broken],
  ])
  expect(stopped).toEqual(['database'])
})

test('STOP-05 what was opened is kept when all is open', async () => {
  const { opened, part, stopped } = create()
  const open = async () => {
    await using opening = opened
    opening.add(part('database'))
    return opening.move()
  }
  const kept = await open()
  expect(stopped).toEqual([])
  await kept.stop()
  expect(stopped).toEqual(['database'])
})

test('STOP-07 an opening that fails gives back what was opened, and tells why it failed', async () => {
  const { opened, onFault, part, stopped } = create()
  const open = async () => {
    await using opening = opened
    opening.add(part('database'))
    opening.add({ name: 'settler', stop: () => Promise.reject(new Error('broken')) })
    throw new Error('no port')
  }
  await expect(open()).rejects.toEqual(new Error('no port'))
  expect(stopped).toEqual(['database'])
  expect(onFault).toHaveBeenCalledOnce()
})

test('STOP-06 a failure below an ordered stop of its own is reported once', async () => {
  const { opened, onFault, part, stopped } = create()
  const inner = create()
  inner.opened.add({ name: 'settler', stop: () => Promise.reject(new Error('broken')) })
  opened.add(part('database'))
  opened.addOrdered(inner.opened)
  await expect(opened.stop()).rejects.toEqual(new StopError(['settler']))
  expect(inner.onFault).toHaveBeenCalledOnce()
  expect(onFault).not.toHaveBeenCalled()
  expect(stopped).toEqual(['database'])
})
