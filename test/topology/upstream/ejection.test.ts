/** A subgraph that fails: left alone, and probed now and then. */

import { describe, expect, it } from 'vitest'
import { createClock, refusal } from '#test/core/access/support.ts'
import { broken, json, silent, startInstance } from '#test/support/http-instance.ts'
import type { Upstream } from '#topology/upstream/upstream.ts'
import { counts, READ, request, upstreamsOver, WRITE } from './support.ts'

const failTimes = async (upstream: Upstream, times: number) => {
  for (let time = 0; time < times; time++) await refusal(upstream.request(WRITE))
}

describe('leaving alone', () => {
  it('UPS-20 MUST refuse at once when it failed five times in a row, and probe it with one request', async () => {
    const clock = createClock()
    await using a = await startInstance(broken)
    await using upstreams = upstreamsOver([a], clock)
    const upstream = upstreams.of('loyalty')!
    await failTimes(upstream, 5)
    const error = await refusal(upstream.request(READ))
    expect(error.message).toBe('The subgraph loyalty cannot be reached')
    expect(error.headers).toHaveProperty('retry-after')
    expect(counts(a)).toEqual([5])
    clock.pass(2_000)
    a.answer = silent
    const controller = new AbortController()
    const probe = refusal(upstream.request(request(true, controller.signal)))
    await a.count(6)
    await refusal(upstream.request(READ))
    expect(counts(a)).toEqual([6])
    controller.abort()
    await probe
  })

  it('UPS-21 MUST leave it out again when the probe fails, and take it back when it answers', async () => {
    const clock = createClock()
    await using a = await startInstance(broken)
    await using upstreams = upstreamsOver([a], clock)
    const upstream = upstreams.of('loyalty')!
    await failTimes(upstream, 5)
    clock.pass(2_000)
    await failTimes(upstream, 2)
    expect(counts(a)).toEqual([6])
    clock.pass(2_000)
    a.answer = json({ data: {} })
    await upstream.request(WRITE)
    await upstream.request(WRITE)
    expect(counts(a)).toEqual([8])
  })

  it('UPS-28 MUST probe it soon, since most are only restarted, and then less and less often', async () => {
    const clock = createClock()
    await using a = await startInstance(broken)
    await using upstreams = upstreamsOver([a], clock)
    const upstream = upstreams.of('loyalty')!
    await failTimes(upstream, 5)
    const probedAfter = async (ms: number) => {
      const [before] = counts(a)
      clock.pass(ms)
      await failTimes(upstream, 1)
      return counts(a)[0]! > before!
    }
    expect([await probedAfter(249), await probedAfter(1)]).toEqual([false, true])
    expect([await probedAfter(499), await probedAfter(1)]).toEqual([false, true])
    for (let time = 0; time < 5; time++) await probedAfter(2_000)
    expect([await probedAfter(1_999), await probedAfter(1)]).toEqual([false, true])
  })

  it('UPS-23 MUST count what other users report', async () => {
    const clock = createClock()
    await using a = await startInstance()
    await using upstreams = upstreamsOver([a], clock)
    const upstream = upstreams.of('loyalty')!
    for (let time = 0; time < 5; time++) upstream.claim().failed()
    expect(() => upstream.claim()).toThrow('The subgraph loyalty cannot be reached')
    clock.pass(2_000)
    const instance = upstream.claim()
    expect(() => upstream.claim()).toThrow('cannot be reached')
    instance.succeeded()
    expect(upstream.claim()).toMatchObject({ origin: a.origin, graphPath: '/graphql' })
  })

  it('UPS-24 MUST forget failures with a success between them', async () => {
    await using a = await startInstance(broken)
    await using upstreams = upstreamsOver([a], createClock())
    const upstream = upstreams.of('loyalty')!
    for (let round = 0; round < 3; round++) {
      a.answer = broken
      await failTimes(upstream, 4)
      a.answer = json({ data: {} })
      await upstream.request(WRITE)
    }
    expect(counts(a)).toEqual([15])
  })

  it('UPS-25 MUST NOT leave out a subgraph that is only busy', async () => {
    await using a = await startInstance(json({}, 503))
    await using upstreams = upstreamsOver([a], createClock())
    for (let time = 0; time < 10; time++) await upstreams.of('loyalty')!.request(READ)
    expect(counts(a)).toEqual([10])
  })

  it.each([
    { waited: 5_000, left: true },
    { waited: 4_999, left: false },
  ])(
    'UPS-26 MUST count a request given up after half of its time: $waited of 10000 ms',
    async ({ waited, left }) => {
      const clock = createClock()
      await using a = await startInstance(silent)
      await using upstreams = upstreamsOver([a], clock)
      const upstream = upstreams.of('loyalty')!
      const controller = new AbortController()
      const calls = Array.from({ length: 5 }, () =>
        refusal(upstream.request(request(true, controller.signal))),
      )
      await a.count(5)
      clock.pass(waited)
      controller.abort()
      await Promise.all(calls)
      if (left) expect(() => upstream.claim()).toThrow('cannot be reached')
      else expect(upstream.claim().origin).toBe(a.origin)
    },
  )

  it('UPS-27 MUST NOT hold against a subgraph what could not be sent to anyone', async () => {
    await using a = await startInstance()
    await using upstreams = upstreamsOver([a], createClock())
    const upstream = upstreams.of('loyalty')!
    for (let time = 0; time < 10; time++)
      await expect(upstream.request({ ...READ, path: '/a b' })).rejects.toThrow('invalid request path')
    expect((await upstream.request(READ)).status).toBe(200)
  })
})
