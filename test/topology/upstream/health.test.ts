/** A gateway's readiness names subgraphs that do not answer, as a process that hangs does not. */
import { expect, it } from 'vitest'
import { createClock } from '#test/core/access/support.ts'
import { broken, json, silent, startInstance } from '#test/support/http-instance.ts'
import { upstreamCheck } from '#topology/upstream/upstreams.ts'
import { counts, upstreamsOver } from './support.ts'

it.each([200, 500, 503])('UPS-30 MUST be nothing while the subgraph answers, be it with %i', async status => {
  await using a = await startInstance(json({}, status))
  await using upstreams = upstreamsOver([a], createClock())
  upstreams.of('loyalty')
  expect(await upstreamCheck(upstreams)()).toEqual([])
})

it('UPS-31 MUST be a reason within 3 s when it does not answer, and one probe serves all who wait', async () => {
  await using hanging = await startInstance(silent)
  await using upstreams = upstreamsOver([hanging], createClock())
  upstreams.of('loyalty')
  const check = upstreamCheck(upstreams)
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 20 }, check))
  expect(performance.now() - began).toBeLessThan(3_000)
  expect(new Set(answers)).toEqual(new Set([answers[0]]))
  expect(answers[0]).toEqual([
    { part: 'subgraph loyalty', reason: 'the subgraph loyalty does not answer', since: undefined },
  ])
  expect(counts(hanging)).toEqual([1])
  hanging.answer = json({})
  expect(await check()).toEqual([])
})

it('UPS-32 MUST say since when it is, from the first request that failed on', async () => {
  await using instance = await startInstance(broken)
  await using upstreams = upstreamsOver([instance], createClock())
  const upstream = upstreams.of('loyalty')!
  const before = Date.now()
  const { signal } = new AbortController()
  const request = { method: 'POST', headers: {}, clientId: 'a', isRead: false, signal }
  await expect(upstream.request(request)).rejects.toThrow()
  const after = Date.now()
  const [first] = await upstreamCheck(upstreams)()
  expect(first!.since!.getTime()).toBeGreaterThanOrEqual(before)
  expect(first!.since!.getTime()).toBeLessThanOrEqual(after)
  const [again] = await upstreamCheck(upstreams)()
  expect(again!.since).toEqual(first!.since)
})
