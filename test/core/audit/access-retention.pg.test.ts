/** Access records are kept for `ACCESS_LOG_DAYS`, and nothing alters them meanwhile. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteExpiredAccess, listAccess } from '#core/audit/access-records.ts'
import { openTestApp, type TestApp } from '../../support/stack.ts'

let opened: TestApp

beforeAll(async () => {
  opened = await openTestApp()
})
afterAll(() => opened[Symbol.asyncDispose]())

const DAY_MS = 86_400_000

const record = (subject: string, daysAgo: number) =>
  opened.app.db.accessRecord.create({
    data: { at: new Date(Date.now() - daysAgo * DAY_MS), clientId: 'portal', subject, correlator: 'c' },
  })

const subjects = async () =>
  (await listAccess(opened.app.db, { filter: { client: 'portal' } })).nodes.map(({ subject }) => subject)

it('ACCESS-20 MUST delete what has expired, in whichever sequence it was written, and nothing else', async () => {
  for (const [subject, daysAgo] of [
    ['old', 401],
    ['late', 399],
    ['older', 500],
    ['new', 0],
  ] as const)
    await record(subject, daysAgo)
  const beginning = { after: 0n }
  const { db } = opened.app
  expect(await deleteExpiredAccess(db, 400, beginning)).toBe(2)
  expect(await subjects()).toEqual(['new', 'late'])
  expect(await deleteExpiredAccess(db, 400, beginning)).toBe(0)
  expect(await deleteExpiredAccess(db, 398, beginning)).toBe(1)
  expect(await subjects()).toEqual(['new'])
})

it('ACCESS-21 MUST refuse to alter a record, and to remove all', async () => {
  const { db } = opened.app
  await record('kept', 0)
  await expect(db.$executeRaw`UPDATE audit.access_record SET subject = 'x'`).rejects.toThrow(/only added/)
  await expect(db.$executeRaw`TRUNCATE audit.access_record`).rejects.toThrow(/only added/)
})
