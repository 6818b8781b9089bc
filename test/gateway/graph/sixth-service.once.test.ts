/** The promise of docs/adding-a-service.md: a folder, two documents and a line, and a service does all that the five do. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadServices } from '#gateway/load-services.ts'
import { compose, subgraphDocuments, toDocument } from '#gateway/supergraph/document.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { type Receiver, startReceiver } from '#test/core/webhooks/receiver.ts'
import { createGraph } from '../../support/graph.ts'
import parking from '../../support/sixth/index.ts'
import { TICKET } from '../../support/sixth/kind.ts'
import type { Ticket } from '../../support/sixth/rest.ts'
import { applyMigration, type Written, writeMigration } from '../../support/sixth/table.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { bearer, connect } from '../../support/subscribe.ts'

const DOCUMENTS = `${import.meta.dirname}/../../support/sixth`
const LINE = { name: 'parking', port: 4099, rest: true }
const KINDS = [...(await loadKinds()), TICKET]

const PATH = '/parking/v1/tickets'
const NUMBER = '+96891000001'
const ticket = (clientCorrelatorId: string) => ({
  clientCorrelatorId,
  mobileNumber: NUMBER,
  amount: 1.25,
  currency: 'OMR',
  description: 'Muttrah Corniche',
})

const supergraphSdl = compose([...subgraphDocuments(KINDS), toDocument(LINE, KINDS, DOCUMENTS)])

describe('a sixth service', () => {
  let stack: Stack
  let receiver: Receiver
  let written: Written
  let secret: string
  let partner: string
  let analyst: string

  beforeAll(async () => {
    receiver = await startReceiver()
    written = await writeMigration(KINDS, TICKET)
    stack = await startStack({
      env: { WEBHOOK_ALLOW: '127.0.0.1' },
      parts: async app => {
        await applyMigration(app, written)
        return { services: [...(await loadServices(app, KINDS)), parking(app, KINDS)], supergraphSdl }
      },
    })
    const { access } = stack.app
    await access.clients.add({ id: 'meter', role: 'partner', currencies: ['OMR'], monthlyAmount: '10' })
    ;({ secret } = await access.webhookSecrets.rotate('meter', 0))
    partner = await stack.token('meter')
    analyst = await stack.token('demo-analyst')
  })
  afterAll(async () => {
    await stack[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  const rest = (path: string, token?: string, body?: object) =>
    fetch(stack.address + path, {
      method: body ? 'POST' : 'GET',
      headers: { ...(token && bearer(token)), 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })

  const post = (clientCorrelatorId: string, more: object = {}) =>
    rest(PATH, partner, {
      ticketTransaction: { ...ticket(clientCorrelatorId), ...more },
      webhook: { notificationUrl: receiver.url },
    })

  const settled = async () => {
    await stack.settled()
    await stack.server.deliverer.idle()
  }

  /** Posts a ticket and waits until everything has followed. */
  const buy = async (clientCorrelatorId: string): Promise<string> => {
    const response = await post(clientCorrelatorId)
    const { ticketId } = (await response.json()) as Ticket
    expect([response.status, ticketId]).toEqual([201, expect.any(String)])
    await settled()
    return ticketId
  }

  const ask = async (query: string, variables?: object) => {
    const { data, errors } = await createGraph(stack.address)(query, { token: analyst, variables })
    expect(errors).toEqual([])
    return data
  }

  it('ADD-01 posts, reads and lists by REST from its document', async () => {
    const ticketId = await buy('add-01')
    const paid = {
      ticketId,
      ticketTransaction: ticket('add-01'),
      transactionOperationStatus: 'paid',
      webhook: { notificationUrl: receiver.url },
    }
    expect(await (await rest(`${PATH}/${ticketId}`, partner)).json()).toEqual(paid)
    expect(await (await rest(`${PATH}?perPage=1`, partner)).json()).toEqual([paid])
  })

  it('ADD-02 refuses what every service refuses: no token, a correlator twice, more than the month allows', async () => {
    await buy('add-02')
    const refused = [
      await rest(PATH),
      await post('add-02'),
      await post('add-02-b', { amount: 9.9 }),
      await post('add-02-c', { mobileNumber: '91999999' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 400, 403, 400])
  })

  it('ADD-03 sends a signed webhook', async () => {
    const ticketId = await buy('add-03')
    const { headers, raw, body } = receiver.received.find(one => one.body.eventSubscriptionid === ticketId)!
    expect(body.event.eventDetail).toMatchObject({ ticketId, status: 'succeeded' })
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const signature = createHmac('sha256', key).update(signed).digest('base64')
    expect(String(headers['webhook-signature']).split(' ')).toContain(`v1,${signature}`)
  })

  it('ADD-04 stands in the graph: by its id alone, in the timeline, in the sums, on the bill', async () => {
    const dues = `{ subscriber(mobileNumber: "${NUMBER}") { customer { totalDues } } }`
    const before = await ask(dues)
    const ticketId = await buy('add-04')
    const { transaction, subscriber, events } = await ask(
      `query ($id: ID!) {
        transaction(id: $id) { __typename kind outcome ... on Ticket { description webhookDeliveries { status } } }
        events(filter: { id: $id, kinds: [TICKET] }) { nodes { kind transaction { id } } }
        subscriber(mobileNumber: "${NUMBER}") {
          customer { totalDues }
          tickets(first: 1) { nodes { ticketId } totalCount }
          timeline(first: 1, filter: { kinds: [TICKET] }) {
            totalCount nodes { kind outcome description amount { value } transaction { id outcome } }
          }
          summary(groupBy: [KIND]) { kind count amount { value currency } points }
        }
      }`,
      { id: ticketId },
    )
    expect(transaction).toEqual({
      __typename: 'Ticket',
      kind: 'TICKET',
      outcome: 'COMPLETED',
      description: 'Muttrah Corniche',
      webhookDeliveries: [{ status: 'DELIVERED' }],
    })
    expect(events.nodes).toEqual([{ kind: 'TICKET', transaction: { id: ticketId } }])
    const { totalCount } = subscriber.tickets
    expect(subscriber.tickets.nodes).toEqual([{ ticketId }])
    expect(subscriber.timeline).toEqual({
      totalCount,
      nodes: [
        {
          kind: 'TICKET',
          outcome: 'COMPLETED',
          description: `Parking ticket of 1.250 OMR for ${NUMBER}: Muttrah Corniche`,
          amount: { value: 1.25 },
          transaction: { id: ticketId, outcome: 'COMPLETED' },
        },
      ],
    })
    expect(subscriber.summary).toContainEqual({
      kind: 'TICKET',
      count: totalCount,
      amount: { value: 1.25 * totalCount, currency: 'OMR' },
      points: null,
    })
    expect(subscriber.customer.totalDues - before.subscriber.customer.totalDues).toBeCloseTo(1.25, 6)
  })

  it('ADD-05 brings its events to those who subscribe, to its own and to those of all kinds', async () => {
    using socket = connect(stack.address, bearer(analyst))
    const { latestEventCursor: after } = await ask('{ latestEventCursor }')
    using own = socket.subscribe(
      `subscription ($after: String) { ticketEvents(after: $after) {
      eventDetail { ticketId } ticket { subscriber { customer { customerName } } } } }`,
      { after },
    )
    using all = socket.subscribe(
      `subscription ($after: String) { transactionEvents(after: $after, filter: { kinds: [TICKET] }) {
      kind transaction { id } } }`,
      { after },
    )
    const ticketId = await buy('add-05')
    const customer = { customerName: 'Salim Al Harthy' }
    expect((await own.next()).data).toEqual({
      ticketEvents: { eventDetail: { ticketId }, ticket: { subscriber: { customer } } },
    })
    expect((await all.next()).data).toEqual({
      transactionEvents: { kind: 'TICKET', transaction: { id: ticketId } },
    })
  })

  it('ADD-06 is written as a migration and a model like those of the five', () => {
    expect(written.name).toMatch(/^\d{14}_parking$/)
    expect(written.sql).toContain('CREATE SCHEMA IF NOT EXISTS "parking"')
    expect(written.sql).toContain('ALTER TABLE "parking"."ticket" SET (fillfactor = 50);')
    expect(written.sql).toContain(
      `CREATE TABLE "parking"."book" PARTITION OF "books"."book" FOR VALUES IN ('ticket')`,
    )
    expect(written.sql.match(/^(DROP|ALTER)/gm)).toEqual(['ALTER'])
    expect(written.model).toMatch(/^\/\/\/ A parking ticket\.\n/)
    expect(written.model).toMatch(/^model Ticket \{$/m)
    expect(written.model).toMatch(/ {2}@@map\("ticket"\)\n {2}@@schema\("parking"\)/)
  })
})
