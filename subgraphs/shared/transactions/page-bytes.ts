/**
 * Pages that end early: a page is bounded by bytes as well as by rows, in the database, so that no page is ever too
 * large for the memory of who reads it, whatever was written before texts had a maximum.
 */
import { Prisma } from '../data/db.ts'

/** The most of texts and bodies that a page holds, unless its first row alone is larger. */
export const PAGE_BYTES = 8 * 1_024 * 1_024

/** The most that the pages of many owners hold together, each of them its first row at least. */
const STATEMENT_BYTES = 4 * PAGE_BYTES

/** What a row takes beside the columns that are counted. */
const FIXED_BYTES = 512

/** Each of the pages' share, where one statement reads so many of them. */
export const bytesEach = (pages: number): number =>
  Math.min(PAGE_BYTES, Math.floor(STATEMENT_BYTES / Math.max(1, pages)))

/**
 * A row's bytes, to be selected as `bytes`. A body in place and uncompressed is as long as it is stored, which costs
 * nothing to ask; a compressed or a moved one has to be written out. Lengths of text columns are known without reading.
 */
export const BYTES = Prisma.raw(`
  CASE WHEN pg_column_compression(t.body) IS NULL AND pg_column_size(t.body) < 2000 THEN pg_column_size(t.body)
    ELSE octet_length(t.body::text) END
  + coalesce(octet_length(t.reference_code), 0) + coalesce(octet_length(t.webhook_url), 0)
  + coalesce(octet_length(t.webhook_token), 0) + coalesce(octet_length(t.reason), 0) + ${FIXED_BYTES} AS bytes`)

/** A row of a bounded page: whether it is the last one only because of its bytes. */
export interface Measured {
  readonly cut: boolean
}

/**
 * Those of ordered rows that fit, at least one.
 * @param rows a SELECT with `bytes`, ordered by `number` and limited.
 * @param order how the rows are ordered, in the names of their result: it must be the order they come in.
 */
export const fitting = (rows: Prisma.Sql, order: Prisma.Sql, most: number): Prisma.Sql => Prisma.sql`
  SELECT * FROM (
    SELECT r.*, row_number() OVER page AS nth, sum(r.bytes) OVER page AS until,
      coalesce(sum(r.bytes) OVER page + lead(r.bytes) OVER page > ${most}::bigint, FALSE) AS cut
    FROM (${rows}) r WINDOW page AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)) fit
  WHERE fit.nth = 1 OR fit.until <= ${most}::bigint`
