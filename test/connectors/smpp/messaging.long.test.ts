/** Messages where they are sent over SMPP: what partners see of them, from the request to the status and its one event. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_FAULTS } from '#simulators/smpp/faults.ts'
import { graphOf, restOf } from '#test/support/both-interfaces.ts'
import { unique } from '#test/support/fixtures/fixture.ts'
import { messaging } from '#test/support/fixtures/messaging.ts'
import { type SmppSimulator, startSmppSimulator } from '#test/support/smpp-simulator.ts'
import { SEPARATE, type Stack, startStack } from '#test/support/stack.ts'

const PATIENT = { timeout: 20_000, interval: 20 }
const logLines: string[] = []

let simulator: SmppSimulator
let stack: Stack
let token: string
beforeAll(async () => {
  simulator = await startSmppSimulator()
  const env = {
    SMS: 'smpp',
    SMPP_URL: simulator.url('timeout=2&window=8'),
    SMPP_RESEND_SECONDS: '2',
    LOG_LEVEL: 'info',
  }
  stack = await startStack({ env, logLines })
  token = await stack.token()
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await simulator[Symbol.asyncDispose]()
})

const send = async (fields: object = {}): Promise<string> => {
  const body = {
    clientCorrelatorId: unique(),
    sender: 'MuscatPay',
    recipient: '96891000001',
    smsText: 'Hello',
    ...fields,
  }
  const { status, body: answer } = await restOf(stack)('POST', messaging.path, { token, body })
  expect([status, answer.transactionOperationStatus]).toEqual([201, 'accepted'])
  return answer.otlTransactionId
}

const seen = async (id: string) => {
  const query = `query ($id: ID!) { message(otlTransactionId: $id) { transactionOperationStatus reason } }`
  const { data } = await graphOf(stack)(query, { token, variables: { id } })
  return [data.message.transactionOperationStatus, data.message.reason]
}
const becomes = (id: string, status: string, reason: string) =>
  expect.poll(() => seen(id), PATIENT).toEqual([status, expect.stringContaining(reason)])
const eventsOf = (id: string) => stack.app.db.event.findMany({ where: { transactionId: id } })

it.each([
  ['DELIVRD', 'sent', 'The message was sent'],
  ['EXPIRED', 'expired', 'could not be delivered before it expired'],
  ['UNDELIV', 'failed', 'cannot be delivered'],
  ['REJECTD', 'error', 'was rejected'],
])(
  'SMPP-95 have the status that the receipt says, and one event however often it comes: %s',
  async (receipt, status, reason) => {
    await simulator.set({ ...NO_FAULTS, receipt, doubleReceipts: 1 })
    const id = await send()
    await becomes(id, status, reason)
    await expect.poll(async () => (await simulator.book()).entries.at(-1)!.acknowledged, PATIENT).toBe(2)
    await stack.settled()
    expect(await eventsOf(id)).toMatchObject([{ operationStatus: status }])
  },
)

it.each(['مسقط', 'Bank😀', 'Muscat_Pay', 'a\tb'])(
  'SMPP-99 are refused when posted, by both interfaces, where no SMPP address can hold the sender: %j',
  async sender => {
    const fields = { sender, recipient: '96891000001', smsText: 'Hello' }
    const { status, body } = await restOf(stack)('POST', messaging.path, {
      token,
      body: { clientCorrelatorId: unique(), ...fields },
    })
    expect([status, body.code, body.message]).toEqual([
      400,
      'INVALID_ARGUMENT',
      expect.stringMatching(/^sender must be/),
    ])
    const mutation = `mutation ($input: CreateSendSingleSmsInput!) { sendSms(input: $input) { otlTransactionId } }`
    const input = { clientCorrelatorId: unique(), ...fields }
    const { errors } = await graphOf(stack)(mutation, { token, variables: { input } })
    expect(errors[0]).toMatchObject({ extensions: { code: 'INVALID_ARGUMENT', field: 'sender' } })
  },
)

it('SMPP-96 are counted in parts as they are sent', async () => {
  await simulator.set(NO_FAULTS)
  await simulator.forget()
  const smsText = 'فاتورتك بمبلغ ١٢٫٥٠٠ ريال 😀 '.repeat(12)
  const body = { clientCorrelatorId: unique(), sender: '1234', recipient: '96891000002', smsText }
  const { body: answer } = await restOf(stack)('POST', messaging.path, { token, body })
  await becomes(answer.otlTransactionId, 'sent', 'sent')
  const { entries } = await simulator.book()
  expect(entries).toHaveLength(answer.smsParts)
  expect((await simulator.texts()).map(({ text }) => text)).toEqual([smsText])
})

// A gateway says nothing of the binds of a service in another process.
it.skipIf(SEPARATE)(
  'SMPP-97 wait while no message centre is there, which health tells; then they are sent, each once',
  async () => {
    await simulator.set({ ...NO_FAULTS, refuseBind: 'ESME_RBINDFAIL' })
    await simulator.forget()
    await simulator.cut()
    const health = async () => (await fetch(`${stack.address}/health/ready`)).json()
    await expect.poll(health, PATIENT).toMatchObject({
      status: 'ready',
      warnings: [expect.stringMatching(/^smpp: no bind .*ESME_RBINDFAIL/)],
    })
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send({ recipient: `968910001${10 + index}` })),
    )
    expect(await seen(ids[0]!)).toEqual(['accepted', null])
    await simulator.set({ refuseBind: '' })
    for (const id of ids) await becomes(id, 'sent', 'sent')
    expect((await simulator.book()).entries).toHaveLength(ids.length)
    expect(await health()).toEqual({ status: 'ready', reasons: [] })
  },
)

it.skipIf(SEPARATE)('SMPP-98 never tell the password of a bind', async () => {
  const figures = await (await fetch(`${stack.address}/metrics`)).text()
  expect(figures).toMatch(/^smpp_bind_up\{bind="127\.0\.0\.1:\d+"\} 1$/m)
  expect(logLines.join('')).toContain('SMPP bind is down')
  expect(logLines.join('') + figures).not.toMatch(/s@cret|s%40cret/)
})
