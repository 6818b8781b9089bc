/** Write-ahead log of a database by table, by the extension `pg_walinspect`: what other databases write is not in it. */
import type pg from 'pg'

/** Bytes by table, indexes included. */
export interface WalBytes {
  /** Without page images. */
  readonly records: ReadonlyMap<string, number>
  /** Whole pages, written with the first change after a checkpoint: how many depends on when that was. */
  readonly pageImages: number
}

/** Records name their pages; those that commit name none, and are of the database of what they commit. */
const BY_TABLE = `
  WITH record AS MATERIALIZED (
    SELECT xid, record_length AS length, fpi_length AS image,
      substring(block_ref FROM 'rel [0-9]+/([0-9]+)/')::oid AS database,
      substring(block_ref FROM 'rel [0-9]+/[0-9]+/([0-9]+)')::oid AS file
    FROM pg_get_wal_records_info($1, $2)),
  mine AS MATERIALIZED (SELECT oid FROM pg_database WHERE datname = current_database()),
  writer AS MATERIALIZED (SELECT DISTINCT xid FROM record WHERE database = (SELECT oid FROM mine)),
  relation AS MATERIALIZED (
    SELECT file.relfilenode AS file, coalesce(indexed.oid, file.oid) AS owner
    FROM pg_class file LEFT JOIN pg_index i ON i.indexrelid = file.oid LEFT JOIN pg_class indexed ON indexed.oid = i.indrelid)
  SELECT CASE WHEN r.file IS NULL THEN 'commit' ELSE coalesce(relation.owner::regclass::text, 'other') END AS "table",
    sum(r.length - r.image)::float8 AS records, sum(r.image)::float8 AS images
  FROM record r LEFT JOIN relation ON relation.file = r.file
  WHERE r.database = (SELECT oid FROM mine) OR (r.database IS NULL AND r.xid IN (SELECT xid FROM writer))
  GROUP BY 1`

interface Row {
  readonly table: string
  readonly records: number
  readonly images: number
}

const position = async (client: pg.Client): Promise<string> =>
  (await client.query<{ at: string }>('SELECT pg_current_wal_flush_lsn() AS at')).rows[0]!.at

/** Begins to count; what is returned says what was written since. The connection has to be a superuser's. */
export async function countWal(client: pg.Client): Promise<() => Promise<WalBytes>> {
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect')
  const from = await position(client)
  return async () => {
    const { rows } = await client.query<Row>(BY_TABLE, [from, await position(client)])
    return {
      records: new Map(rows.map(({ table, records }) => [table, records])),
      pageImages: rows.reduce((sum, { images }) => sum + images, 0),
    }
  }
}
