/** Connections to PostgreSQL that an operator ends while they are at work: 503, and served again at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'

/** The embedded database has no connections. */
describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('connections are ended', () => {
  let stack: Stack
  let token: string
  beforeAll(async () => {
    stack = await startStack()
    token = await stack.token()
  })
  afterAll(() => stack[Symbol.asyncDispose]())

  const [first] = FIXTURES
  const post = () => restOf(stack)('POST', first!.path, { token, body: first!.body() })
  const read = () => restOf(stack)('GET', first!.path, { token })
  const query = () => graphOf(stack)('{ payments(first: 1) { totalCount } }', { token })

  const endAll = () =>
    stack.app.db.$queryRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`.catch(() => undefined)

  it('TERMINATED-01 MUST answer 503 to what was at work then, and nothing but 201, 200 and 503', async () => {
    const statuses = new Set<number>()
    for (let round = 0; round < 4; round++) {
      const work = Array.from({ length: 5 }, () => [post(), read(), query()]).flat()
      const [responses] = await Promise.all([Promise.all(work), endAll(), endAll()])
      for (const response of responses) {
        statuses.add(response.status)
        if ('errors' in response)
          for (const { extensions } of response.errors) expect(extensions.code).toBe('SERVICE_UNAVAILABLE')
      }
    }
    expect([...statuses].filter(status => ![200, 201, 503].includes(status))).toEqual([])
    await expect.poll(async () => (await post()).status).toBe(201)
  })
})
