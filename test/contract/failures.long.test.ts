/** When it cannot be done now: 504, 503, and how it recovers (docs/decisions.md, "Failures"). */

import { expect, it } from 'vitest'
import type { ClientRecord } from '#core/access/clients.ts'
import { startDeadline } from '#core/async/deadline.ts'
import { lockSequence } from '#core/data/gapless-sequence.ts'
import { createInserter } from '#core/transactions/post/insert.ts'
import { newId } from '#core/values/id.ts'
import { Decimal } from '#core/values/money.ts'
import { REWARD } from '#subgraphs/loyalty/kind.ts'
import { auditInterfaces, auditServices } from '../support/audit.ts'
import { restOf } from '../support/both-interfaces.ts'
import { ERROR_EXAMPLES, IN_TROUBLE } from '../support/error-examples.ts'
import { fieldOf } from '../support/fields.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import type { ServiceFixture } from '../support/fixtures/fixture.ts'
import type { RestAnswer } from '../support/rest.ts'
import { count, hold, LIMIT_MS, release, stack, token, useFailures } from './failures.ts'

useFailures()

/** Locks a service's sequence as another writer would. */
const lockSequenceOf = ({ table: name }: ServiceFixture) => {
  const [schema, table] = name.split('.')
  return hold(tx => lockSequence(tx, { schema: schema!, table: table! }))
}

auditInterfaces('TIMEOUT', FIXTURES, [
  [
    '01',
    'MUST answer 504 when the time is up, and leave nothing of it behind',
    async (fixture, client) => {
      expect(await client.create(stack, fixture, token, fixture.body())).toMatchObject({ status: 201 })
      await stack.settled()
      await lockSequenceOf(fixture)
      const body = fixture.body()
      const started = performance.now()
      const late = await client.create(stack, fixture, token, body)
      expect(late).toMatchObject({ status: 504, code: 'REQUEST_TIMEOUT_EXCEEDED' })
      expect(performance.now() - started).toBeLessThan(LIMIT_MS + 1_600)
      await release!()
      expect(await client.create(stack, fixture, token, fixture.body())).toMatchObject({ status: 201 })
      expect(await count(fixture, fieldOf(body, fixture.correlator))).toBe(0)
      expect(await client.create(stack, fixture, token, body)).toMatchObject({ status: 201 })
    },
  ],
])

it('TIMEOUT-03 MUST write nothing when the time ran out while the database was waited for, however late the timer', async () => {
  const fixture = FIXTURES.find(({ kind }) => kind === REWARD.name)!
  const { signal, stop } = startDeadline(10)
  await lockSequenceOf(fixture)
  const posted = createInserter(stack.app, REWARD)(
    {
      id: newId(),
      clientId: 'demo-partner',
      limits: { currencies: [], dummyCards: false },
      clientCorrelatorId: 'too-late',
      correlator: 'too-late',
      mobileNumber: '96891000001',
      points: new Decimal(1),
      body: {},
    },
    signal,
  )
  const refused = expect(posted).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT_EXCEEDED' })
  // As busy as the embedded database keeps a process: no timer fires meanwhile.
  for (const end = performance.now() + 15; performance.now() < end; );
  await release!()
  await refused
  stop()
  expect(await count(fixture, 'too-late')).toBe(0)
})

auditInterfaces('TIMEOUT', FIXTURES.slice(0, 1), [
  [
    '02',
    'MUST answer 504 also when it takes too long to find out who asks',
    async (fixture, client) => {
      const stranger = { id: `never-seen-${client.id}`, role: 'partner' } as ClientRecord
      const unread = await stack.app.access.issuer!.issue(stranger)
      await hold(tx => tx.$executeRaw`LOCK TABLE access.client IN ACCESS EXCLUSIVE MODE`)
      const started = performance.now()
      const late = await client.create(stack, fixture, unread, fixture.body())
      expect(late).toMatchObject({ status: 504, code: 'REQUEST_TIMEOUT_EXCEEDED' })
      expect(performance.now() - started).toBeLessThan(LIMIT_MS + 1_600)
      await release!()
      // On a busy machine the next one may take too long as well.
      const next = async () => (await client.create(stack, fixture, unread, fixture.body())).status
      await expect.poll(next, { timeout: 10_000 }).toBe(401)
    },
  ],
])

auditServices('REST-OVERLOAD', READABLE, [
  [
    '01',
    'MUST refuse with 503 and Retry-After, at once, what cannot be served, and serve again after',
    async fixture => {
      await restOf(stack)('POST', fixture.path, { token, body: fixture.body() })
      await stack.settled()
      await lockSequenceOf(fixture)
      const sent = Array.from({ length: 30 }, () =>
        restOf(stack)('POST', fixture.path, { token, body: fixture.body() }),
      )
      const responses = await Promise.all(sent)
      const refused = responses.filter(({ status }) => status === 503)
      expect(refused.length).toBeGreaterThanOrEqual(15)
      for (const { body, headers } of refused) {
        expect(body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: '503' })
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      }
      await release!()
      const after = await restOf(stack)('POST', fixture.path, { token, body: fixture.body() })
      expect(after.status).toBe(201)
    },
  ],
])

/** A table that is not there is a fault that nobody foresees. */
const withoutTable = async ({ table }: ServiceFixture, run: () => Promise<RestAnswer>) => {
  const [schema, name] = table.split('.')
  const rename = (from: string, to: string) =>
    stack.app.db.$executeRawUnsafe(`ALTER TABLE ${schema}.${from} RENAME TO ${to}`)
  await stack.settled()
  await rename(name!, 'elsewhere')
  return run().finally(() => rename('elsewhere', name!))
}

const postTo = ({ path, body }: ServiceFixture) => restOf(stack)('POST', path, { token, body: body() })

/** The responses to 30 posts while nothing can be posted: the time is up, or there are too many. */
const toldWhileLocked = async (fixture: ServiceFixture): Promise<RestAnswer[]> => {
  await postTo(fixture)
  await stack.settled()
  await lockSequenceOf(fixture)
  const answers = await Promise.all(Array.from({ length: 30 }, () => postTo(fixture)))
  return [504, 503].map(wanted => answers.find(({ status }) => status === wanted)!)
}

const asByDefault = ({ body }: RestAnswer) => ({
  ...body,
  message: body.message.replace(`${LIMIT_MS} ms`, '10000 ms'),
})

it('REST-EXAMPLE-03 MUST answer in trouble what the documents have as an example, to the letter', async () => {
  const [fixture] = FIXTURES
  const late = await toldWhileLocked(fixture!)
  await release!()
  const broken = await withoutTable(fixture!, () => postTo(fixture!))
  for (const [index, answer] of [...late, broken].entries()) {
    const examples = ERROR_EXAMPLES.filter(({ example }) => example.name === IN_TROUBLE[index])
    expect(examples).toHaveLength(FIXTURES.length)
    for (const { example } of examples) expect(asByDefault(answer)).toEqual(example.value)
  }
})
