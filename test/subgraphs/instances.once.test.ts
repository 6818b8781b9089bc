/** Several instances on one PostgreSQL: they start together, and what is exact in one is exact in all of them. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EmbeddedCharging } from '#core/charging/charging.ts'
import { everywhere } from '#core/charging/charging.ts'
import { readConfig } from '#core/config/config.ts'
import type { App } from '#core/context/app.ts'
import { type Db, migratePostgres, openDatabase } from '#core/data/db.ts'
import { ensureSequence, lastNumberOf, type Sequence } from '#core/data/gapless-sequence.ts'
import { migrationNames } from '#core/data/migrations.ts'
import { EVENT_SEQUENCE } from '#core/events/append.ts'
import { createLog } from '#core/observability/log.ts'
import { openApp } from '#core/open-app.ts'
import { settleAll } from '#core/transactions/settle/settler.ts'
import { newId } from '#core/values/id.ts'
import { seedDemo } from '#prisma/demo/seed.ts'
import { PAYMENT } from '#subgraphs/postpaid-billing/kind.ts'
import { settlement } from '#subgraphs/postpaid-billing/rules.ts'
import { RECHARGE } from '#subgraphs/prepaid/kind.ts'
import { payment } from '#test/core/webhooks/support.ts'
import { unique } from '../support/fixtures/fixture.ts'
import { createInstances, type Instance, type Instances } from '../support/instances.ts'
import { notePosted } from '../support/posted.ts'
import { createEmpty, SECRETS_KEY } from '../support/postgres.ts'
import { createRest } from '../support/rest.ts'

const onPostgres = process.env['TEST_DATABASE'] === 'postgres'
const four = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 4 }, work))
const lastNumbers = async (db: Db, sequence: Sequence) => {
  const rows = await db.$queryRaw<{ position: bigint }[]>(lastNumberOf(sequence))
  return rows.map(({ position }) => position)
}
const PAYMENTS = '/postpaid-billing/v1/payments'

describe.skipIf(!onPostgres)('starting together', () => {
  it('MANY-01 of those that migrate together one applies each migration, and none fails', async () => {
    const { url, drop } = await createEmpty()
    const config = readConfig({ DATABASE_URL: url, SECRETS_KEY })
    const waited: string[] = []
    const applied = await four(() => migratePostgres(config, () => waited.push('waited')))
    await drop()
    expect(applied.flat().toSorted()).toEqual(migrationNames())
    expect(applied.filter(({ length }) => length > 0)).toHaveLength(1)
    expect(waited).toContain('waited')
  })

  it('MANY-09 of those that start on an empty database one sets it up; on an older schema none starts', async () => {
    const { url, drop } = await createEmpty()
    const config = readConfig({ DATABASE_URL: url, SECRETS_KEY, LOG_LEVEL: 'error', DEMO: '1' })
    const open = () => openApp(config, createLog(config.logLevel), seedDemo)
    const apps = await four(open)
    const { db } = apps[0]!
    const names = await db.$queryRaw<{ name: string }[]>`
      SELECT migration_name AS name FROM public._prisma_migrations ORDER BY name`
    expect(names.map(({ name }) => name)).toEqual(migrationNames())
    expect(await db.client.count()).toBe(5)
    await db.$executeRaw`DELETE FROM public._prisma_migrations WHERE migration_name = ${migrationNames().at(-1)}`
    await expect(open()).rejects.toThrow('run npm run db:migrate')
    for (const { database } of apps) await database.close()
    await drop()
  })

  it('MANY-02 of those that open an empty database together one puts in the demo, once', async () => {
    await using instances = await createInstances()
    const apps = await four(() => instances.open())
    const { db } = apps[0]!
    expect(await db.client.count()).toBe(5)
    expect(await db.signingKey.count()).toBe(1)
    expect(await lastNumbers(db, EVENT_SEQUENCE)).toEqual([BigInt(await db.event.count())])
    const counts = await Promise.all(apps.map(app => app.db.payment.count()))
    expect(new Set(counts).size).toBe(1)
    const tokens = await Promise.all(
      apps.map(async ({ access }) => access.issuer!.issue((await access.clients.find('demo-partner'))!)),
    )
    for (const token of tokens)
      for (const { access } of apps) await expect(access.verify(`Bearer ${token}`)).resolves.toBeTruthy()
  })

  it('MANY-03 the demo is written after sequences that another process has made already', async () => {
    await using instances = await createInstances()
    const { url } = instances
    const bare = await openDatabase(readConfig({ DATABASE_URL: url, SECRETS_KEY }))
    for (const sequence of [EVENT_SEQUENCE, PAYMENT, RECHARGE]) await ensureSequence(bare.db, sequence)
    await bare.close()
    const { db } = await instances.open()
    expect(await lastNumbers(db, PAYMENT)).toEqual([BigInt(await db.payment.count())])
  })
})

/** Payments as they are when they have just been posted; their ids. */
const acceptPayments = async (app: App, count: number): Promise<string[]> => {
  const { db } = app
  const ids = Array.from({ length: count }, () => newId())
  await db.payment.createMany({
    data: ids.map((id, index) => ({
      id,
      position: index + 1,
      clientId: 'c',
      clientPosition: index + 1,
      createdAt: new Date(),
      status: 'processing',
      accountNumber: '1',
      currency: 'OMR',
      amount: 1,
      body: {},
    })),
  })
  await notePosted(app, PAYMENT, count)
  return ids
}

describe.skipIf(!onPostgres)('settling together', () => {
  it('MANY-08 settlers take turns: each payment is settled once, and the one that cannot be is quarantined', async () => {
    await using instances = await createInstances({ DEMO: '0', LOG_LEVEL: 'silent' })
    const apps = await four(() => instances.open())
    const ids = await acceptPayments(apps[0]!, 500)
    const faulty = ids[77]!
    const post: EmbeddedCharging['post'] = async (_, orders) => {
      if (orders.some(order => order.transactionId === faulty)) throw new Error('cannot be charged')
      return orders.map(() => ({ outcome: 'done' }))
    }
    const charging = everywhere({ embedded: true, post })
    await Promise.all(apps.map(app => settleAll({ ...app, charging }, settlement)))
    const { db } = apps[0]!
    expect((await db.event.findMany()).map(({ transactionId }) => transactionId).sort()).toEqual(
      ids.filter(id => id !== faulty).sort(),
    )
    expect(await db.setAside.findMany()).toMatchObject([
      { transactionId: faulty, position: 78n, failures: 1 },
    ])
  })
})

describe.skipIf(!onPostgres)('serving together', () => {
  let instances: Instances
  let servers: Instance[]

  beforeAll(async () => {
    instances = await createInstances({ MAX_IN_FLIGHT: '1000' })
    servers = [await instances.start(), await instances.start()]
  })
  afterAll(() => instances[Symbol.asyncDispose]())

  const first = () => servers[0]!.app
  const clientOf = async (limits: object) => {
    const id = `many-${unique()}`
    await first().db.client.create({
      data: { id, name: id, role: 'partner', secretHash: '', currencies: ['OMR'], ...limits },
    })
    return { id, token: await first().access.issuer!.issue((await first().access.clients.find(id))!) }
  }
  /** Posts by all instances in turn, at the same time; the statuses. */
  const postAll = (token: string, bodies: object[]) =>
    Promise.all(
      bodies.map(async (body, index) => {
        const { address } = servers[index % servers.length]!
        return (await createRest(address)('POST', PAYMENTS, { token, body })).status
      }),
    )
  const times = (statuses: number[], status: number) => statuses.filter(one => one === status).length

  it('MANY-04 a monthly limit is exact over all instances', async () => {
    const { token } = await clientOf({ monthlyAmount: '2.2' })
    const statuses = await postAll(
      token,
      Array.from({ length: 60 }, () => payment('100001', undefined, 0.2)),
    )
    expect([times(statuses, 201), times(statuses, 403)]).toEqual([11, 49])
  })

  it('MANY-05 of equal correlators sent to all instances one is accepted', async () => {
    const { id, token } = await clientOf({})
    const bodies = Array.from({ length: 10 }, () => payment('100001'))
    const statuses = await postAll(
      token,
      [...bodies, ...bodies, ...bodies].toSorted(() => Math.random() - 0.5),
    )
    expect([times(statuses, 201), times(statuses, 400)]).toEqual([10, 20])
    expect(await first().db.payment.count({ where: { clientId: id } })).toBe(10)
  })

  it('MANY-10 an idempotency key posts once over all instances, and each answer is the first one', async () => {
    const { id, token } = await clientOf({})
    const body = payment('100001')
    const send = async (address: string) => {
      const response = await fetch(address + PAYMENTS, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': 'many-10',
        },
        body: JSON.stringify(body),
      })
      const isReplayed = response.headers.get('idempotency-replayed') === 'true'
      return { status: response.status, text: await response.text(), isReplayed }
    }
    const sent = await Promise.all(
      Array.from({ length: 40 }, (_, index) => send(servers[index % servers.length]!.address)),
    )
    expect(sent.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
    expect(new Set(sent.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(sent[0]!.status).toBe(201)
    expect(await first().db.payment.count({ where: { clientId: id } })).toBe(1)
    expect(await first().db.paymentKey.count({ where: { clientId: id } })).toBe(1)
  })

  it('MANY-06 numbers are dense, each payment is settled once, and balance, events and sums agree', async () => {
    const { db } = first()
    const { id, token } = await clientOf({})
    await postAll(
      token,
      Array.from({ length: 100 }, () => payment('100002')),
    )
    await Promise.all(servers.map(server => server.settled()))
    const rows = await db.payment.findMany({ where: { clientId: id }, orderBy: { clientPosition: 'asc' } })
    expect(rows.map(row => row.clientPosition)).toEqual(rows.map((_, index) => BigInt(index + 1)))
    expect(rows.filter(row => row.status !== 'succeeded')).toEqual([])
    const ids = rows.map(row => row.id)
    expect(await db.event.count({ where: { transactionId: { in: ids } } })).toBe(100)
    const [{ entered }] = await db.$queryRaw<[{ entered: string }]>`
      SELECT sum(amount)::text AS entered FROM ledger.entry WHERE transaction_id = ANY (${ids}::uuid[])`
    expect(Math.abs(Number(entered))).toBeCloseTo(0.1, 9)
    const [{ entries, amount }] = await db.$queryRaw<[{ entries: number; amount: string }]>`
      SELECT sum(entries)::int AS entries, sum(amount)::text AS amount FROM activity.client_day WHERE client_id = ${id}`
    expect([entries, Number(amount)]).toEqual([100, 0.1])
    expect(await db.timelineEntry.count({ where: { clientId: id, status: 'succeeded' } })).toBe(100)
  })

  it('MANY-07 a client disabled by one instance is refused by the others within 5 s', async () => {
    const { id, token } = await clientOf({})
    expect(times(await postAll(token, [payment('100001'), payment('100001')]), 201)).toBe(2)
    await first().access.clients.disable(id)
    const disabled = Date.now()
    let statuses: number[]
    do statuses = await postAll(token, [payment('100001'), payment('100001')])
    while (times(statuses, 401) < 2 && Date.now() - disabled < 6_000)
    expect(Date.now() - disabled).toBeLessThan(5_000)
  })
})
