/** Prisma's driver adapters over one connection that is in a transaction already; they are declared for whole databases. */
import type { PGlite, Transaction } from '@electric-sql/pglite'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { PrismaPGlite } from 'pglite-prisma-adapter'

/** A pool that has one connection, which is in use. */
const poolOf = (client: pg.PoolClient): pg.Pool =>
  Object.assign(new pg.Pool(), { query: client.query.bind(client) })

/** Statements of Prisma over a connection to PostgreSQL. */
export const adapterOverConnection = (client: pg.PoolClient): Promise<SqlDriverAdapter> =>
  new PrismaPg(poolOf(client)).connect()

/** Statements of Prisma in a transaction of the embedded database, which has the methods of a database that they call. */
export const adapterOverTransaction = (tx: Transaction): Promise<SqlDriverAdapter> =>
  new PrismaPGlite(tx as unknown as PGlite).connect()
