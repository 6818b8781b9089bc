/**
 * A book: a table whose entries carry a running number, dense and in commit order. Whoever appends holds the
 * book's row until commit; appending in batches makes that cheap, and reading by number costs the same anywhere.
 */
import type { Transaction } from './db.ts'

/** Where a book stands while it is held. */
export interface BookHead {
  /** The number of the last entry. */
  readonly position: bigint
  /** The database's clock, never earlier than what an earlier holder was told. */
  readonly now: Date
}

/** Makes sure the book exists; its row is what holders lock. */
export const openBook = async (tx: Transaction, name: string): Promise<void> => {
  await tx.$executeRaw`INSERT INTO books.book (name, client_id) VALUES (${name}, '') ON CONFLICT DO NOTHING`
}

/**
 * Holds the book until the transaction ends. The clock may be read while still waiting for the row; `written_at`,
 * read from the row as its last holder left it, keeps it from running backwards.
 */
export async function holdBook(tx: Transaction, name: string): Promise<BookHead> {
  const [head] = await tx.$queryRaw<BookHead[]>`
    SELECT position, date_trunc('milliseconds', greatest(clock_timestamp(), written_at)) AS now
    FROM books.book WHERE name = ${name} AND client_id = '' FOR UPDATE`
  if (!head) throw new Error(`The book ${name} is missing: openBook was not called`)
  return head
}

/** How many entries of the book each of the clients has. */
export async function clientPositions(
  tx: Transaction,
  name: string,
  clientIds: string[],
): Promise<Map<string, bigint>> {
  const rows = await tx.$queryRaw<{ clientId: string; position: bigint }[]>`
    SELECT client_id AS "clientId", position FROM books.book
    WHERE name = ${name} AND client_id = ANY (${clientIds}::text[])`
  return new Map(rows.map(row => [row.clientId, row.position]))
}
