/** The whole way with a charging system over HTTP: posted over REST, executed by the simulator, reported by callback. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signatureHeaders } from '#core/webhooks/message.ts'
import { CALLBACK_SECRET, freePort, Simulator, TOKEN } from '#test/support/charging-simulator.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { createRest } from '#test/support/rest.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

let stack: Stack
let simulator: Simulator
let token: string
let port: number

const startSimulator = () => Simulator.start({ port, callbackUrl: `${stack.address}/charging/callbacks` })

beforeAll(async () => {
  port = await freePort()
  const env = {
    CHARGING: 'http',
    CHARGING_URL: `http://127.0.0.1:${port}`,
    CHARGING_TOKEN: TOKEN,
    CHARGING_CALLBACK_SECRET: CALLBACK_SECRET,
    CHARGING_TIMEOUT_MS: '2000',
    LOG_LEVEL: 'silent',
  }
  stack = await startStack({ env })
  simulator = await startSimulator()
  token = await stack.token()
})
afterAll(async () => {
  await simulator?.[Symbol.asyncDispose]()
  await stack?.[Symbol.asyncDispose]()
})

/** Moments on a machine that has nothing else to do. */
const SOON = { timeout: 20_000 }

const CHARGED = FIXTURES.filter(({ kind }) => kind !== 'MESSAGE')
const PAYMENT = FIXTURES.find(({ kind }) => kind === 'PAYMENT')!

const post = async (fixture = PAYMENT): Promise<string> => {
  const { status, body } = await createRest(stack.address)('POST', fixture.path, {
    token,
    body: fixture.body(),
  })
  expect(status).toBe(201)
  return body[fixture.idField]
}

const statusOf = async (id: string, { path }: { path: string } = PAYMENT): Promise<string> =>
  (await createRest(stack.address)('GET', `${path}/${id}`, { token })).body.transactionOperationStatus

const entryOf = async (id: string) => (await simulator.book()).find(entry => entry.transactionId === id)

/** A callback as the charging system would send it, or nearly so; the status of the answer. */
const callBack = async (body: object | string, headers: Record<string, string> = {}): Promise<number> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const signed = signatureHeaders(randomUUID(), text, [CALLBACK_SECRET], Date.now())
  const response = await fetch(`${stack.address}/charging/callbacks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed, ...headers },
    body: text,
  })
  return response.status
}

describe('a charging system over HTTP', () => {
  it.each(CHARGED)('CHARGE-01 carries out what is posted: $kind', async fixture => {
    await simulator.faults()
    const id = await post(fixture)
    await expect.poll(() => statusOf(id, fixture), SOON).toBe(fixture.statusFor.done)
    expect(await entryOf(id)).toMatchObject({ outcome: 'done', carriedOut: 1 })
  })

  it('CHARGE-02 is not called for messages', async () => {
    const message = FIXTURES.find(({ kind }) => kind === 'MESSAGE')!
    const id = await post(message)
    await stack.settled()
    expect(await stack.app.db.message.findUnique({ where: { id } })).toMatchObject({ status: 'sent' })
    expect(await entryOf(id)).toBeUndefined()
  })

  it('CHARGE-03 tells of a pending order by itself, twice, and it is settled once', async () => {
    await simulator.faults({ fault: 'pending', ms: 50, callbacks: 2 })
    const id = await post()
    await expect.poll(() => statusOf(id), SOON).toBe('succeeded')
    expect(await stack.app.db.event.count({ where: { transactionId: id } })).toBe(1)
    expect(await stack.app.db.ledgerEntry.count({ where: { transactionId: id } })).toBe(1)
  })

  it('CHARGE-04 is away: what is posted waits, readiness warns, and it is carried out once it is back', async () => {
    await simulator.kill()
    const ids = await Promise.all(Array.from({ length: 8 }, () => post()))
    const ready = async () => (await fetch(`${stack.address}/health/ready`)).json()
    await expect.poll(ready, SOON).toMatchObject({
      status: 'ready',
      warnings: [expect.stringContaining('charging: it failed several times')],
    })
    simulator = await startSimulator()
    for (const id of ids) await expect.poll(() => statusOf(id), SOON).toBe('succeeded')
    for (const id of ids) expect(await entryOf(id)).toMatchObject({ carriedOut: 1 })
    expect(await ready()).toEqual({ status: 'ready', reasons: [] })
  })
})

describe('a callback', () => {
  const pending = async () => {
    await simulator.faults({ fault: 'pending', ms: 60_000 })
    const id = await post()
    await expect.poll(() => entryOf(id), SOON).toMatchObject({ outcome: 'pending' })
    const isHeld = () => stack.app.db.chargeOrder.findUnique({ where: { transactionId: id } })
    await expect.poll(isHeld, SOON).toMatchObject({ state: 'pending' })
    return id
  }

  it('CHARGE-10 is taken with its signature alone', async () => {
    const transactionId = await pending()
    const done = { transactionId, outcome: 'done' }
    const old = signatureHeaders('id', JSON.stringify(done), [CALLBACK_SECRET], Date.now() - 600_000)
    const foreign = signatureHeaders(
      'id',
      JSON.stringify(done),
      [`whsec_${Buffer.alloc(24, 8).toString('base64')}`],
      Date.now(),
    )
    for (const headers of [{ 'webhook-signature': '' }, { 'webhook-id': 'another' }, old, foreign])
      expect(await callBack(done, headers)).toBe(401)
    expect(await statusOf(transactionId)).toBe('processing')
    expect(await callBack(done)).toBe(204)
    await expect.poll(() => statusOf(transactionId), SOON).toBe('succeeded')
    expect(await callBack(done)).toBe(204)
    expect(await callBack({ transactionId, outcome: 'declined', reason: 'no' })).toBe(204)
    await stack.settled()
    expect(await statusOf(transactionId)).toBe('succeeded')
  })

  it('CHARGE-11 that says nothing of an order of ours is refused', async () => {
    expect(await callBack({ transactionId: randomUUID(), outcome: 'done' })).toBe(404)
    for (const nonsense of ['', '[]', 'no', '{"outcome":"done"}', '{"transactionId":"1","outcome":"done"}'])
      expect(await callBack(nonsense)).toBe(400)
    const transactionId = await pending()
    expect(await callBack({ transactionId, outcome: 'declined' })).toBe(400)
    expect(await callBack({ transactionId, outcome: 'declined', reason: 'It is closed' })).toBe(204)
    await expect.poll(() => statusOf(transactionId), SOON).toBe('denied')
  })
})
