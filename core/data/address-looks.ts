/** Looks at an address of the database, over a connection of its own: where it leads, and what a session there is like. */
import { createClient } from './postgres.ts'
import type { BackendSession } from './session.ts'

const LIMIT_MS = 2_000

/** The state of a session, as it is without a word of the program. */
export interface AddressLook extends Pick<BackendSession, 'isReadOnly'> {
  readonly isPooled: boolean
  readonly isStandby: boolean
  /** Whether it receives the log of a primary, and tells how far it has come. */
  readonly isReceiving: boolean
  readonly timezone: string
  /** Limit of a statement in milliseconds; 0 for none. */
  readonly statementMs: number
  /** The database as it is numbered in its cluster; the same at each of its servers. */
  readonly place: string
}

const LOOK = `
  SELECT current_setting('TimeZone') AS timezone, current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    pg_is_in_recovery() AS "isStandby",
    (SELECT received_tli FROM pg_catalog.pg_stat_wal_receiver) IS NOT NULL AS "isReceiving",
    (SELECT setting::int FROM pg_catalog.pg_settings WHERE name = 'statement_timeout') AS "statementMs",
    oid::text AS database, has_function_privilege('pg_control_system()', 'EXECUTE') AS "isShown"
  FROM pg_catalog.pg_database WHERE datname = current_database()`

const CLUSTER = 'SELECT system_identifier::text AS id FROM pg_catalog.pg_control_system()'

type LookRow = Pick<AddressLook, 'timezone' | 'isReadOnly' | 'isStandby' | 'isReceiving' | 'statementMs'> & {
  readonly database: string
  readonly isShown: boolean
}

/** Looks at an address. @throws Error where nothing answers there in time. */
export async function lookAtAddress(connectionString: string): Promise<AddressLook> {
  const client = createClient(connectionString, 'look', {
    connectionTimeoutMillis: LIMIT_MS,
    query_timeout: LIMIT_MS,
  })
  try {
    await client.connect()
    const { database, isShown, ...session } = (await client.query<LookRow>(LOOK)).rows[0]!
    // A server that does not tell its users is known by the database's number alone.
    const cluster = isShown ? (await client.query<{ id: string }>(CLUSTER)).rows[0]!.id : ''
    return { ...session, place: `${database} of ${cluster}`, isPooled: client.isPooled }
  } finally {
    client.connection.stream.destroy()
  }
}
