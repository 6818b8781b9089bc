/** Upstreams over the instances of a test, and requests for them. */
import { log } from '#test/support/fetches.ts'
import type { TestInstance } from '#test/support/http-instance.ts'
import type { OpenRequest } from '#topology/upstream/connections.ts'
import { createUpstreams, type Upstreams } from '#topology/upstream/upstreams.ts'

/** Upstreams over this process of `loyalty`, or over others by name. */
export const upstreamsOver = (
  instances: readonly [TestInstance] | Record<string, TestInstance>,
  options: { timeoutMs?: number; now?: () => number } = {},
): Upstreams & AsyncDisposable => {
  const byName: Record<string, TestInstance> =
    Symbol.iterator in instances ? { loyalty: instances[0] } : instances
  const urls = new Map(Object.entries(byName).map(([name, { origin }]) => [name, origin]))
  const upstreams = createUpstreams({ urls, log, timeoutMs: 10_000, ...options })
  return { ...upstreams, [Symbol.asyncDispose]: () => upstreams.close() }
}

const never = new AbortController().signal

export const request = (isRead: boolean, signal = never): OpenRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{}',
  clientId: 'portal',
  signal,
  isRead,
})

export const READ = request(true)

export const WRITE = request(false)

export const counts = (...instances: TestInstance[]) => instances.map(({ requests }) => requests.length)
