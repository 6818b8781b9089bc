/** The other side of P3, P4 and P5: what a good engineer writes by hand with Fastify and `pg`, checking nothing but the token. */
import fastify from 'fastify'
import pg from 'pg'
import { registerAccessLog } from '../lib/access-log.ts'
import { registerCustomer } from './bare-customer.ts'
import { registerGraphql } from './bare-graphql.ts'
import { registerPaymentReads } from './bare-reads.ts'
import { registerPaymentWrites } from './bare-writes.ts'
import { createVerify, requireToken } from './token.ts'

const { PORT, DATABASE_URL, ISSUER } = process.env

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 16 })
const server = fastify()
registerAccessLog(server)
requireToken(server, await createVerify(ISSUER!))
registerPaymentReads(server, pool)
registerPaymentWrites(server, pool)
registerCustomer(server, pool)
registerGraphql(server, pool)
await server.listen({ port: Number(PORT), host: '127.0.0.1' })
process.once('SIGTERM', () => process.exit(0))
