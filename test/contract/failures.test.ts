/** When it cannot be done now: 504, 503, and how it recovers (docs/decisions.md, "Failures"). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { REWARD } from '../../subgraphs/loyalty/kind.ts'
import type { ClientRecord } from '../../subgraphs/shared/access/clients.ts'
import { startDeadline } from '../../subgraphs/shared/async/deadline.ts'
import type { Transaction } from '../../subgraphs/shared/data/db.ts'
import { lockSequence } from '../../subgraphs/shared/data/gapless-sequence.ts'
import { createInserter } from '../../subgraphs/shared/transactions/insert.ts'
import { Decimal } from '../../subgraphs/shared/values/decimal.ts'
import { newId } from '../../subgraphs/shared/values/id.ts'
import { auditInterfaces, auditServices } from '../support/audit.ts'
import { INTERFACES, restOf } from '../support/both-interfaces.ts'
import { ERROR_EXAMPLES, IN_TROUBLE } from '../support/error-examples.ts'
import { fieldOf } from '../support/fields.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import type { ServiceFixture } from '../support/fixtures/fixture.ts'
import { startProxy, type TcpProxy } from '../support/proxy.ts'
import type { RestAnswer } from '../support/rest.ts'
import { type Stack, startStack } from '../support/stack.ts'

const LIMIT_MS = 400
let stack: Stack
let token: string
/** Lets go of what a test holds. */
let release: (() => Promise<unknown>) | undefined

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

/** Holds something until released; the embedded database lets nobody else in meanwhile. */
const hold = async (take: (tx: Transaction) => Promise<unknown>) => {
  const held = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const transaction = stack.app.db
    .$transaction(
      async tx => {
        await tx.$executeRawUnsafe(`SET LOCAL idle_in_transaction_session_timeout = 0`)
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

/** Locks a service's sequence as another writer would. */
const lockSequenceOf = ({ table }: ServiceFixture) => hold(tx => lockSequence(tx, table.split('.')[1]!))

const count = async ({ table }: ServiceFixture, correlator: unknown) => {
  const sql = `SELECT count(*)::int AS count FROM ${table} WHERE client_correlator_id = $1`
  const [row] = await stack.app.db.$queryRawUnsafe<{ count: number }[]>(sql, correlator)
  return row!.count
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
      await hold(tx => tx.$executeRawUnsafe('LOCK TABLE access.client IN ACCESS EXCLUSIVE MODE'))
      const started = performance.now()
      const late = await client.create(stack, fixture, unread, fixture.body())
      expect(late).toMatchObject({ status: 504, code: 'REQUEST_TIMEOUT_EXCEEDED' })
      expect(performance.now() - started).toBeLessThan(LIMIT_MS + 1_600)
      await release!()
      expect(await client.create(stack, fixture, unread, fixture.body())).toMatchObject({ status: 401 })
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

/** What 30 posts are told while nothing can be posted: the time is up, or there are too many. */
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

/** The embedded database is in the process and cannot be away. */
describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('the database is away', () => {
  let proxy: TcpProxy
  let behind: Stack
  let partner: string

  beforeAll(async () => {
    const server = new URL(process.env['TEST_DATABASE_URL']!)
    proxy = await startProxy(server.hostname, Number(server.port || 5432))
    behind = await startStack({ databasePort: proxy.port })
    partner = await behind.token()
  })
  afterAll(async () => {
    proxy.restore()
    await behind[Symbol.asyncDispose]()
    await proxy.close()
  })
  afterEach(() => proxy.restore())

  /** The first try may still meet a connection that died. */
  const untilServed = async (fixture: ServiceFixture) => {
    for (let tries = 0; tries < 5; tries++) {
      const created = await INTERFACES[0]!.create(behind, fixture, partner, fixture.body())
      if (created.status === 201) return tries
    }
    throw new Error(`${fixture.name} did not recover`)
  }

  it.each(FIXTURES)('REST-AWAY-01 MUST answer 503 within 2 s and recover by itself: $name', async fixture => {
    await untilServed(fixture)
    proxy.cut()
    const started = performance.now()
    const response = await restOf(behind)('POST', fixture.path, { token: partner, body: fixture.body() })
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(response).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE', status: '503' } })
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    proxy.restore()
    expect(await untilServed(fixture)).toBeLessThan(2)
  })

  it.each(READABLE)('REST-AWAY-02 MUST answer 503 to reads within 2 s: $name', async fixture => {
    await untilServed(fixture)
    proxy.cut()
    const paths = [fixture.path, `${fixture.path}/01890000-0000-7000-8000-000000000000`]
    for (const path of paths) {
      const started = performance.now()
      const response = await restOf(behind)('GET', path, { token: partner })
      expect(response).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
      expect(performance.now() - started).toBeLessThan(2_000)
    }
  })

  it.each(FIXTURES)('GRAPH-AWAY-01 MUST answer SERVICE_UNAVAILABLE within 2 s: $name', async fixture => {
    await untilServed(fixture)
    proxy.cut()
    const started = performance.now()
    const created = await INTERFACES[1]!.create(behind, fixture, partner, fixture.body())
    expect(created).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('AWAY-03 MUST say so at /health/ready, while /health/live goes on', async () => {
    await untilServed(FIXTURES[0]!)
    proxy.cut()
    expect((await fetch(`${behind.address}/health/ready`)).status).toBe(503)
    expect((await fetch(`${behind.address}/health/live`)).status).toBe(200)
    proxy.restore()
    await untilServed(FIXTURES[0]!)
    expect((await fetch(`${behind.address}/health/ready`)).status).toBe(200)
  })

  it('AWAY-04 MUST settle what was posted before, once the database is back', async () => {
    const [fixture] = FIXTURES
    await untilServed(fixture!)
    proxy.cut()
    proxy.restore()
    await untilServed(fixture!)
    await behind.settled()
    const [row] = await behind.app.db.$queryRawUnsafe<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM ${fixture!.table} WHERE status = $1`,
      fixture!.initial,
    )
    expect(row!.count).toBe(0)
  })
})
