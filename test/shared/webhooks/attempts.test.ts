/** What a response means, and when the next attempt is; the clock is the test's. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver, status } from './receiver.ts'
import { openStage, type Stage } from './stage.ts'

const TIME_LIMIT_MS = 400

describe('attempts', () => {
  let stage: Stage
  let receiver: Receiver

  beforeAll(async () => {
    stage = await openStage({ timeLimitMs: TIME_LIMIT_MS })
  })
  afterAll(() => stage[Symbol.asyncDispose]())
  beforeEach(async () => {
    receiver = await startReceiver()
    stage.random = 0.5
    return () => receiver[Symbol.asyncDispose]()
  })

  const pass = async (ms: number) => {
    stage.ahead += ms
    await stage.sent()
  }
  const post = async (more: object = {}) => {
    const id = await stage.pay({ notificationUrl: receiver.url, ...more })
    await stage.sent()
    return id
  }
  const delivery = async (id: string) => (await stage.deliveries(id))[0]
  const waitOf = ({ nextAttemptAt }: { nextAttemptAt: string }) =>
    Date.parse(nextAttemptAt) - (Date.now() + stage.ahead)
  /** Begun ones count: some of the wait is over by the time it is read. */
  const secondsLeft = (row: { nextAttemptAt: string }) => Math.ceil(waitOf(row) / 1_000)

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

  it('HOOK-37 a receiver that never answers is left after the time limit', async () => {
    receiver.answer = () => undefined
    const id = await post()
    expect(await delivery(id)).toMatchObject({
      status: 'PENDING',
      lastStatus: null,
      lastError: `no answer within ${TIME_LIMIT_MS / 1_000} s`,
    })
  })

  it('HOOK-38 an answer that drips is cut off at the time limit', async () => {
    const drips = new Set<NodeJS.Timeout>()
    receiver.answer = response => {
      response.writeHead(500)
      drips.add(setInterval(() => response.write('x'), 20))
    }
    const started = Date.now()
    const id = await post()
    drips.forEach(clearInterval)
    expect(Date.now() - started).toBeLessThan(TIME_LIMIT_MS + 2_000)
    expect(await delivery(id)).toMatchObject({ lastStatus: 500, lastError: expect.stringMatching(/^x+$/) })
  })

  it('HOOK-39 an endless answer is read to 16 KiB, and 1 KiB of it kept', async () => {
    let written = 0
    receiver.answer = response => {
      response.writeHead(500)
      const more = () => {
        while (!response.destroyed && response.write('é'.repeat(4_096))) written += 8_192
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }
    const id = await post()
    const { lastError } = await delivery(id)
    expect(Buffer.byteLength(lastError)).toBe(1_024)
    expect(lastError).toMatch(/^é+$/)
    expect(written).toBeLessThan(16 * 1024 * 1024)
  })

  it('HOOK-44 an endless answer of success is success, and cut off', async () => {
    const closed = Promise.withResolvers<void>()
    receiver.answer = response => {
      response.writeHead(200)
      response.once('close', closed.resolve)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(8_192)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }
    const id = await post()
    expect(await delivery(id)).toMatchObject({ status: 'DELIVERED', lastStatus: 200, lastError: null })
    await closed.promise
  })

  it('HOOK-40 what is kept of an error has neither token nor address in it, nor control characters', async () => {
    const token = 'callback-token-7321'
    const host = new URL(receiver.url).host
    receiver.answer = status(500, `bad\u0000 Bearer ${token}\n at ${host}`)
    const id = await post({ notificationAuthToken: token })
    expect((await delivery(id)).lastError).toBe('bad  Bearer […]  at […]')
  })

  it('HOOK-75 nothing of it turns, hides or breaks the text that it is shown in', async () => {
    const token = 'callback-token-7321'
    const odd = '\u202eabc\u2066\u200b\u2028\ufeff\u{e0041}\u061c\u00ad\u0085\u001b[31m'
    receiver.answer = status(500, `a${odd}b callback-to\u200bken-7321 \u2069z`)
    const id = await post({ notificationAuthToken: token })
    const { lastError } = await delivery(id)
    expect(lastError).toBe('aabc [31mb […] z')
    expect(lastError).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
  })

  it('HOOK-76 half a surrogate in the answer is no half a surrogate in what is kept', async () => {
    receiver.answer = response => response.writeHead(500).end(Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62]))
    const { lastError } = await delivery(await post())
    expect(lastError.isWellFormed()).toBe(true)
    expect(lastError).toMatch(/^a\ufffd+b$/)
  })

  it('HOOK-77 no piece of the token is kept where the reading breaks off', async () => {
    const token = 't'.repeat(40) + 'oken-73219'.repeat(150)
    receiver.answer = status(500, `${'x'.repeat(100)}${token.repeat(11)}`)
    const id = await post({ notificationAuthToken: token })
    expect((await delivery(id)).lastError).toMatch(/^x+(\[…\])*$/)
  })

  it('HOOK-41 a receiver that is not there', async () => {
    await receiver[Symbol.asyncDispose]()
    const id = await post()
    expect(await delivery(id)).toMatchObject({
      status: 'PENDING',
      lastStatus: null,
      lastError: 'the connection was refused (ECONNREFUSED)',
    })
  })

  it('HOOK-42 a receiver that hangs up, or talks nonsense', async () => {
    receiver.answer = response => response.socket!.destroy()
    expect((await delivery(await post())).lastError).toMatch(/^the connection was closed/)
    receiver.answer = response => response.socket!.end('HELLO\r\n\r\n')
    expect((await delivery(await post())).lastError).toBe('the answer is not HTTP')
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
