/** Messages alone have: its recipient, its time, its parts (contract document 2, part B). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphOf, INTERFACES, type Interface, restOf } from '../support/both-interfaces.ts'
import { type Body, unique, WEBHOOK } from '../support/fixtures/fixture.ts'
import { messaging } from '../support/fixtures/messaging.ts'
import { type Stack, startStack } from '../support/stack.ts'

const HOUR = 3_600_000

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const sms = (fields: Body = {}): Body => ({
  clientCorrelatorId: unique(),
  sender: 'MuscatPay',
  recipient: '96891000001',
  smsText: 'Hello',
  ...fields,
})

const send = (fields?: Body, as = token) =>
  restOf(stack)('POST', messaging.path, { token: as, body: sms(fields) })
const ask = (query: string, variables?: object, as = token) => graphOf(stack)(query, { token: as, variables })

const create = (client: Interface, fields: Body) => client.create(stack, messaging, token, sms(fields))

const FIELDS = `otlTransactionId sender recipient smsText expiryTime enableDeliveryReport flashMessage priority
  smsCount smsParts webhook { notificationUrl } transactionOperationStatus clientCorrelatorId referenceCode
  createdAt completedAt amount { value } points subscriber { mobileNumber } customer { customerAccountNumber }`

const read = async (id: string) => {
  const { data, errors } = await ask(`query ($id: ID!) { message(otlTransactionId: $id) { ${FIELDS} } }`, {
    id,
  })
  expect(errors).toEqual([])
  return data.message
}

describe.each(INTERFACES)('over $id', client => {
  it.each([
    ['a recipient with a plus', { recipient: '+9689100001' }, 'recipient'],
    ['a recipient with letters', { recipient: 'MuscatPay' }, 'recipient'],
    ['a recipient of 2 digits', { recipient: '12' }, 'recipient'],
    ['a recipient of 12 digits', { recipient: '971501234567' }, 'recipient'],
    ['a sender of 12 characters', { sender: 'TwelveSigns.' }, 'sender'],
    ['an empty sender', { sender: '' }, 'sender'],
    ['an empty text', { smsText: '' }, 'smsText'],
    ['a text of 1001 characters', { smsText: 'a'.repeat(1001) }, 'smsText'],
    ['a correlator of 21 characters', { clientCorrelatorId: 'a'.repeat(21) }, 'clientCorrelatorId'],
    ['an empty correlator', { clientCorrelatorId: '' }, 'clientCorrelatorId'],
    ['an expiry in the past', { expiryTime: '2020-01-01T00:00:00Z' }, 'expiryTime'],
    ['priority 0', { priority: 0 }, 'priority'],
    ['priority 11', { priority: 11 }, 'priority'],
    ['a webhook that is not https', { webhook: { notificationUrl: 'http://x.example' } }, 'notificationUrl'],
  ])('SMS-01 refuses %s', async (_, fields, path) => {
    const { status, code, message } = await create(client, fields)
    expect([status, code]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(message).toContain(path)
  })

  it('SMS-02 takes texts of 1 to 1000 characters, recipients of 3 to 11 digits', async () => {
    const edges = [
      { smsText: 'a' },
      { smsText: 'é'.repeat(1000) },
      { recipient: '123' },
      { recipient: '14155552671' },
    ]
    for (const fields of edges) expect(await create(client, fields)).toMatchObject({ status: 201 })
  })

  it('SMS-03 ignores messageId and keeps nothing of it', async () => {
    const { id, transactionOperationStatus } = await create(client, { messageId: 'MSG-0043' })
    expect(transactionOperationStatus).toBe('accepted')
    expect(id).not.toBe('MSG-0043')
    const row = await stack.app.db.message.findUnique({ where: { id: id! } })
    expect(JSON.stringify(row!.body)).not.toContain('MSG-0043')
  })

  it('SMS-04 a repeated correlator is refused with the id of the first, and no path', async () => {
    const clientCorrelatorId = unique()
    const first = await create(client, { clientCorrelatorId })
    const second = await create(client, { clientCorrelatorId })
    expect([second.status, second.code, second.location ?? null]).toEqual([400, 'INVALID_ARGUMENT', null])
    expect(second.message).toContain(first.id)
  })
})

describe('a message', () => {
  it.each([
    ['160 of the GSM alphabet', 'a'.repeat(160), 1],
    ['161 of the GSM alphabet', 'a'.repeat(161), 2],
    ['80 of its extension', '€'.repeat(80), 1],
    ['70 others', 'م'.repeat(70), 1],
    ['71 others', 'م'.repeat(71), 2],
  ])('SMS-05 tells its parts: %s', async (_, smsText, smsParts) => {
    const { status, body } = await send({ smsText })
    expect([status, body]).toEqual([
      201,
      {
        otlTransactionId: expect.any(String),
        transactionOperationStatus: 'accepted',
        smsCount: 1,
        smsParts,
      },
    ])
    expect((await read(body.otlTransactionId)).smsParts).toBe(smsParts)
  })

  it('SMS-06 is sent, and its transaction information has all it was sent with', async () => {
    const expiryTime = new Date(Date.now() + HOUR).toISOString()
    const fields = sms({
      expiryTime,
      enableDeliveryReport: true,
      flashMessage: true,
      priority: 1,
      webhook: WEBHOOK,
    })
    const { body } = await send(fields)
    await stack.settled()
    expect(await read(body.otlTransactionId)).toEqual({
      ...fields,
      otlTransactionId: body.otlTransactionId,
      smsCount: 1,
      smsParts: 1,
      webhook: { notificationUrl: WEBHOOK.notificationUrl },
      transactionOperationStatus: 'sent',
      referenceCode: null,
      createdAt: expect.any(String),
      completedAt: expect.any(String),
      amount: null,
      points: null,
      subscriber: { mobileNumber: '+96891000001' },
      customer: { customerAccountNumber: '100001' },
    })
  })

  it("SMS-07 has the contract's defaults: no flash, no report, priority 10, 24 hours", async () => {
    const { body } = await send()
    const message = await read(body.otlTransactionId)
    expect(message).toMatchObject({ enableDeliveryReport: false, flashMessage: false, priority: 10 })
    expect(Date.parse(message.expiryTime) - Date.parse(message.createdAt)).toBe(24 * HOUR)
  })

  it.each([
    ['a number in digits', '96892000001', '+96892000001'],
    ['a national number', '92000001', '+96892000001'],
    ['a short code', '90123', null],
    ["another operator's number", '14155552671', null],
    ['a number of ours that does not exist', '96899999999', null],
  ])('SMS-08 links to its subscriber: %s', async (_, recipient, mobileNumber) => {
    const { body } = await send({ recipient })
    const message = await read(body.otlTransactionId)
    expect(message.recipient).toBe(recipient)
    expect(message.subscriber).toEqual(mobileNumber && { mobileNumber })
    expect(message.customer).toEqual(mobileNumber && { customerAccountNumber: '200001' })
  })

  it('SMS-09 whose time is over before it could be sent has expired', async () => {
    await using own = await startStack()
    const [mine] = own.server.services.filter(({ name }) => name === 'messaging')
    await mine!.stop()
    const ownToken = await own.token()
    const post = (fields: Body) => restOf(own)('POST', messaging.path, { token: ownToken, body: sms(fields) })
    const { body: late } = await post({ expiryTime: new Date(Date.now() + HOUR).toISOString() })
    const { body: old } = await post({})
    const { body: fine } = await post({})
    const body = sms({ expiryTime: new Date(Date.now() - 1).toISOString() })
    await own.app.db.message.update({ where: { id: late.otlTransactionId }, data: { body: body as object } })
    const yesterday = new Date(Date.now() - 25 * HOUR)
    await own.app.db.message.update({ where: { id: old.otlTransactionId }, data: { createdAt: yesterday } })
    await mine!.start()
    await mine!.settled()
    const ids = [late, old, fine].map(({ otlTransactionId }) => otlTransactionId)
    const rows = await own.app.db.message.findMany({
      where: { id: { in: ids } },
      orderBy: { position: 'asc' },
    })
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      [late.otlTransactionId, 'expired'],
      [old.otlTransactionId, 'expired'],
      [fine.otlTransactionId, 'sent'],
    ])
  })

  it("SMS-10 stands in its subscriber's messages, for those who may see it", async () => {
    const mine = await stack.token({ id: 'sms-lists', role: 'partner' })
    const { body } = await send({ recipient: '91000004' }, mine)
    const query = `{ subscriber(mobileNumber: "+96891000004") {
      messages(first: 1) { totalCount nodes { otlTransactionId } } } }`
    const list = async (as: string) => (await ask(query, {}, as)).data.subscriber.messages
    const nodes = [{ otlTransactionId: body.otlTransactionId }]
    expect(await list(mine)).toEqual({ totalCount: 1, nodes })
    expect((await list(await stack.token('demo-analyst'))).nodes).toEqual(nodes)
    const other = await stack.token({ id: 'sms-lists-2', role: 'partner' })
    expect(await list(other)).toEqual({ totalCount: 0, nodes: [] })
    const one = `{ message(otlTransactionId: "${body.otlTransactionId}") { id } }`
    expect((await ask(one, {}, other)).data.message).toBeNull()
  })
})
