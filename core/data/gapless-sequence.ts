/**
 * A gapless sequence: numbers a table's rows densely, in commit order, which PostgreSQL's own sequences do not. A
 * writer locks the sequence's row until commit; writing in batches makes that cheap, and reading by number costs the
 * same anywhere. A sequence stands in the table `book` of the schema of the table that it numbers: on one node of a
 * distributed database both commit at one instant, so that no reader sees a number before its row.
 */
import { Prisma, type Statements } from './db.ts'

/** The table that a sequence numbers; names come from the code alone, never from a request. */
export interface Sequence {
  readonly schema: string
  /** The sequence's name too. */
  readonly table: string
}

/** The table of a sequence's rows as SQL: one for all clients together (`client_id` empty), and one for each. */
export const bookOf = ({ schema }: Pick<Sequence, 'schema'>): Prisma.Sql => Prisma.raw(`"${schema}"."book"`)

/** The number of the last entry of a sequence, as `name` and `position`, to be read by another statement. */
export const lastNumberOf = (sequence: Sequence): Prisma.Sql => Prisma.sql`
  SELECT name, position FROM ${bookOf(sequence)} WHERE name = ${sequence.table} AND client_id = ''`

/** The head of a sequence while it is locked. */
export interface SequenceHead {
  /** The number of the last entry. */
  readonly position: bigint
  /** The database's clock, never earlier than what an earlier writer read. */
  readonly now: Date
}

/** Makes sure that the sequence exists; its row is what writers lock. */
export const ensureSequence = async (tx: Statements, sequence: Sequence): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO ${bookOf(sequence)} (name, client_id) VALUES (${sequence.table}, '') ON CONFLICT DO NOTHING`
}

const missing = ({ table }: Sequence) =>
  new Error(`The sequence ${table} is missing: ensureSequence was not called`)

/**
 * Locks the sequence until the transaction ends. The clock may be read while still waiting for the row; `written_at`,
 * read from the row as its last writer left it, keeps it from running backwards.
 */
export async function lockSequence(tx: Statements, sequence: Sequence): Promise<SequenceHead> {
  const [head] = await tx.$queryRaw<SequenceHead[]>`
    SELECT position, date_trunc('milliseconds', greatest(clock_timestamp(), written_at)) AS now
    FROM ${bookOf(sequence)} WHERE name = ${sequence.table} AND client_id = '' FOR UPDATE`
  if (!head) throw missing(sequence)
  return head
}

/** A sequence while it is locked, with how many entries each client has. */
export interface ClientSequences extends SequenceHead {
  readonly clients: Map<string, bigint>
}

interface ClientRow {
  readonly clientId: string
  readonly position: bigint
}

const readClients = (tx: Statements, sequence: Sequence, clientIds: string[]) =>
  tx.$queryRaw<ClientRow[]>`
    SELECT client_id AS "clientId", position FROM ${bookOf(sequence)}
    WHERE name = ${sequence.table} AND client_id = ANY (${clientIds}::text[])`

/**
 * Locks the sequence like `lockSequence` and counts the clients' entries by the same statement: the sequence's own
 * row comes first, and every row is as its last writer left it. Only a client's very first row, if it was written
 * while this one waited, is not seen; a client without one is therefore read again.
 */
export async function lockClientSequences(
  tx: Statements,
  sequence: Sequence,
  clientIds: string[],
): Promise<ClientSequences> {
  const [head, ...rows] = await tx.$queryRaw<(ClientRow & SequenceHead)[]>`
    SELECT client_id AS "clientId", position, date_trunc('milliseconds', greatest(clock_timestamp(), written_at)) AS now
    FROM ${bookOf(sequence)} WHERE name = ${sequence.table} AND client_id = ANY (${['', ...clientIds]}::text[])
    ORDER BY client_id FOR UPDATE`
  if (head?.clientId !== '') throw missing(sequence)
  const clients = new Map(rows.map(row => [row.clientId, row.position]))
  const unseen = clientIds.filter(id => !clients.has(id))
  const late = unseen.length > 0 ? await readClients(tx, sequence, unseen) : []
  for (const { clientId, position } of late) clients.set(clientId, position)
  return { position: head.position, now: head.now, clients }
}
