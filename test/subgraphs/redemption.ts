/** Shared by the tests of redemptions: a stack, and posting. */

import { afterAll, beforeAll } from 'vitest'
import { openPoints, REDEMPTIONS } from './points.ts'

export type Opened = Awaited<ReturnType<typeof openPoints>>

export let opened: Opened

export const post: Opened['post'] = (...call) => opened.post(...call)

export const get: Opened['get'] = (...call) => opened.get(...call)

export const read = async (id: string, token?: string) => (await get(`${REDEMPTIONS}/${id}`, token)).body

/** Posts a redemption and reads it again once it is settled. */
export const postAndSettle = async (body: object, token?: string) => {
  const { body: created } = await post(REDEMPTIONS, body, token)
  await opened.stack.settled()
  return read(created.redemptionId, token)
}

/** Starts the stack before the file's tests. */
export const useRedemptions = () => {
  beforeAll(async () => {
    opened = await openPoints()
  })
  afterAll(() => opened[Symbol.asyncDispose]())
}
