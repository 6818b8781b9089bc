/**
 * Pages that end early: a page is bounded by bytes as well as by rows, in the database, so that no page is ever too
 * large for the memory of its reader, whatever was written before texts had a maximum.
 */
import { Prisma } from '../data/db.ts'

/** The most of texts and bodies that a page holds, unless its first row alone is larger. */
export const PAGE_BYTES = 8 * 1_024 * 1_024

/** The most that the pages of many owners hold together, each of them its first row at least. */
const STATEMENT_BYTES = 4 * PAGE_BYTES

/** Each of the pages' share, where one statement reads so many of them. */
export const bytesEach = (pages: number): number =>
  Math.min(PAGE_BYTES, Math.floor(STATEMENT_BYTES / Math.max(1, pages)))

/**
 * The first of ordered rows that fit, at least one.
 * @param rows a SELECT with `bytes`, ordered by `number` and limited.
 * @param order how the rows are ordered, in the names of their result: it must be the order they come in.
 * @param names what of their result is read; and whether those after a row were cut off, as `cut`.
 */
export const fitting = (
  rows: Prisma.Sql,
  names: Prisma.Sql,
  order: Prisma.Sql,
  most: number,
): Prisma.Sql => Prisma.sql`
  SELECT ${names}, cut FROM (
    SELECT r.*, row_number() OVER page AS nth, sum(r.bytes) OVER page AS until,
      coalesce(sum(r.bytes) OVER page + lead(r.bytes) OVER page > ${most}::bigint, FALSE) AS cut
    FROM (${rows}) r WINDOW page AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)) fit
  WHERE fit.nth = 1 OR fit.until <= ${most}::bigint`
