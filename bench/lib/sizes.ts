/** How large the tables of a schema and their indexes are, and how often each index was used. */
import type pg from 'pg'

const SIZES = `
  SELECT s.relname AS of, c.relname AS name, pg_relation_size(c.oid) AS bytes, c.reltuples AS rows, s.idx_scan::int AS scans
  FROM pg_stat_user_indexes s JOIN pg_class c ON c.oid = s.indexrelid WHERE s.schemaname = $1 AND c.reltuples > 0
  UNION ALL
  SELECT s.relname, '', pg_table_size(s.relid), s.n_live_tup, s.seq_scan::int FROM pg_stat_user_tables s
  WHERE s.schemaname = $1 AND s.n_live_tup > 0
  ORDER BY 1, 2`

interface Size {
  readonly of: string
  /** Of the index; empty for the table itself. */
  readonly name: string
  readonly bytes: number
  readonly rows: number
  readonly scans: number
}

const mebibytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MiB`.padStart(12)

/** Prints them, with the bytes for each row. */
export async function printSizes(client: pg.Client, schema: string, title: string): Promise<void> {
  const { rows } = await client.query<Size>(SIZES, [schema])
  console.log(title)
  for (const { of, name, bytes, rows: count, scans } of rows) {
    const each = `${Math.round(Number(bytes) / Number(count))} bytes a row`
    console.log(
      `  ${`${of} ${name}`.padEnd(52)} ${mebibytes(Number(bytes))} ${each.padStart(18)}   ${scans} scans`,
    )
  }
}
