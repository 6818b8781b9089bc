/** Whose activity is queried: one account's, one number's, or everyone's. */
import DataLoader from 'dataloader'
import { Prisma } from '../shared/data/db.ts'

/** The columns that both entries and sums have. */
export type OwnerColumn = 'account_number' | 'mobile_number'

/** One account or number. */
export interface Owner {
  readonly column: OwnerColumn
  readonly owner: string
}

/** A query about one owner; equal queries about many owners become one statement. */
export interface OwnerQuery<Question> {
  readonly column: OwnerColumn
  readonly owner: string
  readonly query: Question
}

type ReadMany<Question, Answer> = (
  query: Question,
  column: OwnerColumn,
  owners: string[],
) => Promise<Answer[]>

/** JSON has no word for a bigint. */
const writeBigint = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

const withoutOwner = <Question>({ column, query }: OwnerQuery<Question>) =>
  JSON.stringify([column, query], writeBigint)

/** The column of a table's alias, as SQL. */
export const columnOf = (alias: string, column: OwnerColumn): Prisma.Sql => Prisma.raw(`${alias}.${column}`)

/** Groups by the query, and reads the results for all owners of a query at once. */
export const byOwner = <Question, Answer>(read: ReadMany<Question, Answer>) =>
  new DataLoader<OwnerQuery<Question>, Answer, string>(
    async queries => {
      const responses = new Map<OwnerQuery<Question>, Answer>()
      for (const group of Map.groupBy(queries, withoutOwner).values()) {
        const { query, column } = group[0]!
        const owners = group.map(({ owner: holder }) => holder)
        const found = await read(query, column, owners)
        group.forEach((one, index) => responses.set(one, found[index] as Answer))
      }
      return queries.map(one => responses.get(one) as Answer)
    },
    { cacheKeyFn: one => `${one.owner} ${withoutOwner(one)}` },
  )
