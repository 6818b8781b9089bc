/** A process on a read replica: everything can be read and followed there, nothing changed. PostgreSQL only. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import type { App } from '#core/context/app.ts'
import { createLog } from '#core/observability/log.ts'
import { openApp } from '#core/open-app.ts'
import { createAllInOne, type RunningServer } from '#gateway/all-in-one.ts'
import { seedDemo } from '#prisma/demo/seed.ts'
import { pay } from '#test/core/webhooks/support.ts'
import { createGraph } from '../support/graph.ts'
import { createInstances, type Instance, type Instances } from '../support/instances.ts'
import { SECRETS_KEY } from '../support/postgres.ts'
import { createRest } from '../support/rest.ts'
import { bearer, connect } from '../support/subscribe.ts'

const onPostgres = process.env['TEST_DATABASE'] === 'postgres'

/** Every transaction of these sessions may only read, as on a hot standby (PostgreSQL documentation, 26.4). */
const replicaOf = (url: string): string => {
  const address = new URL(url)
  address.searchParams.set('options', '-c default_transaction_read_only=on')
  return address.href
}

const tokenFor = async ({ access }: App, client: string) =>
  access.issuer!.issue((await access.clients.find(client))!)

describe.skipIf(!onPostgres)('a process on a read replica', () => {
  let instances: Instances
  let primary: Instance
  let replica: App
  let server: RunningServer
  let address: string
  let partner: string
  let analyst: string

  beforeAll(async () => {
    instances = await createInstances()
    primary = await instances.start()
    const config = readConfig({
      DATABASE_URL: replicaOf(instances.url),
      SECRETS_KEY,
      LOG_LEVEL: 'silent',
      READ_ONLY: '1',
    })
    replica = await openApp(config, createLog(config.logLevel), seedDemo)
    server = await createAllInOne(replica)
    address = await server.http.listen({ port: 0, host: '127.0.0.1' })
    partner = await tokenFor(replica, 'demo-partner')
    analyst = await tokenFor(replica, 'demo-analyst')
  })
  afterAll(async () => {
    await server?.stop()
    await replica?.database.close()
    await instances?.[Symbol.asyncDispose]()
  })

  it('READ-01 reads what the others have written, over the graph and REST', async () => {
    const paymentId = await pay(primary as never, partner)
    await primary.settled()
    const query = `{ transaction(id: "${paymentId}") { outcome customer { customerName } } timeline(first: 1) { nodes { transaction { id } } } }`
    const { data } = await createGraph(address)(query, { token: analyst })
    expect(data.transaction).toEqual({
      outcome: 'COMPLETED',
      customer: { customerName: 'Salim Al Harthy' },
    })
    expect(data.timeline.nodes[0].transaction.id).toBe(paymentId)
    const response = await createRest(address)('GET', `/postpaid-billing/v1/payments/${paymentId}`, {
      token: partner,
    })
    expect(response.body.transactionOperationStatus).toBe('succeeded')
  })

  it('READ-02 refuses changes with 503, and nothing is written', async () => {
    const before = await replica.db.payment.count()
    const response = await createRest(address)('POST', '/postpaid-billing/v1/payments', {
      token: partner,
      body: {
        paymentTransaction: {
          referenceCode: 'R-1',
          customerInfo: { customerAccountNumber: '100001' },
          paymentInfo: { paymentInformation: { amount: 1, currency: 'OMR', description: 'Bill' } },
        },
      },
    })
    expect(response).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
    expect(response.headers.get('retry-after')).toBeTruthy()
    expect(await replica.db.payment.count()).toBe(before)
  })

  it('READ-03 brings events to its subscribers', async () => {
    using socket = connect(address, bearer(analyst))
    const { data } = await createGraph(address)('{ latestEventCursor }', { token: analyst })
    using events = socket.subscribe(
      'subscription ($after: String) { paymentEvents(after: $after) { eventDetail { paymentId } } }',
      { after: data.latestEventCursor },
    )
    const paymentId = await pay(primary as never, partner)
    expect((await events.next()).data.paymentEvents.eventDetail).toEqual({ paymentId })
  })
})
