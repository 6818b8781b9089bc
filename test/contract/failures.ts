/** Shared by the tests of failures: a stack with a short time limit, and work that keeps its database busy. */

import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Statements } from '#core/data/db.ts'
import type { ServiceFixture } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

export const LIMIT_MS = 400

export let stack: Stack

export let token: string

/** Lets go of what a test holds. */
export let release: (() => Promise<unknown>) | undefined

/** Holds something until released; the embedded database lets nobody else in meanwhile. */
export const hold = async (take: (tx: Statements) => Promise<unknown>) => {
  const held = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const transaction = stack.app.db
    .$transaction(
      async tx => {
        await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`
        await take(tx)
        held.resolve()
        await done.promise
      },
      { timeout: 120_000 },
    )
    .catch(held.reject)
  await held.promise
  release = () => {
    done.resolve()
    return transaction
  }
}

export const count = async ({ table }: ServiceFixture, correlator: unknown) => {
  const sql = `SELECT count(*)::int AS count FROM ${table} WHERE client_correlator_id = $1`
  const [row] = await stack.app.db.$queryRawUnsafe<{ count: number }[]>(sql, correlator)
  return row!.count
}

/** Starts the stack before the file's tests. */
export const useFailures = () => {
  beforeAll(async () => {
    const env = { REQUEST_TIMEOUT_MS: String(LIMIT_MS), MAX_IN_FLIGHT: '10' }
    stack = await startStack({ env, logLines: [] })
    token = await stack.token()
  })
  afterEach(async () => {
    await release?.()
    release = undefined
  })
  afterAll(() => stack[Symbol.asyncDispose]())
}
