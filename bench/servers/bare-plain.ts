/** The other side of P0: Fastify with a pino line a request and the token checked, which answers what costs nothing. */
import fastify from 'fastify'
import { registerAccessLog } from '../lib/access-log.ts'
import { createVerify, requireToken } from './token.ts'

const { PORT, ISSUER } = process.env

const server = fastify()
registerAccessLog(server)
requireToken(server, await createVerify(ISSUER!))
server.get('/plain', async () => ({ ok: true }))
server.post('/plain', async ({ body }) => body)
server.post('/graphql', async () => ({ data: { __typename: 'Query' } }))
await server.listen({ port: Number(PORT), host: '127.0.0.1' })
process.once('SIGTERM', () => process.exit(0))
