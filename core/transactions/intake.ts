/**
 * Intake: what create left in its initial status goes to the charging system in the order of its numbers, and a kind's
 * progress says up to where it has gone. So nothing has to be looked for by its status, and no index names the status:
 * giving a row its final one touches none, where its page has room.
 */
import type { PrismaClient, Reader, Statements } from '../data/db.ts'
import { sqlWord } from '../data/sql-word.ts'
import { COLUMNS } from './columns.ts'
import { type TransactionKind, type TransactionRow, tableOf } from './kind.ts'

/** Numbers of a kind's transactions: those above `from`, up to `to`. */
export interface Stretch {
  readonly from: bigint
  readonly to: bigint
}

/** Makes sure that the kind has its progress; a kind that is new begins with its first transaction. */
export const openIntake = (db: PrismaClient, { name }: TransactionKind): Promise<number> =>
  db.$executeRaw`INSERT INTO charging.progress (kind, position) VALUES (${name}, 0) ON CONFLICT DO NOTHING`

/** Whether there is anything to take in, which mostly there is not: one statement, and no transaction. */
export const isAnyNew = async (reader: Reader, { name, table }: TransactionKind): Promise<boolean> => {
  const rows = await reader.$queryRaw<unknown[]>`
    SELECT 1 AS new FROM charging.progress p JOIN books.book b ON b.name = ${table} AND b.client_id = ''
    WHERE p.kind = ${name} AND b.position > p.position`
  return rows.length > 0
}

/**
 * Takes the kind's turn until the transaction ends, waiting for whoever has it: the next stretch, at most so long. Numbers
 * are dense and in commit order, so none comes up later.
 */
export const takeStretch = async (
  tx: Statements,
  { name, table }: TransactionKind,
  most: number,
): Promise<Stretch | undefined> => {
  const [stretch] = await tx.$queryRaw<Stretch[]>`
    SELECT p.position AS from, least(p.position + ${most}::int, b.position) AS to
    FROM charging.progress p JOIN books.book b ON b.name = ${table} AND b.client_id = ''
    WHERE p.kind = ${name} AND b.position > p.position FOR UPDATE OF p`
  return stretch
}

/** What waits in a stretch, locked; what was cancelled before its turn has come to its end. */
export const lockNew = (tx: Statements, kind: TransactionKind, { from, to }: Stretch) =>
  tx.$queryRaw<TransactionRow<never>[]>`
    SELECT ${COLUMNS} FROM ${tableOf(kind)} t
    WHERE t.position > ${from}::bigint AND t.position <= ${to}::bigint AND t.status = ${sqlWord(kind.initial)}
    ORDER BY t.position FOR UPDATE`

/** One of them, locked, if it waits. */
export const lockOne = (tx: Statements, kind: TransactionKind, id: string) =>
  tx.$queryRaw<TransactionRow<never>[]>`
    SELECT ${COLUMNS} FROM ${tableOf(kind)} t
    WHERE t.id = ${id}::uuid AND t.status = ${sqlWord(kind.initial)} FOR UPDATE`

/** The stretch is done with. */
export const endStretch = (tx: Statements, { name }: TransactionKind, { to }: Stretch): Promise<number> =>
  tx.$executeRaw`UPDATE charging.progress SET position = ${to}::bigint WHERE kind = ${name}`
