/** A bill of an account that is closed: taken, then denied, so that a partner can try his failure path on a fresh start. */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importFile } from '#core/directory/import.ts'
import { payment } from '#test/core/webhooks/support.ts'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { type Stack, startStack } from '../support/stack.ts'

const PAYMENTS = '/postpaid-billing/v1/payments'
const CUSTOMER = '/postpaid-billing/v1/customers?customerAccountNumber='
/** As docs/decisions.md names it. */
const CLOSED = '300001'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const customer = async (accountNumber: string) =>
  (await restOf(stack)('GET', CUSTOMER + accountNumber, { token })).body

const pay = async (accountNumber: string, phoneNumber?: string) => {
  const body = payment(accountNumber, phoneNumber, 1.5)
  const { status, body: created } = await restOf(stack)('POST', PAYMENTS, { token, body })
  expect([status, created.transactionOperationStatus]).toEqual([201, 'processing'])
  await stack.settled()
  return (await restOf(stack)('GET', `${PAYMENTS}/${created.paymentId}`, { token })).body
}

it('CLOSED-01 an inquiry finds it, with its dues, and without a status that the contract does not have', async () => {
  const found = await customer(CLOSED)
  expect(found).toMatchObject({ customerAccountNumber: CLOSED, totalDues: 64.25 })
  expect(found).not.toHaveProperty('customerStatus')
  expect(found).not.toHaveProperty('closed')
})

it.each([
  ['the account alone', undefined],
  ['its number, which is out of use', '93000001'],
])(
  'CLOSED-02 a payment that names %s is taken and denied, with PAYMENT_FAILED, and moves nothing',
  async (_, phone) => {
    const paid = await pay(CLOSED, phone)
    expect(paid).toMatchObject({ transactionOperationStatus: 'denied' })
    expect(paid).not.toHaveProperty('paymentDate')
    const events = await stack.app.db.event.findMany({ where: { transactionId: paid.paymentId } })
    expect(events).toMatchObject([
      {
        eventType: 'PAYMENT_FAILED',
        status: 'failed',
        operationStatus: 'denied',
        description: `The account ${CLOSED} is closed`,
      },
    ])
    expect((await customer(CLOSED)).totalDues).toBe(64.25)
  },
)

it('CLOSED-03 the graph says which accounts are closed', async () => {
  const query =
    '{ closed: customer(customerAccountNumber: "300001") { closed customerStatus } open: customer(customerAccountNumber: "100001") { closed } }'
  const { data, errors } = await graphOf(stack)(query, { token })
  expect([data, errors]).toEqual([
    { closed: { closed: true, customerStatus: null }, open: { closed: false } },
    [],
  ])
})

it('CLOSED-04 an import closes an account and opens it again, and no other is touched', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'partner-graph-closed-'))
  const bring = async (rows: string) => {
    const file = join(folder, 'accounts.csv')
    writeFileSync(file, rows)
    return importFile(stack.app.db, file, { countryCode: '968' })
  }
  const head = 'customerAccountNumber,customerType,closed,lineKind,lineNumber\n'
  try {
    const closed = await bring(
      `${head}700001,9,true,fixedline,24700001\n700001,,,fixedline,24700002\n700002,9,,,\n`,
    )
    expect(closed.accounts).toMatchObject({ added: 2 })
    expect(await pay('700001')).toMatchObject({ transactionOperationStatus: 'denied' })
    expect(await pay('700002')).toMatchObject({ transactionOperationStatus: 'succeeded' })
    const opened = await bring(`${head}700001,9,false,fixedline,24700001\n700002,9,,,\n`)
    expect(opened.accounts).toMatchObject({ changed: 1, unchanged: 1 })
    expect(await pay('700001')).toMatchObject({ transactionOperationStatus: 'succeeded' })
    await expect(bring(`${head}700001,9,perhaps,,\n`)).rejects.toThrow('closed must be true or false')
  } finally {
    await rm(folder, { recursive: true })
  }
})
