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

/** A book while it is held, with how many entries of it each client has. */
export interface BookOfClients extends BookHead {
  readonly clients: Map<string, bigint>
}

interface ClientRow {
  readonly clientId: string
  readonly position: bigint
}

const readClients = (tx: Transaction, name: string, clientIds: string[]) =>
  tx.$queryRaw<ClientRow[]>`
    SELECT client_id AS "clientId", position FROM books.book
    WHERE name = ${name} AND client_id = ANY (${clientIds}::text[])`

/**
 * Holds the book like `holdBook` and counts the clients' entries by the same statement: the book's own row comes
 * first, and every row is given as its last holder left it. Only a client's very first row, if it was written
 * while this one waited, is not seen; who has none is therefore looked for again.
 */
export async function holdBookOf(tx: Transaction, name: string, clientIds: string[]): Promise<BookOfClients> {
  const [head, ...rows] = await tx.$queryRaw<(ClientRow & BookHead)[]>`
    SELECT client_id AS "clientId", position, date_trunc('milliseconds', greatest(clock_timestamp(), written_at)) AS now
    FROM books.book WHERE name = ${name} AND client_id = ANY (${['', ...clientIds]}::text[])
    ORDER BY client_id FOR UPDATE`
  if (head?.clientId !== '') throw new Error(`The book ${name} is missing: openBook was not called`)
  const clients = new Map(rows.map(row => [row.clientId, row.position]))
  const unseen = clientIds.filter(id => !clients.has(id))
  const late = unseen.length > 0 ? await readClients(tx, name, unseen) : []
  for (const { clientId, position } of late) clients.set(clientId, position)
  return { position: head.position, now: head.now, clients }
}
