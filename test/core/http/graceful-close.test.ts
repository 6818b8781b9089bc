/** A server that closes answers all requests of a connection that came at once, and ends it behind the last. */
import { type FastifyReply, fastify } from 'fastify'
import { expect, it } from 'vitest'
import { prepareGracefulClose } from '#core/http/server.ts'
import { sendRaw } from './raw.ts'

const get = (name: string) => `GET /${name} HTTP/1.1\r\nhost: x\r\n\r\n`

const startServer = async () => {
  const server = fastify()
  const replies: FastifyReply[] = []
  server.get('/now', async () => 'now')
  server.get('/later', (_, reply) => void replies.push(reply))
  const drain = prepareGracefulClose(server)
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  return { address, replies, drain, [Symbol.asyncDispose]: () => server.close() }
}

const connectionsIn = (text: string) => [...text.matchAll(/^connection: (\S+)/gim)].map(([, value]) => value)

it('CLOSE-10 MUST answer all requests that were under way on a connection', async () => {
  await using server = await startServer()
  const { closed } = sendRaw(server.address, get('later').repeat(3))
  await expect.poll(() => server.replies.length).toBe(3)
  const drained = server.drain()
  for (const reply of server.replies) reply.send('later')
  expect(connectionsIn(await closed())).toEqual(['keep-alive', 'keep-alive', 'close'])
  await drained
})

it('CLOSE-11 MUST answer all requests that come at once on a connection that was idle', async () => {
  await using server = await startServer()
  const { socket, until, closed } = sendRaw(server.address, get('now'))
  await until(text => text.endsWith('now'))
  const drained = server.drain()
  socket.write(get('later').repeat(2))
  await expect.poll(() => server.replies.length).toBe(2)
  for (const reply of server.replies) reply.send('later')
  expect(connectionsIn(await closed())).toEqual(['keep-alive', 'keep-alive', 'close'])
  await drained
})
