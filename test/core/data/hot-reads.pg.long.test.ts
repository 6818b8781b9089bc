/** All hot reads as they are used: what requests over REST and the graph lead to is read the same by both ways. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClientCache } from '#core/access/clients.ts'
import type { Db } from '#core/data/db.ts'
import { readBounds, readEvents } from '#core/events/read.ts'
import { restOf } from '#test/support/both-interfaces.ts'
import { READABLE } from '#test/support/fixtures/all.ts'
import { byPrisma, readingThrough } from '#test/support/statements.ts'
import { type BothWays, NUMBER, startBothWays } from './both-ways.ts'

const OPERATIONS = join(import.meta.dirname, '../../../schema/operations')
const operation = (name: string) => readFileSync(join(OPERATIONS, `${name}.graphql`), 'utf8')

let both: BothWays
beforeAll(async () => {
  both = await startBothWays()
})
afterAll(() => both[Symbol.asyncDispose]())

it.each(READABLE)('HOT-01 MUST read lists and single ones the same by both ways: $name', async fixture => {
  const get = async (path: string, client: string) => {
    const { status, body } = await restOf(both.stack)('GET', path, { token: both.tokens.get(client) })
    expect(status).toBe(200)
    return body
  }
  for (const client of both.tokens.keys()) {
    const [first] = await get(`${fixture.path}?perPage=3`, client)
    await get(`${fixture.path}?fromDate=2020-01-01&toDate=2100-01-01&page=1&perPage=5`, client)
    await get(`${fixture.path}?clientCorrelatorId=none`, client)
    if (first) await get(`${fixture.path}/${first[fixture.idField]}`, client)
  }
  both.expectSame(10)
})

it('HOT-02 MUST read what portals ask for the same by both ways', async () => {
  const span = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
  await both.ask('demo-portal', operation('customer-360'), { n: NUMBER })
  await both.ask('demo-portal', operation('failed-transactions'), span)
  await both.ask('demo-portal', operation('partner-day'), { partner: 'demo-kiosks', ...span })
  await both.ask('bound', operation('customer-360'), { n: NUMBER })
  both.expectSame(25)
})

it('HOT-03 MUST read pages of everything, with totals, the same by both ways', async () => {
  const data = await both.ask(
    'demo-analyst',
    `{ timeline(first: 30) { totalCount nodes { kind description amount { value } points } }
        byAmount: timeline(first: 5, orderBy: LARGEST_AMOUNT_FIRST) { nodes { description } }
        searched: timeline(first: 5, filter: { text: "bill" }) { totalCount nodes { description } }
        summary(by: DAY, groupBy: [KIND, OUTCOME, CURRENCY, PARTNER]) { period count amount { value } points }
        events(first: 20) { totalCount nodes { eventid eventTime } } latestEventCursor
        partners { totalCount nodes { id name } }
        webhookDeliveries(first: 10) { totalCount nodes { id status attempts createdAt nextAttemptAt attemptLog { at } } }
        customers(search: "100001") { totalCount nodes { customerAccountNumber customerName lines { number } } } }`,
  )
  expect(data.timeline.totalCount).toBeGreaterThan(20)
  both.expectSame(12)
})

it('HOT-04 MUST read events and clients the same by both ways', async () => {
  const { db } = both.stack.app
  const ofPrisma = readingThrough(db, statement => byPrisma(db).$queryRaw(statement))
  const byEach = <T>(read: (way: Db) => Promise<T>) => Promise.all([ofPrisma, db].map(read))
  const [bounds, sameBounds] = await byEach(readBounds)
  expect(sameBounds).toStrictEqual(bounds)
  const [events, sameEvents] = await byEach(way => readEvents(way, 0n, {}, 500))
  expect(sameEvents).toStrictEqual(events)
  expect(events!.events.length).toBeGreaterThan(5)
})

it('HOT-05 MUST read a client as Prisma does, whatever of it is null, empty or precise', async () => {
  const { db } = both.stack.app
  const full = {
    id: 'full',
    name: 'Ü 😀',
    role: 'partner',
    secretHash: 'x',
    previousSecretHash: 'y',
    previousSecretEnds: new Date('2030-01-01T00:00:00.123Z'),
    phoneNumber: '96891000001',
    currencies: ['OMR', 'USD'],
    maxAmount: '999999999999.9999',
    monthlyPoints: '0.01',
    webhookSecrets: ['a', '"b",{}'],
    webhookSecretEnds: [new Date('2031-05-05T05:05:05.555Z')],
    quotas: { requestsPerMinute: 5, deep: ['ü', null] },
    disabledAt: new Date(),
  }
  await db.client.create({ data: full })
  await db.client.create({ data: { id: 'empty', name: '', role: 'portal', secretHash: '' } })
  await db.$executeRaw`UPDATE access.client SET currencies = NULL WHERE id = 'empty'`
  const { find } = createClientCache({ db, now: Date.now, timeoutMs: 10_000 })
  for (const id of ['full', 'empty', 'demo-partner', 'not-there'])
    expect(await find(id)).toStrictEqual((await db.client.findUnique({ where: { id } })) ?? undefined)
})
