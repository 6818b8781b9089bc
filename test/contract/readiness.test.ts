/** `/health/ready` says when nothing can be written, and `MAX_IN_FLIGHT` or waiting requests never keep it from answering. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack[Symbol.asyncDispose]())

const ready = async () => {
  const response = await fetch(`${stack.address}/health/ready`)
  return { status: response.status, body: await response.json() }
}
const PATIENT = { timeout: 15_000 }
const run = (sql: string) => stack.app.db.$executeRawUnsafe(sql)

it('READY-01 MUST be 503 with the reason while the disk is full, and 200 after', async () => {
  expect(await ready()).toEqual({ status: 200, body: { status: 'ready', reasons: [] } })
  await run(`CREATE FUNCTION books.full_disk() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`)
  await run(
    'CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON books.book EXECUTE FUNCTION books.full_disk()',
  )
  await expect.poll(ready, PATIENT).toEqual({
    status: 503,
    body: { status: 'not ready', reasons: ['the database cannot be written to (53100)'] },
  })
  await run('DROP TRIGGER full_disk ON books.book')
  await expect.poll(ready, PATIENT).toMatchObject({ status: 200 })
})
