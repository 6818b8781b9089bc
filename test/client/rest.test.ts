/** The typed REST client against a running server. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { type Client, createClient, type PostpaidBillingSchemas, Refusal } from '#client/index.ts'
import { postpaidBilling } from '#test/support/fixtures/postpaid-billing.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

const PAYMENTS = '/postpaid-billing/v1/payments'

let stack: Stack
let client: Client
beforeAll(async () => {
  stack = await startStack()
  const secret = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret' }
  client = createClient({ address: stack.address, ...secret })
})
afterAll(() => stack[Symbol.asyncDispose]())

const paymentBody = () => postpaidBilling.body() as unknown as PostpaidBillingSchemas['CreateBillPayment']

const refusalOf = async (work: Promise<unknown>): Promise<Refusal> => {
  const error = await work.then(
    () => undefined,
    error => error,
  )
  expect(error).toBeInstanceOf(Refusal)
  return error
}

it('CLIENT-REST-01 signs in, posts and reads by the types of the contract', async () => {
  const { data, status, headers } = await client.rest.post(PAYMENTS, { body: paymentBody() })
  expect(status).toBe(201)
  expect(headers.get('x-correlator')).toMatch(/^[\da-f-]{36}$/)
  expectTypeOf(data).toEqualTypeOf<PostpaidBillingSchemas['PaymentCreated']>()
  const path = { paymentId: data.paymentId }
  await stack.settled()
  const read = await client.rest.get('/postpaid-billing/v1/payments/{paymentId}', { path })
  expect(read.data.transactionOperationStatus).toBe('succeeded')
})

it('CLIENT-REST-02 throws the code, the message and the correlator of a refusal', async () => {
  const correlator = { 'x-correlator': 'client-test' }
  const body = { paymentTransaction: {} } as PostpaidBillingSchemas['CreateBillPayment']
  const refusal = await refusalOf(client.rest.post(PAYMENTS, { body, headers: correlator }))
  expect(refusal).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT', correlator: 'client-test' })
  expect(refusal.message).toContain('paymentTransaction.referenceCode')
})

it('CLIENT-REST-03 a repeated correlator names the first transaction', async () => {
  const body = paymentBody()
  body.paymentTransaction.clientCorrelatorId = 'client-rest-03'
  const { data } = await client.rest.post(PAYMENTS, { body })
  const refusal = await refusalOf(client.rest.post(PAYMENTS, { body }))
  expect(refusal.location).toBe(`${PAYMENTS}/${data.paymentId}`)
})

it('CLIENT-REST-04 reads a list to its end, page by page', async () => {
  for (let post = 0; post < 4; post++) await client.rest.post(PAYMENTS, { body: paymentBody() })
  const { headers } = await client.rest.get(PAYMENTS)
  const ids = new Set<string>()
  for await (const item of client.rest.items(PAYMENTS, { query: { perPage: 3 } })) ids.add(item.paymentId)
  expect(ids.size).toBe(Number(headers.get('x-total-count')))
})

it('CLIENT-REST-05 a token that is refused is replaced once, and the request sent again', async () => {
  let given = 0
  const refused: (string | undefined)[] = []
  const changing = createClient({
    address: stack.address,
    async token(bad) {
      refused.push(bad)
      return given++ === 0 ? 'not-a-token' : stack.token('demo-partner')
    },
  })
  const { status } = await changing.rest.post(PAYMENTS, { body: paymentBody() })
  expect([status, refused]).toEqual([201, [undefined, 'not-a-token']])
  const never = createClient({ address: stack.address, token: () => 'not-a-token' })
  expect((await refusalOf(never.rest.get(PAYMENTS))).status).toBe(401)
})

it('CLIENT-REST-06 a wrong secret is told as the token endpoint tells it', async () => {
  const stranger = createClient({ address: stack.address, clientId: 'demo-partner', clientSecret: 'wrong' })
  expect(await refusalOf(stranger.rest.get(PAYMENTS))).toMatchObject({ status: 401, code: 'invalid_client' })
})

it('CLIENT-REST-07 requests at the same time share a token', async () => {
  const shared = createClient({
    address: stack.address,
    clientId: 'demo-partner',
    clientSecret: 'demo-partner-secret',
  })
  const tokens = await Promise.all(Array.from({ length: 5 }, () => shared.token()))
  expect(new Set(tokens).size).toBe(1)
  expect(await shared.token(tokens[0])).not.toBe(tokens[0])
})

it('CLIENT-REST-08 asks the graph, and throws its first code', async () => {
  const { me } = await client.graph<{ me: { id: string } }>('{ me { id } }')
  expect(me.id).toBe('demo-partner')
  const refusal = await refusalOf(client.graph('{ partners(first: 1) { nodes { id } } }'))
  expect(refusal).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' })
})

it('CLIENT-REST-09 does not wait longer than its limit', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  onTestFinished(() => {
    silent.closeAllConnections()
    silent.close()
  })
  await new Promise(done => silent.once('listening', done))
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const waiting = createClient({ address, token: () => 'any', timeoutMs: 50 })
  await expect(waiting.rest.get(PAYMENTS)).rejects.toMatchObject({ name: 'TimeoutError' })
})
