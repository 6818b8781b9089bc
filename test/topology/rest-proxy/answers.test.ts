/** REST answers of services behind the gateway: passed on as they are. */

import { describe, expect, it } from 'vitest'
import { silent } from '#test/support/http-instance.ts'
import { answer, PATH, portOf, prepaid, send, startGateway, useServices } from './services.ts'

useServices()

describe('an answer', () => {
  it('PASS-10 MUST be the service’s, to the byte', async () => {
    const body = '{"amount": 1.500,\n "name":"é"}'
    prepaid().answer = answer(
      409,
      {
        'content-type': 'application/json',
        date: 'Sat, 21 Nov 2026 00:00:00 GMT',
        location: '/prepaid/v1/recharges/1',
        'set-cookie': ['a=1', 'b=2'],
        'x-total-count': '7',
        'x-correlator': 'own-2',
        connection: 'X-Hop',
        'x-hop': 'not kept',
      },
      body,
    )
    const got = await send(PATH, { headers: { 'x-correlator': 'own-2' } })
    expect([got.status, got.body.toString()]).toEqual([409, body])
    expect(got.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      date: 'Sat, 21 Nov 2026 00:00:00 GMT',
      location: '/prepaid/v1/recharges/1',
      'set-cookie': ['a=1', 'b=2'],
      'x-total-count': '7',
    })
    expect(got.headers).not.toHaveProperty('x-hop')
    expect(got.raw.filter(name => name.toLowerCase() === 'x-correlator')).toHaveLength(1)
    expect(got.headers['x-correlator']).toBe('own-2')
  })

  it.each([
    [204, {}],
    [304, { etag: '"1"' }],
    [404, { 'content-type': 'application/json' }],
    [405, { allow: 'GET, POST' }],
  ])('PASS-11 MUST keep the service’s status: %i', async (status, headers) => {
    prepaid().answer = answer(status, headers)
    const got = await send(PATH, { method: 'POST' })
    expect(got.status).toBe(status)
    expect(got.headers).toMatchObject(headers)
    expect(got.body).toHaveLength(0)
  })

  it('PASS-12 MUST say how long the body is that HEAD leaves out', async () => {
    prepaid().answer = answer(200, { 'content-length': '1234', 'content-type': 'application/json' })
    const { headers, body } = await send(PATH, { method: 'HEAD' })
    expect([headers['content-length'], body.length]).toEqual(['1234', 0])
  })

  it('PASS-13 MUST be one for each write, also where the connection breaks', async () => {
    prepaid().answer = response => void response.socket!.destroy()
    const got = await send(PATH, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(got.status).toBe(503)
    expect(JSON.parse(got.body.toString())).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      status: '503',
      message: 'The connection to the service prepaid broke; the request may have been executed',
    })
    expect(prepaid().requests).toHaveLength(1)
    await send(PATH)
    expect(prepaid().requests).toHaveLength(3)
  })

  it('PASS-14 MUST be 503 with Retry-After while the service is down', async () => {
    await prepaid().kill()
    const got = await send(PATH)
    await prepaid().revive()
    expect([got.status, got.headers['retry-after']]).toEqual([503, '2'])
    expect(JSON.parse(got.body.toString())).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      status: '503',
      message: 'The service prepaid cannot be reached',
    })
    expect(got.headers).toHaveProperty('x-correlator')
  })

  it('PASS-15 MUST be 504 when the service takes a second longer than it may', async () => {
    // With the extended deadline, a second longer, it is 30 ms.
    const hurried = await startGateway(-970)
    prepaid().answer = silent
    const got = await send(PATH, { to: portOf(hurried) })
    await hurried.close()
    expect([got.status, JSON.parse(got.body.toString()).code]).toEqual([504, 'REQUEST_TIMEOUT_EXCEEDED'])
  })
})
