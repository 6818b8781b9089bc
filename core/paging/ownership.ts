/** Owners of the rows that pages and totals are made of, and the ways to their rows. */
import { Prisma } from '../data/db.ts'

/** How an owner's rows are found. */
export interface Ownership {
  /** Makes of owners' keys, a table with the column `key`, one that has all that the conditions speak of as `asked`. */
  readonly asked: (keys: Prisma.Sql) => Prisma.Sql
  /** The ways to an owner's rows, each by an index; a row that is found in two of them is one row. */
  readonly conditions: readonly [Prisma.Sql, ...Prisma.Sql[]]
}

/** The owner is what a column says. */
export const ownedByColumn = (column: Prisma.Sql): Ownership => ({
  asked: keys => keys,
  conditions: [Prisma.sql`${column} = asked.key`],
})

/** A number together with the account that it is a line of, as one key; a number has no blank in it. */
export const lineKey = (mobileNumber: string, accountNumber: string): string =>
  `${mobileNumber} ${accountNumber}`

/** The owner is a line with its account (`lineKey`): what names the number, and what is the account's. */
export const ownedByLine = (number: Prisma.Sql, account: Prisma.Sql): Ownership => ({
  asked: keys => Prisma.sql`
    (SELECT k.key, split_part(k.key, ' ', 1) AS number, substr(k.key, strpos(k.key, ' ') + 1) AS account
    FROM ${keys} k)`,
  conditions: [Prisma.sql`${number} = asked.number`, Prisma.sql`${account} = asked.account`],
})

/** The ways to an owner's rows of which no two lead to the same row. */
export const disjoint = ({ conditions: [first, ...others] }: Ownership): Prisma.Sql[] => [
  first,
  ...others.map(other => Prisma.sql`${other} AND (${first}) IS NOT TRUE`),
]
