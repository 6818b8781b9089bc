/** The kind of a transaction of one number: what a portal that is bound to the number finds by an id alone. */
import { Prisma, type PrismaClient } from '../shared/data/db.ts'
import { KINDS } from './kinds.ts'

/** The kind of the transaction with this id, if it concerns the number (digits with country code). */
export async function kindOfNumber(
  db: PrismaClient,
  id: string,
  mobileNumber: string,
): Promise<string | undefined> {
  const selects = KINDS.map(
    ({ name: kind, schema, table }) => Prisma.sql`
      SELECT ${kind}::text AS kind FROM ${Prisma.raw(`"${schema}"."${table}"`)}
      WHERE id = ${id}::uuid AND mobile_number = ${mobileNumber}`,
  )
  const [row] = await db.$queryRaw<{ kind: string }[]>`${Prisma.join(selects, ' UNION ALL ')}`
  return row?.kind
}
