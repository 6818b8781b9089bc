/** Records that no stored answer shows: their commits are ignored before they can be seen. */
import { expect, it } from 'vitest'
import { recordStatements } from '#core/answers/open.ts'
import type { Db, Statements } from '#core/data/db.ts'
import { openTestApp } from '../../support/stack.ts'

it('ANSWER-20 MUST know the number of a transaction before anything is written in it', async () => {
  await using opened = await openTestApp()
  const { db } = opened.app
  const steps: string[] = []
  const follow = (tx: Statements): Statements => ({
    ...tx,
    $queryRaw: tx.$queryRaw,
    async $executeRaw(...given) {
      steps.push('write')
      return tx.$executeRaw(...given)
    },
  })
  const followed = {
    $executeRaw: db.$executeRaw,
    $transaction: <T>(work: (tx: Statements) => Promise<T>) => db.$transaction(tx => work(follow(tx))),
  } as unknown as Db
  let number = ''
  const moments = {
    ignoring: () => (transaction: string) => {
      steps.push('ignore')
      number = transaction
    },
  }
  const records = recordStatements(followed, moments)
  const written = await records.$executeRaw`
    INSERT INTO audit.access_record (at, client_id, subject, correlator) VALUES (now(), 'c', '*', 'records-1'), (now(), 'c', '*', 'records-1')`
  expect(written).toBe(2)
  expect(steps).toEqual(['ignore', 'write'])
  const rows = await db.$queryRaw<{ number: string }[]>`
    SELECT xmin::text AS number FROM audit.access_record WHERE correlator = 'records-1'`
  expect(rows.map(row => row.number)).toEqual([number, number])
})

it('ANSWER-21 MUST write by one statement while nothing is compared', async () => {
  await using opened = await openTestApp()
  const { db } = opened.app
  const records = recordStatements(db, { ignoring: () => undefined })
  expect(
    await records.$executeRaw`
      INSERT INTO audit.access_record (at, client_id, subject, correlator) VALUES (now(), 'c', '*', 'records-2')`,
  ).toBe(1)
})
