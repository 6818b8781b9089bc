/** What the tests of upstreams share. */

import type { UpstreamRequest } from '#topology/upstream/instance.ts'
import type { TestInstance } from './support.ts'

const never = new AbortController().signal

export const request = (isRead: boolean, signal = never): UpstreamRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{}',
  clientId: 'portal',
  signal,
  isRead,
})

export const READ = request(true)

export const WRITE = request(false)

export const counts = (...instances: TestInstance[]) => instances.map(({ asked }) => asked.length)
