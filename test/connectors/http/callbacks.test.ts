/** Callbacks of a charging system that are refused before anything is made of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signatureHeaders } from '#core/webhooks/message.ts'
import { createAllInOne } from '#gateway/all-in-one.ts'
import { MARK, messageOf, WRONG, withBytes } from '#test/contract/encoding.ts'
import { CALLBACK_SECRET } from '#test/support/charging-simulator.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'

const ENV = {
  CHARGING: 'http',
  CHARGING_URL: 'http://127.0.0.1:9',
  CHARGING_TOKEN: 'none-listens-there',
  CHARGING_CALLBACK_SECRET: CALLBACK_SECRET,
  LOG_LEVEL: 'silent',
}

let opened: TestApp
beforeAll(async () => {
  opened = await openTestApp({ env: ENV })
})
afterAll(() => opened?.[Symbol.asyncDispose]())

const serve = async (settings: { readonly readOnly: boolean }) => {
  const { app } = opened
  const server = await createAllInOne({ ...app, config: { ...app.config, ...settings } })
  const address = await server.http.listen({ port: 0, host: '127.0.0.1' })
  return {
    /** Posts a body with the signature of another one, or its own. */
    async post(body: Buffer<ArrayBuffer>, signed = body) {
      const headers = signatureHeaders('id-1', signed, [CALLBACK_SECRET], Date.now())
      const response = await fetch(`${address}/charging/callbacks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      return { status: response.status, body: (await response.json()) as { code?: string; message?: string } }
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

describe('a callback that is not UTF-8', () => {
  const body = withBytes(`{"transactionId":"${MARK}"}`, WRONG['windows-1256']!)

  it('ENCODING-02 MUST be refused by name where its bytes were signed', async () => {
    await using server = await serve({ readOnly: false })
    const refusal = await server.post(body)
    expect(refusal.status).toBe(400)
    expect(messageOf(refusal.body)).toContain('must be encoded in UTF-8')
  })

  it('ENCODING-03 MUST be refused where what could be made of its bytes was signed', async () => {
    await using server = await serve({ readOnly: false })
    expect((await server.post(body, Buffer.from(body.toString('utf8')))).status).toBe(401)
  })
})

it('NOCHANGE-06 MUST refuse a callback at a server that only reads', async () => {
  await using server = await serve({ readOnly: true })
  const { status, body } = await server.post(Buffer.from('{}'))
  expect(status).toBe(503)
  expect(body).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'This server only reads (READ_ONLY=1): send changes to one that writes',
  })
})
