/** Responses that are none: absent, too late, endless, or with texts that must not be kept. */

import { describe, expect, it } from 'vitest'
import { delivery, logLines, post, receiver, stage, TIME_LIMIT_MS, useAttempts } from './attempted.ts'
import { status } from './receiver.ts'

useAttempts()

const ERRORS =
  'query ($id: ID!) { payment(paymentId: $id) { webhookDeliveries { lastError attemptLog { error } } } }'

describe('attempts', () => {
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

  it('HOOK-78 an analyst reads nothing of the address, nor does the database or the log', async () => {
    const place = '/partner-portal/k3y-of-the-shop?api_key=q9x8w7'
    receiver.answer = (response, { path }) => response.writeHead(404).end(`Cannot POST ${path}`)
    const id = await post({ notificationUrl: `${new URL(receiver.url).origin}${place}` })
    const errorsSeenBy = async (client: string) => {
      const { data } = await stage.graph(ERRORS, {
        token: await stage.stack.token(client),
        variables: { id },
      })
      const [{ lastError, attemptLog }] = data.payment.webhookDeliveries
      return [lastError, ...attemptLog.map((one: { error: string }) => one.error)]
    }
    for (const client of ['demo-analyst', 'demo-portal', 'demo-partner'])
      expect(await errorsSeenBy(client)).toEqual(['Cannot POST […]', 'Cannot POST […]'])
    const { db } = stage.stack.app
    const [row] = await db.$queryRaw<object[]>`
      SELECT last_error, attempt_log FROM events.delivery WHERE transaction_id = ${id}::uuid`
    const own = logLines.filter(line => line.includes('webhook'))
    expect(own.length).toBeGreaterThan(0)
    expect(JSON.stringify(row) + own.join('')).not.toMatch(/partner-portal|k3y|shop|api_key|q9x8w7/)
    await db.$executeRaw`
      UPDATE events.delivery SET last_error = ${`no ${place}`}, attempt_log = ${JSON.stringify([{ at: new Date(), status: 404, durationMs: 1, error: `no ${place}` }])}::jsonb
      WHERE transaction_id = ${id}::uuid`
    expect(await errorsSeenBy('demo-analyst')).toEqual(['no […]', 'no […]'])
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
})
