/** Conditional requests: lists and records of every service by their ETags, through whatever lies before it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restOf } from '../support/both-interfaces.ts'
import { type CodedAnswer, callCoded } from '../support/coded.ts'
import { READABLE } from '../support/fixtures/all.ts'
import type { ServiceFixture } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token({ id: 'etag-partner', role: 'partner', dummyCards: true })
})
afterAll(() => stack[Symbol.asyncDispose]())

const post = async ({ path, idField, body }: ServiceFixture): Promise<string> => {
  const created = await restOf(stack)('POST', path, { token, body: body() })
  expect(created.status).toBe(201)
  await stack.settled()
  return created.body[idField]
}

const get = (path: string, known?: unknown, coding = 'identity') =>
  callCoded(stack.address + path, {
    token,
    headers: { 'accept-encoding': coding, ...(known !== undefined && { 'if-none-match': String(known) }) },
  })

describe.each(READABLE)('$name', fixture => {
  it('ETAG-20 MUST answer 304 to a client that has the list or record, and 200 to one that has another', async () => {
    const id = await post(fixture)
    for (const path of [`${fixture.path}/${id}`, `${fixture.path}?perPage=10`]) {
      const whole = await get(path)
      const { etag } = whole.headers
      expect(etag).toMatch(/^"[\w-]{22}"$/)
      expect(whole.headers['cache-control']).toBe('private, no-cache')
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const again = await get(path, known)
        expect([again.status, again.bytes.length, again.headers['etag']]).toEqual([304, 0, etag])
        expect(again.headers['x-correlator']).toBeDefined()
        // It would have to be the length of the whole (RFC 9110 §8.6).
        expect(again.headers['content-length']).toBeUndefined()
        for (const name of ['x-total-count', 'content-last-key', 'cache-control', 'vary'])
          expect(again.headers[name]).toEqual(whole.headers[name])
      }
      const other = await get(path, '"x"')
      expect([other.status, other.text]).toEqual([200, whole.text])
    }
  })

  it('ETAG-21 MUST not be 304 for a list from the 201 of another record on', async () => {
    await post(fixture)
    const path = `${fixture.path}?perPage=1`
    for (let turn = 0; turn < 3; turn += 1) {
      const before = await get(path)
      expect((await get(path, before.headers['etag'])).status).toBe(304)
      await post(fixture)
      const after = await get(path, before.headers['etag'])
      // The first record is the same, and the total is not.
      expect([after.status, after.text]).toEqual([200, before.text])
      expect(Number(after.headers['x-total-count'])).toBe(Number(before.headers['x-total-count']) + 1)
    }
  })

  it('ETAG-22 MUST have a tag for each encoding', async () => {
    for (let count = 0; count < 4; count += 1) await post(fixture)
    const path = `${fixture.path}?perPage=10`
    const [plain, packed] = [await get(path), await get(path, undefined, 'br')]
    expect(packed.text).toBe(plain.text)
    expect(packed.headers['etag']).toBe(String(plain.headers['etag']).replace(/"$/, '-br"'))
    expect((await get(path, packed.headers['etag'], 'br')).status).toBe(304)
    expect((await get(path, packed.headers['etag'])).status).toBe(200)
  })

  it('ETAG-24 MUST answer HEAD with the headers of GET; with a 304 it tells the length of the whole', async () => {
    for (let count = 0; count < 4; count += 1) await post(fixture)
    const address = `${stack.address}${fixture.path}?perPage=10`
    const ask = async (method: 'GET' | 'HEAD', known: string): Promise<CodedAnswer['headers']> => {
      const headers = { 'accept-encoding': 'br', 'if-none-match': known }
      const answer = await callCoded(address, { token, headers, method })
      const { date, 'x-correlator': correlator, ratelimit, ...others } = answer.headers
      return { ...others, ':status': String(answer.status) }
    }
    const whole = await ask('GET', '"x"')
    expect(whole['content-encoding']).toBe('br')
    expect(await ask('HEAD', '"x"')).toEqual(whole)
    expect(await ask('HEAD', '*')).toEqual({
      ...(await ask('GET', '*')),
      'content-length': whole['content-length'],
    })
  })

  it('ETAG-23 MUST check who asks first', async () => {
    const id = await post(fixture)
    const address = `${stack.address}${fixture.path}/${id}`
    const headers = { 'if-none-match': '*' }
    expect((await callCoded(address, { headers })).status).toBe(401)
    const stranger = await stack.token('demo-partner-2')
    expect((await callCoded(address, { token: stranger, headers })).status).toBe(404)
  })
})
