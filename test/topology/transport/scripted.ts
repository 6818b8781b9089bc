/** Subgraphs that say over WebSocket what a test has them say. */

import { afterEach, vi } from 'vitest'

export const toClose: (() => Promise<unknown>)[] = []

export const createReports = () => ({ onResponse: vi.fn(), onFailed: vi.fn(), onAbandoned: vi.fn() })

/** Closes after each test what it opened. */
export const closeAfterEach = () => {
  afterEach(async () => {
    for (const close of toClose.splice(0)) await close()
  })
}
