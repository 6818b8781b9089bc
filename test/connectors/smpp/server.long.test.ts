/** The server with `SMS=smpp` as an operator runs it, and a message centre, each a process of its own; the server is killed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ServerProcess, startProcess } from '#test/support/process.ts'
import { type SmppSimulator, startSmppSimulator } from '#test/support/smpp-simulator.ts'

const PATIENT = { timeout: 60_000, interval: 100 }

/** Three servers are started, each of which makes or opens a database. */
const LONG_MS = 180_000
const ARABIC = 'عزيزنا العميل، فاتورتك لشهر نوفمبر بمبلغ ١٢٫٥٠٠ ريال مستحقة السداد. شكراً لك 🙏. '.repeat(4)

let folder: string
let simulator: SmppSimulator
let server: ServerProcess
let token: string

const start = async () => {
  server = await startProcess({
    DATA_DIR: join(folder, 'data'),
    SMS: 'smpp',
    SMPP_URL: simulator.url('window=5&timeout=2'),
    SMPP_RESEND_SECONDS: '2',
  })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partner-graph-'))
  simulator = await startSmppSimulator()
  await start()
  const response = await fetch(`${server.address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('demo-partner:demo-partner-secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  token = ((await response.json()) as { access_token: string }).access_token
}, LONG_MS)
afterAll(async () => {
  await server?.stop()
  await simulator[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const ask = async <T>(path: string, body: object): Promise<T> => {
  const response = await fetch(`${server.address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as T
}

let sent = 0
const send = async (fields: object = {}): Promise<string> => {
  const message = { sender: 'MuscatPay', recipient: '96891000001', smsText: 'Hello', ...fields }
  const body = { clientCorrelatorId: `sms-${++sent}`, ...message }
  const { otlTransactionId } = await ask<{ otlTransactionId: string }>(
    '/v1/unified-messaging/send-single',
    body,
  )
  return otlTransactionId
}

const QUERY = `query ($id: ID!) { message(otlTransactionId: $id) { transactionOperationStatus reason } }`
const statusOf = async (id: string) => {
  interface Answer {
    data: { message: { transactionOperationStatus: string } }
  }
  const { data } = await ask<Answer>('/graphql', { query: QUERY, variables: { id } })
  return data.message.transactionOperationStatus
}
/** Number of messages that this process has finalized, by status. */
const settled = async () => {
  const figures = await (await fetch(`${server.address}/metrics`)).text()
  return figures.match(/^transactions_settled_total\{kind="MESSAGE".*$/gm)
}

it(
  'SMPP-94 sets the status that the receipt says, once, also when the server was killed in between',
  async () => {
    await simulator.set({ receiptMs: 5_000 })
    const ids = [await send(), await send({ smsText: ARABIC, recipient: '96891000002' })]
    await expect.poll(async () => (await simulator.texts()).length, PATIENT).toBe(2)
    await server.kill()
    await start()
    for (const id of ids) await expect.poll(() => statusOf(id), PATIENT).toBe('sent')
    expect((await simulator.texts()).map(({ text }) => text)).toEqual(['Hello', ARABIC])
    expect(await settled()).toEqual(['transactions_settled_total{kind="MESSAGE",status="sent"} 2'])
  },
  LONG_MS,
)
