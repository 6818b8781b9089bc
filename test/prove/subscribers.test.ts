/** Subscribers of `prove/`, and the wait for what they are still to hear. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { Caller } from '#prove/clients/caller.ts'
import { Subscriber } from '#prove/clients/subscriber.ts'
import { hear } from '#prove/final.ts'
import type { SubscriberLine } from '#prove/history/lines.ts'
import type { Recorder } from '#prove/history/recorder.ts'

const recorder = { write: () => undefined } as unknown as Recorder

/** A server that gives tokens and takes none of them. */
const startRefusing = async () => {
  let given = 0
  const server = createServer((request, response) => {
    const isToken = request.url === '/oauth2/accesstoken'
    response.writeHead(isToken ? 200 : 401, { 'content-type': 'application/json' })
    response.end(isToken ? JSON.stringify({ access_token: `token-${++given}` }) : '{}')
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', socket => socket.on('message', () => socket.close(4401, 'Unauthorized')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    sockets.close()
    server.close()
    server.closeAllConnections()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, given: () => given }
}

it.each(['sse', 'websocket'] as const)(
  'PROVE-SUBSCRIBER-01 MUST ask for another token where its own is not taken any more: %s',
  async transport => {
    const { address, given } = await startRefusing()
    const caller = new Caller({ id: 'analyst', addresses: [address], recorder })
    const line: SubscriberLine = {
      ...{ t: 'subscriber', name: 'all', client: 'analyst' },
      ...{ transport, field: 'transactionEvents' },
    }
    const subscriber = new Subscriber({ line, caller, recorder, random: () => 0, after: 0 })
    await expect.poll(given, { timeout: 10_000 }).toBeGreaterThan(2)
    await subscriber.stop()
  },
)

it('PROVE-SUBSCRIBER-02 MUST wait for the last event, also where a client is not told of it at first', async () => {
  const subscriber: { kind: undefined; last: string | undefined } = { kind: undefined, last: 'first' }
  const answers = [
    { status: 401, body: { errors: [{}] } },
    { status: 200, body: { data: { events: { nodes: [{ eventid: 'second' }] } } } },
  ]
  const graph = async () => {
    const answer = answers.shift()
    if (answers.length === 0) setImmediate(() => (subscriber.last = 'second'))
    return answer
  }
  await hear([[subscriber, { graph } as unknown as Caller]])
  expect(answers).toEqual([])
  expect(subscriber.last).toBe('second')
})
