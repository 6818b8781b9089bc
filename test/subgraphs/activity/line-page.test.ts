/** A payment without a phone number on the page of its account's line: its list, its timeline and its sums. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { restOf } from '../../support/both-interfaces.ts'
import { createGraph } from '../../support/graph.ts'
import { type Stack, startStack } from '../../support/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
})
afterAll(() => stack[Symbol.asyncDispose]())

let posted = 0

/** The id of a payment that has come to its end. */
const pay = async (customerAccountNumber: string, named: object = {}) => {
  posted++
  const paymentTransaction = {
    clientCorrelatorId: `line-page-${posted}`,
    referenceCode: `L-${posted}`,
    customerInfo: { customerAccountNumber, ...named },
    paymentInfo: { paymentInformation: { amount: 1.5, currency: 'OMR', description: 'A bill' } },
  }
  const token = await stack.token('demo-partner')
  const { status, body } = await restOf(stack)('POST', '/postpaid-billing/v1/payments', {
    ...{ token, body: { paymentTransaction } },
  })
  expect(status).toBe(201)
  await stack.settled()
  return body.paymentId as string
}

/** Payments that a line's page shows, held against its timeline, its totals and its sums. */
const pageOf = async (
  number: string,
  include?: 'NUMBER' | 'ACCOUNT',
  client: string | object = 'demo-portal',
) => {
  const scope = include ? `include: ${include}` : ''
  const { data, errors } = await createGraph(stack.address)(
    `query ($n: PhoneNumber!, $include: LineScope) { subscriber(mobileNumber: $n) {
      payments(first: 200 ${scope}) { totalCount nodes { id } }
      requested: payments(first: 200, include: $include) { totalCount }
      timeline(first: 200, filter: { kinds: [PAYMENT] } ${scope}) { totalCount nodes { transaction { id } } }
      summary(by: ALL, kinds: [PAYMENT] ${scope}) { count amount { value } }
    } }`,
    { token: await stack.token(client as string), variables: { n: `+${number}`, include } },
  )
  expect(errors).toEqual([])
  const { payments, requested, timeline, summary } = data.subscriber
  const ids: string[] = payments.nodes.map(({ id }: { id: string }) => id)
  const shown = timeline.nodes.map((node: { transaction: { id: string } | null }) => node.transaction?.id)
  const counted = summary[0]?.count ?? 0
  expect([shown, payments.totalCount, requested.totalCount, timeline.totalCount, counted]).toEqual([
    ids,
    ...Array(4).fill(ids.length),
  ])
  return { ids, amount: summary[0]?.amount?.value ?? 0 }
}

const ALONE = '96891000001'
const [ONE, OTHER] = ['96891000003', '96891000004']

it('LINE-01 MUST show it where the account has that line alone, unless the number alone is requested', async () => {
  const before = await pageOf(ALONE)
  const number = await pageOf(ALONE, 'NUMBER')
  const id = await pay('100001')
  const { ids, amount } = await pageOf(ALONE)
  expect(ids).toEqual([id, ...before.ids])
  expect(amount).toBeCloseTo(before.amount + 1.5, 6)
  expect(await pageOf(ALONE, 'ACCOUNT')).toEqual({ ids, amount })
  expect(await pageOf(ALONE, 'NUMBER')).toEqual(number)
})

it('LINE-02 MUST show it with the account where another line, of whatever type, could be meant', async () => {
  for (const [number, account] of [
    [ONE, '100003'],
    ['96891000002', '100002'],
  ] as const) {
    const before = await pageOf(number)
    const id = await pay(account)
    expect(await pageOf(number)).toEqual(before)
    expect((await pageOf(number, 'ACCOUNT')).ids[0]).toBe(id)
  }
  const of = await pay('100003', { phoneNumber: OTHER })
  expect((await pageOf(ONE, 'ACCOUNT')).ids[0]).toBe(of)
  expect((await pageOf(ONE, 'NUMBER')).ids).not.toContain(of)
})

it('LINE-03 MUST show a partner its own of it, and a token bound to a number nothing of others', async () => {
  const mine = await pay('100003')
  const others = await pay('100003', { phoneNumber: OTHER })
  const own = await pay('100003', { phoneNumber: ONE })
  expect((await pageOf(ONE, 'ACCOUNT', 'demo-partner')).ids.slice(0, 3)).toEqual([own, others, mine])
  expect((await pageOf(ONE, 'ACCOUNT', 'demo-partner-2')).ids).not.toContain(mine)
  for (const role of ['portal', 'analyst', 'partner']) {
    const bound = { id: `line-page-${role}`, role, phoneNumber: ONE }
    await stack.token(bound as never)
    expect(await pageOf(ONE, 'ACCOUNT', bound.id)).toEqual(await pageOf(ONE, 'NUMBER', bound.id))
  }
  expect((await pageOf(ONE, 'ACCOUNT', 'line-page-portal')).ids[0]).toBe(own)
})
