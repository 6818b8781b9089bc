/** Stored answers: each is what an execution of the same time gives, while other connections write too. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { FIELDS_OF_MORE, OF_DATABASE, OF_MORE } from '#gateway/operation/stored-answers.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { createGraph, IS_COMPILED } from '#test/support/graph.ts'
import { createRest } from '#test/support/rest.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CUSTOMER_360 = readFileSync(join(ROOT, 'schema/operations/customer-360.graphql'), 'utf8')
const PAYMENTS = '/postpaid-billing/v1/payments'
const NUMBER = '+96891000002'

let stack: Stack
/** A connection that is none of the server's, where the database takes others. */
let other: Pick<Awaited<ReturnType<typeof openDatabase>>, 'db' | 'close'>
beforeAll(async () => {
  // The request log has a time of its own.
  stack = await startStack({ env: { REQUEST_LOG_DAYS: '0' } })
  const { app } = stack
  other = app.database.embedded
    ? { db: app.db, close: async () => undefined }
    : await openDatabase(
        readConfig({
          ...process.env,
          DATABASE_URL: app.config.databaseUrl!,
          SECRETS_KEY: app.config.secretsKey!,
        }),
      )
  await stack.settled()
  app.moments!.start()
  await vi.waitFor(() => expect(app.moments!.areKnown).toBe(true))
})
afterAll(async () => {
  await other.close()
  await stack[Symbol.asyncDispose]()
})

const countOf = async (outcome: string): Promise<number> => {
  const metric = await stack.app.metrics.registry.getSingleMetric('answers_total')!.get()
  return metric.values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0
}

/** Fewest hits: on PostgreSQL none, since tests beside this one commit in other databases of the server. */
const least = (hits: number): number => (stack.app.database.embedded ? hits : 0)

const rest = (path: string, token: string) => createRest(stack.address)('GET', path, { token })
const graph = (query: string, token: string, variables?: object) =>
  createGraph(stack.address)(query, { token, variables })

describe('which operations', () => {
  it('STORED-01 MUST be said of each root field', () => {
    const schema = buildSchema(readFileSync(join(ROOT, 'schema/api.graphql'), 'utf8'))
    const fields = Object.keys(schema.getQueryType()!.getFields())
    expect([...OF_DATABASE, ...OF_MORE].toSorted()).toEqual(fields.toSorted())
    const all = Object.values(schema.getTypeMap()).flatMap(type =>
      'getFields' in type ? Object.keys(type.getFields()) : [],
    )
    for (const name of FIELDS_OF_MORE) expect(all).toContain(name)
  })
})

// Before anything is posted.
describe('records', () => {
  // Other tests commit at the same PostgreSQL, which ends answers too.
  it.skipIf(process.env['TEST_DATABASE'] === 'postgres')(
    'STORED-12 MUST go on being given while only records of the asking are written',
    async () => {
      const token = await stack.token('demo-analyst')
      const path = '/postpaid-billing/v1/customers?customerAccountNumber=100001'
      const query = '{ customer(customerAccountNumber: "100001") { customerName } }'
      await stack.settled()
      const askBoth = async () => {
        await stack.app.accessRecords.idle()
        await stack.app.schemaUse.idle()
        await rest(path, token)
        await graph(query, token)
      }
      const before = await countOf('hit')
      while ((await countOf('hit')) < before + 4) await askBoth()
      const used = () => stack.app.db.$queryRaw`SELECT sum(count)::int AS uses FROM activity.schema_use`
      const [hits, misses, uses] = [await countOf('hit'), await countOf('miss'), await used()]
      for (let turn = 0; turn < 5; turn += 1) await askBoth()
      expect(await used()).not.toEqual(uses)
      expect(await countOf('miss')).toBe(misses)
      expect((await countOf('hit')) - hits).toBeGreaterThanOrEqual(IS_COMPILED ? 10 : 5)
    },
  )
})

describe('freshness', () => {
  it('STORED-10 MUST show each write from its acknowledgement on, and nothing that is older', async () => {
    const token = await stack.token('demo-analyst')
    const account = '100002'
    const written = { begun: 0, done: 0 }
    let reads = 0
    const faults: string[] = []
    const read = async (ask: () => Promise<string>) => {
      while (written.done < WRITES) {
        const before = written.done
        const value = Number((await ask()).slice(1))
        reads += 1
        if (before > 0 && !(value >= before && value <= written.begun))
          faults.push(`read ${value} between ${before} and ${written.begun}`)
      }
    }
    const WRITES = 60
    const write = async () => {
      for (let value = 1; value <= WRITES; value += 1) {
        written.begun = value
        await other.db.$executeRaw`
          UPDATE directory.account SET customer_name = ${`v${value}`} WHERE account_number = ${account}`
        written.done = value
        const until = reads + (value % 3) * 25
        await vi.waitFor(() => expect(reads).toBeGreaterThanOrEqual(until), { timeout: 10_000, interval: 1 })
      }
    }
    const byRest = async () =>
      (await rest(`/postpaid-billing/v1/customers?customerAccountNumber=${account}`, token)).body.customerName
    const byGraph = async () =>
      (await graph(`{ customer(customerAccountNumber: "${account}") { customerName } }`, token)).data.customer
        .customerName
    const hits = await countOf('hit')
    await Promise.all([write(), read(byRest), read(byRest), read(byGraph), read(byGraph)])
    expect(faults).toEqual([])
    expect((await countOf('hit')) - hits).toBeGreaterThanOrEqual(least(100))
  })

  it('STORED-11 MUST be the answer of an execution, byte for byte, after each of many writes', async () => {
    const [analyst, partner, second] = [
      await stack.token('demo-analyst'),
      await stack.token('demo-partner'),
      await stack.token('demo-partner-2'),
    ]
    const fixture = FIXTURES[0]!
    const ids: string[] = []
    const hits = await countOf('hit')
    for (let round = 0; round < 6; round += 1) {
      const created = await createRest(stack.address)('POST', fixture.path, {
        token: round % 2 ? partner : second,
        body: fixture.body(),
      })
      ids.push(created.body[fixture.idField])
      await stack.settled()
      for (const token of [analyst, partner, second])
        for (const path of [`${PAYMENTS}?perPage=5`, `${PAYMENTS}?seek=1`, `${fixture.path}/${ids[0]}`]) {
          const answers = []
          for (let turn = 0; turn < 4; turn += 1) answers.push(await rest(path, token))
          const fresh = await rest(`${path}${path.includes('?') ? '&' : '?'}fresh=${randomUUID()}`, token)
          for (const { status, text, headers } of answers) {
            expect([status, text]).toEqual([fresh.status, fresh.text])
            for (const name of ['etag', 'x-total-count', 'content-last-key', 'content-type'])
              expect(headers.get(name)).toBe(fresh.headers.get(name))
          }
        }
      const asked = []
      for (let turn = 0; turn < 4; turn += 1) asked.push(await graph(CUSTOMER_360, analyst, { n: NUMBER }))
      const fresh = await graph(`${CUSTOMER_360}# ${randomUUID()}`, analyst, { n: NUMBER })
      for (const one of asked) expect(one.data).toEqual(fresh.data)
    }
    expect((await countOf('hit')) - hits).toBeGreaterThanOrEqual(least(IS_COMPILED ? 60 : 50))
  })
})

describe('checks and records', () => {
  it('STORED-20 MUST record each look, also at what is answered as before', async () => {
    const token = await stack.token('demo-analyst')
    const correlator = `looks-${randomUUID()}`
    const look = async () => {
      await createRest(stack.address)('GET', `${PAYMENTS}?phoneNumber=91000002&perPage=3`, {
        token,
        headers: { 'x-correlator': correlator },
      })
    }
    await look()
    await stack.app.accessRecords.idle()
    const recorded = async () =>
      (
        await stack.app.db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int AS count FROM audit.access_record WHERE correlator = ${correlator}`
      )[0].count
    const once = await recorded()
    const hits = await countOf('hit')
    for (let turn = 0; turn < 5; turn += 1) await look()
    await stack.app.accessRecords.idle()
    expect(once).toBeGreaterThan(0)
    expect(await recorded()).toBe(6 * once)
    expect(await countOf('hit')).toBeGreaterThanOrEqual(hits + least(1))
  })

  it('STORED-21 MUST not be given to another client, nor to a token of another number', async () => {
    const [one, another] = [await stack.token('demo-partner'), await stack.token('demo-partner-2')]
    const bound = await stack.token({ id: 'stored-bound', role: 'portal', phoneNumber: '96891000001' })
    const path = `${PAYMENTS}?perPage=1000`
    const texts = new Set<string>()
    for (const token of [one, another, bound]) {
      const first = await rest(path, token)
      for (let turn = 0; turn < 3; turn += 1) expect((await rest(path, token)).text).toBe(first.text)
      texts.add(first.text)
    }
    expect(texts.size).toBe(3)
  })
})
