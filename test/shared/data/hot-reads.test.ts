/**
 * All hot reads as they are used: each statement that requests over REST and the graph lead to is read by both ways,
 * whose rows must be the same, and each field of a transaction is the same whatever is selected beside it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import {
  buildSchema,
  type GraphQLField,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { MockAgent } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadServices } from '../../../gateway/load-services.ts'
import { createClientCache } from '../../../subgraphs/shared/access/client-cache.ts'
import type { App } from '../../../subgraphs/shared/context/app.ts'
import { Prisma, type Reader } from '../../../subgraphs/shared/data/db.ts'
import { createDirectory } from '../../../subgraphs/shared/directory/directory.ts'
import { readBounds, readEvents } from '../../../subgraphs/shared/events/read.ts'
import { graphOf, restOf } from '../../support/both-interfaces.ts'
import { FIXTURES, READABLE } from '../../support/fixtures/all.ts'
import { WEBHOOK } from '../../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../../support/stack.ts'

const ROOT = join(import.meta.dirname, '../../..')
const schema = buildSchema(readFileSync(join(ROOT, 'schema/api.graphql'), 'utf8'))
const operation = (name: string) => readFileSync(join(ROOT, `schema/operations/${name}.graphql`), 'utf8')
const NUMBER = '+96891000001'

/** What was read by both ways, statement by statement. */
const compared: { text: string; byPrisma: unknown; byReader: unknown }[] = []

/** Reads each statement by both ways, and gives what the hot way gave. */
const comparing = ({ db, reader }: Pick<App, 'db' | 'reader'>): Reader => ({
  async $queryRaw<Rows>(text: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) {
    const statement = 'raw' in text ? Prisma.sql(text, ...values) : text
    const byPrisma = await db.$queryRaw<Rows>(statement)
    const byReader = await reader.$queryRaw<Rows>(statement)
    compared.push({ text: statement.text, byPrisma, byReader })
    return byReader
  },
})

/** Takes every webhook, so that no delivery changes while the tests look. */
const createReceiver = () => {
  const receiver = new MockAgent()
  receiver.get(/./).intercept({ path: /./, method: 'POST' }).reply(204).persist()
  return Object.assign(receiver, { destroy: () => receiver.close() })
}

let stack: Stack
const tokens = new Map<string, string>()
beforeAll(async () => {
  const parts = async (app: App) => {
    const reader = comparing(app)
    const delivery = { dispatcher: createReceiver() }
    return { delivery, services: await loadServices({ ...app, reader, directory: createDirectory(reader) }) }
  }
  stack = await startStack({ parts })
  for (const id of ['demo-partner', 'demo-portal', 'demo-analyst']) tokens.set(id, await stack.token(id))
  tokens.set(
    'bound',
    await stack.token({ id: 'bound', role: 'portal', name: 'Ü 😀', phoneNumber: NUMBER.slice(1) }),
  )
  for (const { path, body } of FIXTURES)
    await restOf(stack)('POST', path, { token: tokens.get('demo-partner'), body: { ...body(), ...WEBHOOK } })
  await stack.settled()
  await stack.server.deliverer.idle()
})
afterAll(() => stack[Symbol.asyncDispose]())

/** Rows that come in no order are compared as a set. */
const inOrder = (text: string, rows: unknown) =>
  text.includes('ORDER BY') ? rows : (rows as object[]).toSorted((a, b) => (inspect(a) < inspect(b) ? -1 : 1))

/** All that has been read since, compared; at least so many statements had rows. */
const expectSame = (least: number) => {
  const read = compared.splice(0)
  for (const { text, byPrisma, byReader } of read)
    expect(inOrder(text, byReader)).toStrictEqual(inOrder(text, byPrisma))
  const found = read.filter(({ byReader }) => (byReader as unknown[]).length > 0)
  expect(found.length).toBeGreaterThanOrEqual(least)
}

const ask = async (client: string, query: string, variables = {}) => {
  const { data, errors } = await graphOf(stack)(query, { token: tokens.get(client), variables })
  expect(errors).toEqual([])
  return data
}

describe('requests', () => {
  it.each(READABLE)('HOT-01 MUST read lists and single ones the same by both ways: $name', async fixture => {
    const get = async (path: string, client: string) => {
      const { status, body } = await restOf(stack)('GET', path, { token: tokens.get(client) })
      expect(status).toBe(200)
      return body
    }
    for (const client of tokens.keys()) {
      const [first] = await get(`${fixture.path}?perPage=3`, client)
      await get(`${fixture.path}?fromDate=2020-01-01&toDate=2100-01-01&page=1&perPage=5`, client)
      await get(`${fixture.path}?clientCorrelatorId=none`, client)
      if (first) await get(`${fixture.path}/${first[fixture.idField]}`, client)
    }
    expectSame(10)
  })

  it('HOT-02 MUST read what portals ask for the same by both ways', async () => {
    const span = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
    await ask('demo-portal', operation('customer-360'), { n: NUMBER })
    await ask('demo-portal', operation('failed-transactions'), span)
    await ask('demo-portal', operation('partner-day'), { partner: 'demo-kiosks', ...span })
    await ask('bound', operation('customer-360'), { n: NUMBER })
    expectSame(25)
  })

  it('HOT-03 MUST read pages of everything, with totals, the same by both ways', async () => {
    const data = await ask(
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
    expectSame(12)
  })

  it('HOT-04 MUST read events and clients the same by both ways', async () => {
    const { db, reader } = stack.app
    const both = <T>(read: (way: Reader) => Promise<T>) => Promise.all([db, reader].map(read))
    const [bounds, sameBounds] = await both(readBounds)
    expect(sameBounds).toStrictEqual(bounds)
    const [events, sameEvents] = await both(way => readEvents(way, 0n, {}, 500))
    expect(sameEvents).toStrictEqual(events)
    expect(events!.events.length).toBeGreaterThan(5)
  })

  it('HOT-05 MUST read a client as Prisma does, whatever of it is null, empty or precise', async () => {
    const { db, reader } = stack.app
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
    const { find } = createClientCache({ reader, now: Date.now, timeoutMs: 10_000 })
    for (const id of ['full', 'empty', 'demo-partner', 'not-there'])
      expect(await find(id)).toStrictEqual((await db.client.findUnique({ where: { id } })) ?? undefined)
  })
})

type Field = GraphQLField<unknown, unknown>

/** What is selected of a field, where that takes no arguments: leaves, and those of objects below. */
const selectionOf = ({ name, type }: Field, depth = 2): string | undefined => {
  const named = getNamedType(type)
  if (isLeafType(named)) return name
  if (!isObjectType(named) || depth === 0) return undefined
  const fields = Object.values(named.getFields()).filter(field => !field.args.some(isRequiredArgument))
  const below = fields.flatMap(field => selectionOf(field, depth - 1) ?? [])
  return below.length > 0 ? `${name} { ${below.join(' ')} }` : undefined
}

const fieldsOf = (typename: string): string[] => {
  const type = schema.getType(typename)
  if (!isObjectType(type)) throw new Error(`${typename} is no type`)
  return Object.values(type.getFields()).flatMap(field => selectionOf(field) ?? [])
}

const KINDS = ['payment', 'recharge', 'reward', 'redemption', 'message'] as const

describe.each(KINDS)('what is selected of each %s', noun => {
  const typename = noun.charAt(0).toUpperCase() + noun.slice(1)
  const idField = noun === 'message' ? 'otlTransactionId' : `${noun}Id`
  const fields = fieldsOf(typename)
  const nameOf = (selection: string) => selection.split(' ')[0]!
  /** The second time it is compiled, which must make no difference. */
  const page = async (selection: string) => {
    const query = `{ ${noun}s(first: 4) { nodes { ${selection} } } }`
    const [first, second] = [await ask('demo-portal', query), await ask('demo-portal', query)]
    expect(second).toEqual(first)
    return second
  }

  it('HOT-06 MUST be the same alone as with everything else, in a page and as an entity', async () => {
    const whole = (await page(fields.join(' ')))[`${noun}s`].nodes
    expect(whole.length).toBe(4)
    for (const selection of fields) {
      const name = nameOf(selection)
      const alone = (await page(selection))[`${noun}s`].nodes
      expect(alone).toEqual(whole.map((node: Record<string, unknown>) => ({ [name]: node[name] })))
    }
    const query = (selection: string) =>
      `{ timeline(first: 40, filter: { kinds: [${noun.toUpperCase()}] }) {
        nodes { transaction { ... on ${typename} { ${idField} ${selection} } } } } }`
    const transactions = async (selection: string) =>
      (await ask('demo-portal', query(selection))).timeline.nodes.map(
        ({ transaction }: { transaction: unknown }) => transaction,
      )
    const all = await transactions(fields.join(' '))
    for (const selection of fields) {
      const name = nameOf(selection)
      const expected = all.map((node: Record<string, unknown>) => ({
        [idField]: node[idField],
        [name]: node[name],
      }))
      expect(await transactions(selection)).toEqual(expected)
    }
    expectSame(2 * fields.length)
  })

  it('HOT-07 MUST be all that is read of it, by fragments and aliases too', async () => {
    compared.length = 0
    await ask(
      'demo-portal',
      `query ($no: Boolean = false) { ${noun}s(first: 2) {
        edges { cursor node { ...F } } nodes { __typename theStatus: transactionOperationStatus } } }
      fragment F on Transaction { ... on ${typename} { money: amount { value } } reason @include(if: $no) }`,
    )
    const page = compared.splice(0).find(({ text }) => text.includes(`"${noun}" t`))
    const [row] = page!.byReader as object[]
    const read = ['id', 'position', 'clientPosition', 'status', 'reason', 'currency', 'amount', 'cut']
    expect(Object.keys(row!).sort()).toEqual(read.sort())
  })
})

it('HOT-08 MUST show the same of an entry of the timeline alone as with everything else', async () => {
  const fields = fieldsOf('TimelineEntry')
  const pageOf = async (selection: string, args = '') => {
    const query = `{ timeline(first: 30${args}) { nodes { ${selection} } } }`
    return (await ask('demo-portal', query)).timeline.nodes
  }
  for (const args of ['', ', orderBy: LARGEST_AMOUNT_FIRST', ', filter: { text: "bill" }']) {
    const whole = await pageOf(fields.join(' '), args)
    expect(whole.length).toBeGreaterThan(3)
    for (const selection of fields) {
      const name = selection.split(' ')[0]!
      const expected = whole.map((node: Record<string, unknown>) => ({ [name]: node[name] }))
      expect(await pageOf(selection, args)).toEqual(expected)
    }
  }
  expectSame(3 * fields.length)
})
