/** Shared by the tests of rewards: a stack, and posting. */

import { afterAll, beforeAll } from 'vitest'
import { openPoints } from './points.ts'

export type Opened = Awaited<ReturnType<typeof openPoints>>

export let opened: Opened

export const post: Opened['post'] = (...call) => opened.post(...call)

/** Starts the stack before the file's tests. */
export const useRewards = () => {
  beforeAll(async () => {
    opened = await openPoints()
  })
  afterAll(() => opened[Symbol.asyncDispose]())
}
