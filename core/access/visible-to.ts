/** What a caller may see, as a condition of a statement. */
import { Prisma } from '../data/db.ts'
import type { VisibleRows } from './visibility.ts'

const COLUMN_OF: Readonly<Record<keyof VisibleRows, string>> = {
  clientId: 'client_id',
  mobileNumber: 'mobile_number',
}

/** What follows `WHERE` for the rows of a table that may be seen, by the columns that the tables share. */
export const visibleTo = (rows: VisibleRows, alias: string): Prisma.Sql => {
  const names = (['clientId', 'mobileNumber'] as const).filter(name => rows[name] !== undefined)
  const conditions = names.map(name => {
    const column = COLUMN_OF[name]
    return Prisma.sql`${Prisma.raw(`${alias}.${column}`)} = ${rows[name]}`
  })
  return conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join(conditions, ' AND ')
}
