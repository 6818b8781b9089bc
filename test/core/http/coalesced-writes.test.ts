/** Responses that are ready at the same time: whole, in their order, and written at the end of the turn. */
import { type FastifyReply, fastify } from 'fastify'
import { expect, it } from 'vitest'
import { registerCoalescedWrites } from '#core/http/server.ts'
import { sendRaw } from './raw.ts'

const TEXT = 'x'.repeat(100_000)

/** Answers the first requests at once, as soon as so many have come; `sent` says which of them are sent in that turn. */
const startServer = async (together: number, sent: boolean[] = []) => {
  const server = fastify({ forceCloseConnections: true })
  registerCoalescedWrites(server)
  const replies: FastifyReply[] = []
  const all = Promise.withResolvers<void>()
  const look = () => sent.push(...replies.map(({ raw }) => raw.headersSent))
  server.get('/:name', async ({ params }, reply) => {
    if (replies.push(reply) === together) {
      setImmediate(look)
      all.resolve()
    }
    await all.promise
    return `${(params as { name: string }).name}${TEXT}`
  })
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  return { address, replies, [Symbol.asyncDispose]: () => server.close() }
}

const get = (name: string) => `GET /${name} HTTP/1.1\r\nHost: x\r\n\r\n`

it('HTTP-TOGETHER-01 MUST be written at the end of the turn, whole, each to whom it is for', async () => {
  const sent: boolean[] = []
  await using server = await startServer(3, sent)
  const names = ['a', 'b', 'c']
  const texts = await Promise.all(names.map(async name => (await fetch(`${server.address}/${name}`)).text()))
  expect(texts).toEqual(names.map(name => name + TEXT))
  expect(sent).toEqual([false, false, false])
})

it('HTTP-TOGETHER-02 MUST keep the order of requests on one connection', async () => {
  await using server = await startServer(1)
  const { until, socket } = sendRaw(server.address, get('a') + get('b'))
  const ends = (text: string) => text.split(TEXT).length === 3
  const text = await until(ends)
  socket.destroy()
  expect(text.indexOf(`\na${TEXT}`)).toBeGreaterThan(0)
  expect(text.indexOf(`\nb${TEXT}`)).toBeGreaterThan(text.indexOf(`\na${TEXT}`))
})

it('HTTP-TOGETHER-03 MUST do without a client that has gone meanwhile', async () => {
  await using server = await startServer(2)
  const gone = sendRaw(server.address, get('a'))
  await expect.poll(() => server.replies.length).toBe(1)
  server.replies[0]!.raw.destroy()
  expect(await (await fetch(`${server.address}/b`)).text()).toBe(`b${TEXT}`)
  gone.socket.destroy()
})
