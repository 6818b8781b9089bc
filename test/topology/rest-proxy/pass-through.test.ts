/** REST requests to services behind the gateway: passed to their owner as they are. */

import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { json } from '#test/support/http-instance.ts'
import { PATH, PORTAL, port, prepaid, send, services, useServices } from './services.ts'

useServices()

describe('a request', () => {
  it.each([
    ['/postpaid-billing/v1/payments?offset=0&limit=5', 'postpaid-billing'],
    ['/prepaid/v1/recharges/a%2Fb?x=%20+&x=2', 'prepaid'],
    ['/v1/unified-messaging/send-single', 'messaging'],
    ['/loyalty/v1/reward-points/..%2f', 'loyalty'],
    ['/loyaltyredemption/v1/redemptions?perPage=0', 'redemption'],
  ])('PASS-01 MUST come to the service whose path it is, unchanged: %s', async (path, name) => {
    const method = name === 'messaging' ? 'POST' : 'GET'
    expect((await send(path, { method })).status).toBe(200)
    expect(services[name]!.requests.map(({ url }) => url)).toEqual([path])
  })

  it.each(['GET', 'HEAD', 'POST'])('PASS-02 MUST come with its method: %s', async method => {
    await send(PATH, { method })
    expect(prepaid().requests.map(one => one.method)).toEqual([method])
  })

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])(
    'PASS-09 MUST be refused here, as at the service, where its path does not have the method: %s',
    async method => {
      const refused = await send(PATH, { method })
      expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
      expect(prepaid().requests).toHaveLength(0)
    },
  )

  it.each([
    ['malformed JSON', '{"a": 1.50, ', 'application/json'],
    ['spaces and numbers as they were written', '{ "a" : 1.50 }\n', 'application/json; charset=utf-8'],
    ['bytes that are no text', Buffer.from([0, 255, 254, 128]), 'application/octet-stream'],
    ['an unknown type', 'x', 'text/x-unknown'],
    ['nothing', '', 'application/json'],
  ])('PASS-03 MUST come with its body: %s', async (_, body, type) => {
    const sent = Buffer.from(body)
    await send(PATH, { method: 'POST', body: sent, headers: { 'content-type': type } })
    const [request] = prepaid().requests
    expect(request!.body.equals(sent)).toBe(true)
    expect(request!.headers).toMatchObject({ 'content-type': type, 'content-length': String(sent.length) })
  })

  it('PASS-04 MUST come with 1 MiB, and be refused with more', async () => {
    const full = Buffer.alloc(1024 * 1024, 'x')
    const headers = { 'content-type': 'application/json' }
    expect((await send(PATH, { method: 'POST', body: full, headers })).status).toBe(200)
    const more = Buffer.concat([full, Buffer.from('x')])
    const refused = await send(PATH, { method: 'POST', body: more, headers })
    expect([refused.status, JSON.parse(refused.body.toString()).message]).toEqual([
      400,
      'the request body must not be larger than 1 MiB',
    ])
    expect(prepaid().requests.map(({ body }) => body.length)).toEqual([full.length, 0])
  })

  it('PASS-08 MUST be refused as the service refuses it where that comes before a body that is too large', async () => {
    prepaid().answer = json({ code: 'UNAUTHORIZED' }, 401)
    const headers = { 'content-type': 'application/json' }
    const refused = await send(PATH, { method: 'POST', body: Buffer.alloc(1024 * 1024 + 1, 'x'), headers })
    expect([refused.status, refused.body.toString()]).toEqual([401, '{"code":"UNAUTHORIZED"}'])
  })

  it('PASS-05 MUST come with its headers, but those of one connection', async () => {
    const headers = {
      authorization: 'Bearer x',
      traceparent: '00-1-2-01',
      'x-own': 'kept',
      'x-hop': 'not kept',
      connection: 'close, X-Hop',
      te: 'trailers',
      'proxy-authorization': 'Basic x',
      'x-forwarded-for': '10.0.0.1',
      forwarded: 'for=10.0.0.1',
      expect: '100-continue',
      'x-correlator': 'own-1',
    }
    await send(PATH, { headers })
    const [request] = prepaid().requests
    expect(request!.headers).toMatchObject({
      authorization: 'Bearer x',
      traceparent: '00-1-2-01',
      'x-own': 'kept',
      'x-correlator': 'own-1',
      'x-forwarded-for': '10.0.0.1, 127.0.0.1',
      forwarded: `for=10.0.0.1, for=127.0.0.1;host="127.0.0.1:${port}";proto=http`,
      host: prepaid().origin.slice('http://'.length),
    })
    for (const name of ['x-hop', 'te', 'proxy-authorization', 'expect'])
      expect(request!.headers).not.toHaveProperty(name)
  })

  it('PASS-06 MUST come with the correlator that it was given here', async () => {
    const { headers } = await send(PATH)
    expect(prepaid().requests[0]!.headers['x-correlator']).toBe(headers['x-correlator'])
  })
})

describe('a path', () => {
  it('PASS-22 MUST be OUT_OF_RANGE where a list is refused here already, and no other request', async () => {
    const refusal = async (method: string, path: string) => {
      const headers = { 'x-correlator': 'not a correlator' }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers })
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    expect(await refusal('GET', PATH)).toEqual([400, 'OUT_OF_RANGE'])
    expect(await refusal('POST', PATH)).toEqual([400, 'INVALID_ARGUMENT'])
    expect(await refusal('GET', `${PATH}/1`)).toEqual([400, 'INVALID_ARGUMENT'])
  })

  it('PASS-20 MUST be answered here where no service has it', async () => {
    const got = await send('/prepaid/v2/recharges')
    expect([got.status, JSON.parse(got.body.toString()).code]).toEqual([404, 'NOT_FOUND'])
    expect(prepaid().requests).toHaveLength(0)
  })

  it('PASS-22 MUST come without its origin, and be for a page that this server lets read it', async () => {
    const answer = await send(PATH, { headers: { origin: PORTAL } })
    expect(services['prepaid']!.requests[0]!.headers).not.toHaveProperty('origin')
    expect(answer.headers['access-control-allow-origin']).toBe(PORTAL)
  })

  it('PASS-21 MUST come without the origin that stands before a path', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'GET http://elsewhere.test/prepaid/v1/recharges?a=1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    )
    expect((await buffer(socket)).toString()).toMatch(/^HTTP\/1.1 200/)
    expect(prepaid().requests.map(({ url }) => url)).toEqual([`${PATH}?a=1`])
  })
})
