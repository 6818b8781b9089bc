/** One text to many recipients (the contract's overview; the graph's alone): each accepted or refused by itself. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { graphOf } from '../support/both-interfaces.ts'
import { type Body, unique } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const ask = (query: string, variables?: object, as = token) => graphOf(stack)(query, { token: as, variables })

const SEND = `mutation ($input: SendSmsBatchInput!) { sendSmsBatch(input: $input) {
  recipient message { otlTransactionId clientCorrelatorId recipient smsText } error { code message reason field existingId } } }`
const batch = (fields: Body) => ({
  clientCorrelatorId: unique(),
  sender: 'MuscatPay',
  smsText: 'Hello all',
  recipients: ['96891000001', '96891000002'],
  ...fields,
})
interface Result {
  recipient: string
  message: { otlTransactionId: string; recipient: string } | null
  error: {
    code: string
    message: string
    reason: string
    field: string | null
    existingId: string | null
  } | null
}
const sendBatch = async (input: Body, as = token) => {
  const { data, errors } = await ask(SEND, { input }, as)
  return { results: data?.sendSmsBatch as Result[], error: errors[0] }
}

it("SMS-11 sends one message to each, with the batch's correlator and the recipient's place", async () => {
  const input = batch({ clientCorrelatorId: `b${unique()}` })
  const { results } = await sendBatch(input)
  expect(results).toEqual(
    input.recipients.map((recipient, index) => ({
      recipient,
      message: {
        otlTransactionId: expect.any(String),
        clientCorrelatorId: `${input.clientCorrelatorId}-${index + 1}`,
        recipient,
        smsText: 'Hello all',
      },
      error: null,
    })),
  )
})

it('SMS-12 a recipient that is refused does not touch the others', async () => {
  const recipients = ['96891000001', '+96891000002', '12', '90123']
  const { results } = await sendBatch(batch({ recipients }))
  const refusal = (reason: string, field: string) => ({
    message: null,
    error: { code: 'INVALID_ARGUMENT', reason, field, existingId: null },
  })
  expect(results).toMatchObject([
    { recipient: '96891000001', error: null },
    { recipient: '+96891000002', ...refusal('TOO_LONG', 'recipients[1]') },
    { recipient: '12', ...refusal('TOO_SHORT', 'recipients[2]') },
    { recipient: '90123', error: null },
  ])
})

it('SMS-13 a recipient named twice, however it is written, gets the text once', async () => {
  const recipients = ['96891000001', '91000001', '96891000002', '96891000001']
  const { results } = await sendBatch(batch({ recipients }))
  expect(results.map((one: Result) => one.error?.message ?? 'sent')).toEqual([
    'sent',
    expect.stringContaining('recipients[1] is the same as recipients[0]'),
    'sent',
    expect.stringContaining('recipients[3] is the same as recipients[0]'),
  ])
  expect(results[3]!.error).toMatchObject({ reason: 'DUPLICATE_RECIPIENT', field: 'recipients[3]' })
})

it('SMS-14 sent again after a lost answer, sends to nobody twice', async () => {
  const first = batch({ recipients: ['96891000001'] })
  const { results } = await sendBatch(first)
  const again = await sendBatch({ ...first, recipients: ['96891000001', '96891000002'] })
  const { otlTransactionId } = results[0]!.message!
  expect(again.results[0]!.error!.message).toContain(otlTransactionId)
  expect(again.results[0]!.error).toMatchObject({
    existingId: otlTransactionId,
    reason: 'DUPLICATE_CORRELATOR',
    field: 'clientCorrelatorId',
  })
  expect(again.results[1]!.message).not.toBeNull()
})

it('SMS-18 sent again when it has expired, tells what was accepted and sends nothing', async () => {
  const first = batch({ recipients: ['96891000001'] })
  const { results } = await sendBatch(first)
  const late = { expiryTime: '2020-01-01T00:00:00Z', recipients: ['96891000001', '96891000002'] }
  const again = await sendBatch({ ...first, ...late })
  expect(again.results).toMatchObject([
    { message: null, error: { existingId: results[0]!.message!.otlTransactionId } },
    { message: null, error: { message: expect.stringContaining('expiryTime'), existingId: null } },
  ])
})

it('SMS-15 takes a thousand', async () => {
  const recipients = Array.from({ length: 1000 }, (_, n) => `9689${1_000_000 + n}`)
  const mine = await stack.token({ id: 'sms-thousand', role: 'partner' })
  const { results } = await sendBatch(batch({ clientCorrelatorId: 'a'.repeat(15), recipients }), mine)
  expect(results.map((one: Result) => one.message?.recipient)).toEqual(recipients)
  expect((await ask('{ messages { totalCount } }', {}, mine)).data.messages.totalCount).toBe(1000)
})

const many = (length: number) => Array.from({ length }, (_, n) => String(100_000 + n))
it.each([
  ['no recipients', { recipients: [] }, 'recipients'],
  ['1001 recipients', { recipients: many(1001) }, 'recipients'],
  ['an empty correlator', { clientCorrelatorId: '' }, 'clientCorrelatorId'],
  ['a correlator without room for the place', { clientCorrelatorId: 'a'.repeat(19) }, 'clientCorrelatorId'],
  [
    '16 characters with 1000 recipients',
    { clientCorrelatorId: 'a'.repeat(16), recipients: many(1000) },
    '15',
  ],
  ['a text that is too long', { smsText: 'a'.repeat(1001) }, 'smsText'],
  ['an expiry in the past', { expiryTime: '2020-01-01T00:00:00Z' }, 'expiryTime'],
  ['a webhook that is not https', { webhook: { notificationUrl: 'http://x.example' } }, 'notificationUrl'],
])('SMS-16 refuses the whole batch for %s', async (_, fields, path) => {
  const mine = await stack.token({ id: `sms-${unique()}`, role: 'partner' })
  const { error } = await sendBatch(batch(fields), mine)
  expect([error!.extensions.code, error!.message]).toEqual([
    'INVALID_ARGUMENT',
    expect.stringContaining(path),
  ])
  expect((await ask('{ messages { totalCount } }', {}, mine)).data.messages.totalCount).toBe(0)
})

it('SMS-17 is for partners alone', async () => {
  const { error } = await sendBatch(batch({}), await stack.token('demo-portal'))
  expect(error!.extensions).toMatchObject({ code: 'PERMISSION_DENIED', http: { status: 403 } })
})
