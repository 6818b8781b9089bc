/** The meaning of a response, and the time of the next attempt; the test moves the clock. */

import { describe, expect, it } from 'vitest'
import { delivery, post, receiver, stage, TIME_LIMIT_MS, useAttempts } from './attempted.ts'
import { status } from './receiver.ts'

useAttempts()

const pass = async (ms: number) => {
  stage.ahead += ms
  await stage.sent()
}

const waitOf = ({ nextAttemptAt }: { nextAttemptAt: string }) =>
  Date.parse(nextAttemptAt) - (receiver.received.at(-1)!.at + stage.ahead)

/** Begun ones do not count: the wait begins some moments after the request has come. */
const secondsLeft = (row: { nextAttemptAt: string }) => Math.floor(waitOf(row) / 1_000)

describe('attempts', () => {
  it.each([200, 201, 202, 204, 299])('HOOK-30 %i is success', async code => {
    receiver.answer = status(code)
    const id = await post()
    expect(await delivery(id)).toMatchObject({
      status: 'DELIVERED',
      attempts: 1,
      lastStatus: code,
      lastError: null,
      nextAttemptAt: null,
      deliveredAt: expect.any(String),
    })
  })

  it.each([301, 302, 307, 308])('HOOK-31 a redirect with %i is not followed and no success', async code => {
    receiver.answer = status(code, '', { location: receiver.url })
    const id = await post()
    expect(await delivery(id)).toMatchObject({ status: 'PENDING', attempts: 1, lastStatus: code })
    expect(receiver.received).toHaveLength(1)
  })

  it.each([400, 401, 403, 404, 429, 500, 503, 504])('HOOK-32 %i is tried again', async code => {
    receiver.answer = status(code, 'not now')
    const id = await post()
    const failed = await delivery(id)
    expect(failed).toMatchObject({ status: 'PENDING', attempts: 1, lastStatus: code, lastError: 'not now' })
    expect(Math.abs(waitOf(failed) - 5_000)).toBeLessThan(2_000)
    receiver.answer = status(204)
    await pass(5_100)
    expect(await delivery(id)).toMatchObject({
      status: 'DELIVERED',
      attempts: 2,
      lastStatus: 204,
      lastError: null,
    })
  })

  it('HOOK-33 410 ends at once', async () => {
    receiver.answer = status(410)
    const id = await post()
    expect(await delivery(id)).toMatchObject({
      status: 'DEAD',
      attempts: 1,
      lastStatus: 410,
      nextAttemptAt: null,
    })
  })

  it('HOOK-34 is dead after eight attempts over 27 hours, each with the same eventid and body', async () => {
    receiver.answer = status(500)
    const id = await post()
    const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
    for (const [index, wait] of waits.entries()) {
      expect(await delivery(id)).toMatchObject({ status: 'PENDING', attempts: index + 1 })
      await pass((wait - 2) * 1_000)
      expect(receiver.received).toHaveLength(index + 1)
      await pass(2_100)
      expect(receiver.received).toHaveLength(index + 2)
    }
    expect(await delivery(id)).toMatchObject({
      status: 'DEAD',
      attempts: 8,
      lastStatus: 500,
      nextAttemptAt: null,
    })
    expect(new Set(receiver.received.map(one => one.raw)).size).toBe(1)
    await pass(48 * 3_600_000)
    expect(receiver.received).toHaveLength(8)
  })

  it('HOOK-35 Retry-After is honoured up to twice the planned wait', async () => {
    receiver.answer = status(503, '', { 'retry-after': '8' })
    const eight = secondsLeft(await delivery(await post()))
    receiver.answer = status(503, '', { 'retry-after': '86400' })
    const day = secondsLeft(await delivery(await post()))
    expect([eight, day]).toEqual([8, 10])
  })

  it('HOOK-36 waits are spread by a fifth', async () => {
    receiver.answer = status(500)
    stage.random = 0
    const early = secondsLeft(await delivery(await post()))
    stage.random = 0.9999
    const late = secondsLeft(await delivery(await post()))
    expect([early, late]).toEqual([4, 6])
  })

  it('HOOK-43 a portal sends a dead one again, with the same eventid and eight new attempts', async () => {
    receiver.answer = status(410)
    const id = await post()
    const dead = await delivery(id)
    receiver.answer = status(500)
    const token = await stage.stack.token('demo-portal')
    const { data, errors } = await stage.graph(
      'mutation ($id: ID!) { redeliverWebhook(deliveryId: $id) { id status attempts nextAttemptAt } }',
      { token, variables: { id: dead.id } },
    )
    expect(errors).toEqual([])
    expect(data.redeliverWebhook).toMatchObject({ id: dead.id, status: 'PENDING', attempts: 0 })
    await stage.sent()
    expect(await delivery(id)).toMatchObject({ status: 'PENDING', attempts: 1, lastStatus: 500 })
    receiver.answer = status(204)
    await pass(5_100)
    expect(await delivery(id)).toMatchObject({ status: 'DELIVERED', attempts: 2 })
    expect(new Set(receiver.received.map(one => one.body.event.eventid))).toEqual(new Set([dead.eventid]))
  })

  it('HOOK-45 each attempt is kept with its time, status, duration and error, those before a redelivery too', async () => {
    const token = 'callback-token-7321'
    receiver.answer = status(410, `no ${token} ${'x'.repeat(2_000)}`)
    const before = Date.now() + stage.ahead
    const id = await post({ notificationAuthToken: token })
    receiver.answer = () => undefined
    await stage.graph(`mutation { redeliverWebhook(deliveryId: "${(await delivery(id)).id}") { id } }`, {
      token: await stage.stack.token('demo-portal'),
    })
    await stage.sent()
    receiver.answer = status(204)
    await pass(5_100)
    const { attemptLog, attempts } = await delivery(id)
    expect(attempts).toBe(2)
    expect(attemptLog).toEqual([
      { at: expect.any(String), status: 410, durationMs: expect.any(Number), error: expect.any(String) },
      {
        at: expect.any(String),
        status: null,
        durationMs: expect.any(Number),
        error: `no answer within ${TIME_LIMIT_MS / 1_000} s`,
      },
      { at: expect.any(String), status: 204, durationMs: expect.any(Number), error: null },
    ])
    expect(attemptLog[0].error).toMatch(/^no \[…\] x+$/)
    expect(Buffer.byteLength(attemptLog[0].error)).toBe(1_024)
    expect(attemptLog[1].durationMs).toBeGreaterThanOrEqual(TIME_LIMIT_MS - 50)
    const times = attemptLog.map(({ at }: { at: string }) => Date.parse(at))
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
    expect(times[0]).toBeGreaterThanOrEqual(before)
    expect(times[2]).toBeLessThanOrEqual(Date.now() + stage.ahead)
  })

  it('HOOK-46 of more than 24 attempts the newest are kept', async () => {
    receiver.answer = status(500)
    const id = await post()
    const earlier = Array.from({ length: 24 }, (_, n) => ({ at: new Date(n), status: 500, durationMs: n }))
    await stage.stack.app.db
      .$executeRaw`UPDATE events.delivery SET attempt_log = ${JSON.stringify(earlier)}::jsonb WHERE transaction_id = ${id}::uuid`
    receiver.answer = status(204)
    await pass(5_100)
    const { attemptLog } = await delivery(id)
    expect(attemptLog).toHaveLength(24)
    expect([attemptLog[0].durationMs, attemptLog[22].durationMs, attemptLog[23].status]).toEqual([1, 23, 204])
  })
})
