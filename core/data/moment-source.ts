/** Connections by which databases tell of their moments (`moments.ts`): one beside the pool, and the database of this process. */
import type { PGlite } from '@electric-sql/pglite'
import { type MomentSource, type OpenMomentSource, SNAPSHOT } from './moments.ts'
import { createClient, endClient } from './postgres.ts'

interface SnapshotRow {
  readonly snapshot: string
}

/** For connecting, and for each answer, none of which has anything to wait for. */
const TIMEOUT_MS = 2_000

/** With Citus some of what is read stands on other nodes, whose transactions this one does not count. */
const HAS_CITUS = `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS found`

/**
 * Opens connections to a server that takes writes. A standby does not tell of all transactions that it has still to replay, and a
 * pooler may ask another session each time.
 * @param connectionString address of PostgreSQL itself.
 */
export const momentsOfPostgres =
  (connectionString: string | undefined): OpenMomentSource =>
  async () => {
    const client = createClient(connectionString, 'moments', {
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    })
    try {
      await client.connect()
      const { rows } = await client.query<{ found: boolean }>(HAS_CITUS)
      if (rows[0]!.found || client.isPooled || client.role!.isStandby) {
        await endClient(client)
        return undefined
      }
    } catch (error) {
      client.connection.stream.destroy()
      throw error
    }
    const question = { name: 'moment', text: SNAPSHOT }
    return {
      ask: async () => (await client.query<SnapshotRow>(question)).rows[0]!.snapshot,
      close: () => client.connection.stream.destroy(),
    }
  }

/** Has the database of this process tell. */
export const momentsOfEmbedded = (pglite: Pick<PGlite, 'query'>): OpenMomentSource => {
  const source: MomentSource = {
    ask: async () => (await pglite.query<SnapshotRow>(SNAPSHOT)).rows[0]!.snapshot,
    close: () => undefined,
  }
  return async () => source
}
