import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createScratch, SECRETS_KEY } from '../support/postgres.ts'
import { type ServerProcess, startProcess } from '../support/process.ts'

const ROUNDS = 2
const PER_ROUND = 40
const AMOUNT = 0.125

interface Payment {
  paymentId: string
  transactionOperationStatus: string
  paymentTransaction: { clientCorrelatorId: string }
}

let env: Record<string, string>
let cleanUp: () => Promise<void>

beforeAll(async () => {
  if (process.env['TEST_DATABASE'] === 'postgres') {
    const { url, drop } = await createScratch()
    env = { DATABASE_URL: url, SECRETS_KEY, DEMO: '1' }
    cleanUp = drop
  } else {
    const folder = await mkdtemp(join(tmpdir(), 'partner-graph-'))
    env = { DATA_DIR: join(folder, 'data') }
    cleanUp = () => rm(folder, { recursive: true, force: true })
  }
})
afterAll(() => cleanUp())

const tokenFor = async ({ address }: ServerProcess): Promise<string> => {
  const response = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('demo-partner:demo-partner-secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

const bodyOf = (clientCorrelatorId: string) => ({
  paymentTransaction: {
    clientCorrelatorId,
    referenceCode: 'kill',
    customerInfo: { customerAccountNumber: '100008' },
    paymentInfo: { paymentInformation: { amount: AMOUNT, currency: 'OMR', description: 'one eighth' } },
  },
})

/** The paymentId of a 201; undefined when the server died before it answered. */
const post = async (
  server: ServerProcess,
  token: string,
  correlator: string,
  key?: string,
): Promise<string | undefined> => {
  const response = await fetch(`${server.address}/postpaid-billing/v1/payments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify(bodyOf(correlator)),
  }).catch(() => undefined)
  return response?.status === 201
    ? ((await response.json().catch(() => ({}))) as Payment).paymentId
    : undefined
}

/** Posts many at once and kills the server once some are answered: others are then at every stage. */
const postAndKill = async (server: ServerProcess, round: number): Promise<string[]> => {
  const token = await tokenFor(server)
  const answered: string[] = []
  const posts = Array.from({ length: PER_ROUND }, async (_, index) => {
    const paymentId = await post(server, token, `kill-${round}-${index}`)
    if (paymentId) answered.push(paymentId)
    if (answered.length === 5 + round * 7) await server.kill()
  })
  await Promise.all(posts)
  await server.kill()
  return answered
}

const KEYS = Array.from({ length: PER_ROUND }, (_, index) => `kill-key-${index}`)

/** Posts each under a key of its own, and kills the server once some are answered; the ids of these by their keys. */
const postKeysAndKill = async (server: ServerProcess): Promise<Map<string, string>> => {
  const token = await tokenFor(server)
  const answered = new Map<string, string>()
  const posts = KEYS.map(async key => {
    const paymentId = await post(server, token, key, key)
    if (paymentId) answered.set(key, paymentId)
    if (answered.size === 8) await server.kill()
  })
  await Promise.all(posts)
  await server.kill()
  return answered
}

const getJson = async <T>(server: ServerProcess, token: string, path: string): Promise<T> =>
  (await (await fetch(server.address + path, { headers: { authorization: `Bearer ${token}` } })).json()) as T

/** A restarted server settles what was left; queried until nothing is pending (the test's own time limit bounds it). */
const settledPayments = async (server: ServerProcess, token: string): Promise<Payment[]> => {
  for (;;) {
    const payments = await getJson<Payment[]>(server, token, '/postpaid-billing/v1/payments?perPage=1000')
    if (payments.every(({ transactionOperationStatus }) => transactionOperationStatus !== 'processing'))
      return payments
  }
}

describe('a server that is killed', () => {
  it('KILL-01 loses no answered payment, applies each once, and leaves the dues exact', async () => {
    const answered: string[] = []
    for (let round = 0; round < ROUNDS; round++)
      answered.push(...(await postAndKill(await startProcess(env), round)))

    const server = await startProcess(env)
    const token = await tokenFor(server)
    const payments = await settledPayments(server, token)
    const customer = await getJson<{ totalDues: number }>(
      server,
      token,
      '/postpaid-billing/v1/customers?customerAccountNumber=100008',
    )
    expect(await server.stop()).toBe(0)

    expect(answered.length).toBeGreaterThan(0)
    const ids = payments.map(({ paymentId }) => paymentId)
    expect(ids).toEqual(expect.arrayContaining(answered))
    const correlators = payments.map(({ paymentTransaction }) => paymentTransaction.clientCorrelatorId)
    expect(new Set(correlators).size).toBe(correlators.length)
    expect(new Set(payments.map(payment => payment.transactionOperationStatus))).toEqual(
      new Set(['succeeded']),
    )
    expect(customer.totalDues).toBe(640 - payments.length * AMOUNT)
  }, 60_000)

  it('KILL-02 answers each key after it by the payment that it had, or posts it then, once', async () => {
    const first = await startProcess(env)
    const before = await postKeysAndKill(first)
    expect(before.size).toBeGreaterThan(0)

    const server = await startProcess(env)
    const token = await tokenFor(server)
    const again = new Map<string, string | undefined>()
    for (const key of KEYS) again.set(key, await post(server, token, key, key))
    for (const key of KEYS) expect(await post(server, token, key, key)).toBe(again.get(key))
    for (const [key, paymentId] of before) expect(again.get(key)).toBe(paymentId)

    const payments = await settledPayments(server, token)
    const keyed = payments.filter(({ paymentTransaction }) =>
      KEYS.includes(paymentTransaction.clientCorrelatorId),
    )
    expect(await server.stop()).toBe(0)
    expect(keyed.map(({ paymentId }) => paymentId).toSorted()).toEqual([...again.values()].toSorted())
  }, 60_000)
})
