/** Owner of the queried activity: an account, a number or a line. A query without owner spans all of them. */
import DataLoader from 'dataloader'
import { Prisma } from '#core/data/db.ts'
import { type Ownership, ownedByColumn, ownedByLine } from '#core/paging/read-page.ts'

/** Kind of owner; a line is a number with its account. */
export type OwnedBy = 'account' | 'number' | 'line'

/** One account, number or line. */
export interface Owner {
  readonly by: OwnedBy
  /** Account number, phone number as digits with country code, or both (`lineKey`). */
  readonly owner: string
}

/** Query about one owner; equal queries about many owners become one statement. */
interface OwnerQuery<Question> extends Owner {
  readonly query: Question
}

type ReadMany<Question, Answer> = (query: Question, by: OwnedBy, owners: string[]) => Promise<Answer[]>

/** Writes a bigint as a text, since JSON has no form for it. */
const writeBigint = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

const withoutOwner = <Question>({ by, query }: OwnerQuery<Question>) =>
  JSON.stringify([by, query], writeBigint)

/** Conditions that find an owner's rows in a table of this alias: entries and sums have the same columns. */
export const ownershipOf = (alias: string, by: OwnedBy): Ownership => {
  const [account, number] = ['account_number', 'mobile_number'].map(name => Prisma.raw(`${alias}.${name}`))
  if (by === 'line') return ownedByLine(number!, account!)
  return ownedByColumn(by === 'account' ? account! : number!)
}

/** Makes a DataLoader that reads the results of a query for all of its owners at once. */
export const byOwner = <Question, Answer>(read: ReadMany<Question, Answer>) =>
  new DataLoader<OwnerQuery<Question>, Answer, string>(
    async queries => {
      const responses = new Map<OwnerQuery<Question>, Answer>()
      for (const group of Map.groupBy(queries, withoutOwner).values()) {
        const { query, by } = group[0]!
        const owners = group.map(({ owner }) => owner)
        const found = await read(query, by, owners)
        group.forEach((one, index) => responses.set(one, found[index] as Answer))
      }
      return queries.map(one => responses.get(one) as Answer)
    },
    { cacheKeyFn: one => `${one.owner} ${withoutOwner(one)}` },
  )
