/** The bare side of P2b: Fastify answering what our side answered, byte for byte, after it has checked the token. */
import fastify from 'fastify'
import { registerAccessLog } from '../lib/access-log.ts'
import { createVerify, requireToken } from './token.ts'

const { PORT, ISSUER, ANSWER, NUMBER } = process.env

const [before, ...rest] = ANSWER!.split(NUMBER!)

const server = fastify()
registerAccessLog(server)
requireToken(server, await createVerify(ISSUER!))
server.post<{ Body: { variables: { n: string } } }>('/graphql', ({ body: { variables } }, reply) => {
  const answer = rest.reduce((text, part) => text + variables.n + part, before!)
  return reply.type('application/json; charset=utf-8').send(answer)
})
await server.listen({ port: Number(PORT), host: '127.0.0.1' })
process.once('SIGTERM', () => process.exit(0))
