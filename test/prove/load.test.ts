/** The load of `prove/load/`: what is sent, what is counted, and how latencies are summed up. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Histogram } from '#prove/load/histogram.ts'
import { mixOf } from '#prove/load/requests.ts'
import { NUMBER, Sender } from '#prove/load/sender.ts'

const listen = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const get = (path: string) => ({ kind: path, text: `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n` })

it('PROVE-LOAD-01 MUST tell the 99th of a hundred from the last, within two parts in a hundred', () => {
  const histogram = new Histogram()
  for (let ms = 1; ms <= 100; ms++) histogram.add(ms)
  const { count, p50, p99, max } = histogram.latency
  expect({ count, max }).toEqual({ count: 100, max: 100 })
  expect(p50).toBeGreaterThanOrEqual(50)
  expect(p50).toBeLessThan(51.1)
  expect(p99).toBeGreaterThanOrEqual(99)
  expect(p99).toBeLessThanOrEqual(100)
  expect(new Histogram().latency).toEqual({ count: 0, p50: 0, p99: 0, max: 0 })
})

it('PROVE-LOAD-02 MUST count what is accepted, refused, refused without a time to come back, and neither', async () => {
  const port = await listen(({ url }, response) => {
    if (url === '/cut') return void response.destroy()
    const [, status, later] = /^\/(\d+)(\/later)?/.exec(url!)!
    if (later) response.setHeader('retry-after', '1')
    // Half of the answers come in chunks.
    response.writeHead(Number(status))
    if (later) response.write('{}')
    response.end('{}')
  })
  const texts = ['/200', '/201', '/503/later', '/503', '/404', '/cut', '/200/later'].map(get)
  const sender = new Sender(port, { client: 'one', connections: 14, perSecond: 70, texts })
  const { sent, accepted, kinds, refused, withoutRetryAfter, others } = await sender.run(0.2)
  sender.close()
  expect(sent).toBe(14)
  expect(accepted.count).toBe(6)
  expect(kinds['/201']?.count).toBe(2)
  expect(refused.count).toBe(4)
  expect(withoutRetryAfter).toBe(2)
  expect(others).toEqual({ 404: 2, 0: 2 })
})

it('PROVE-LOAD-03 MUST send at its rate whatever is answered, and say what found no connection', async () => {
  const waiting: ServerResponse[] = []
  const port = await listen((_, response) => void waiting.push(response))
  const sender = new Sender(port, { client: 'one', connections: 3, perSecond: 100, texts: [get('/')] })
  const running = sender.run(0.1)
  await expect.poll(() => waiting.length).toBe(3)
  const letGo = setInterval(() => {
    if (sender.due < 10) return
    for (const response of waiting) response.end()
  }, 5)
  const { sent, unsent, accepted } = await running
  clearInterval(letGo)
  sender.close()
  expect({ sent, unsent, accepted: accepted.count }).toEqual({ sent: 3, unsent: 7, accepted: 3 })
  // Ten are due in a tenth of a second: the first waited until the last was due.
  expect(accepted.max).toBeGreaterThanOrEqual(80)
})

it('PROVE-LOAD-04 MUST give each payment a correlator of its own, in a body of the length that is said', async () => {
  const correlators: string[] = []
  const port = await listen(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    if (request.method === 'POST' && request.url !== '/graphql')
      correlators.push(JSON.parse(text).paymentTransaction.clientCorrelatorId)
    response.end('{}')
  })
  const texts = mixOf('token', 'http://127.0.0.1:1')
  const sender = new Sender(port, { client: 'one', connections: 1, texts })
  const closed = sender.run(0.2)
  await expect.poll(() => correlators.length).toBeGreaterThan(6)
  const { others } = await closed
  sender.close()
  expect(others).toEqual({})
  expect(new Set(correlators).size).toBe(correlators.length)
  expect(correlators.filter(one => one.length !== NUMBER.length || !/^\d+$/.test(one))).toEqual([])
})
