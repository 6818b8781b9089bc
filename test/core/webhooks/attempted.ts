/** Setup of the tests of attempts: a stage with a clock that the test moves, and a receiver for each test. */

import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Receiver, startReceiver } from './receiver.ts'
import { openStage, type Stage } from './stage.ts'

export const TIME_LIMIT_MS = 400

export let stage: Stage

export let receiver: Receiver

/** Lines that the stage has logged. */
export const logLines: string[] = []

export const post = async (more: object = {}) => {
  const id = await stage.pay({ notificationUrl: receiver.url, ...more })
  await stage.sent()
  return id
}

export const delivery = async (id: string) => (await stage.deliveries(id))[0]

/** Starts the stage before the file's tests, and a receiver before each. */
export const useAttempts = () => {
  beforeAll(async () => {
    stage = await openStage({ timeLimitMs: TIME_LIMIT_MS, env: { LOG_LEVEL: 'info' }, logLines })
  })
  afterAll(() => stage[Symbol.asyncDispose]())
  beforeEach(async () => {
    receiver = await startReceiver()
    stage.random = 0.5
    return () => receiver[Symbol.asyncDispose]()
  })
}
