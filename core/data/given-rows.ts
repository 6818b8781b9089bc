/**
 * Rows that a statement brings along, as a table. PostgreSQL takes a table made of JSON to have 100 rows, and one made of an
 * array to have 10: enough to read a whole table beside it, where that was small or empty when the statement was planned,
 * and to do so ever after, since plans are kept by connection. So each row says `given`, and that is asked for: a
 * condition of which nothing is known leaves one row to expect, and what is joined to one row by its key is found by its key.
 */
import { Prisma } from './db.ts'

const toJson = (rows: readonly object[]) => JSON.stringify(rows.map(row => ({ ...row, given: 1 })))

/**
 * The rows as they can stand in `FROM`, before an alias.
 * @param columns names and types, e.g. `id uuid, "clientId" text`: the names are those of the rows' fields.
 */
export const givenRows = (rows: readonly object[], columns: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (SELECT * FROM jsonb_to_recordset(${toJson(rows)}::jsonb) AS r (given int, ${columns}) WHERE r.given = 1)`

/**
 * Keys to look up, each once, as they can stand in `FROM` before an alias, with the column `key`. Likewise one row is
 * expected of them, whether their number is known or not. Of `= ANY` of an array PostgreSQL expects ten while it does not
 * know how many there are, so that it makes a new plan for the one that comes, at each execution: that takes longer than
 * to find it.
 */
export const askedKeys = (keys: readonly string[]): Prisma.Sql => Prisma.sql`
  (SELECT k.key FROM unnest(${[...new Set(keys)]}::text[]) WITH ORDINALITY AS k (key, nth) WHERE k.nth = abs(k.nth))`
