/**
 * Kinds of transaction as the timeline uses them, a transaction of any kind by its id, and the owners of entries. Each
 * kind describes itself in its own `kind.ts`.
 */

import DataLoader from 'dataloader'
import { type VisibleRows, visibleTo } from '#core/access/visibility.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { type Ownership, ownedByColumn, ownedByLine } from '#core/paging/read-page.ts'
import { type TransactionKind, tableOf } from '#core/transactions/kind.ts'
import { checkPhrase, MAX_KINDS } from './timeline/entry.ts'

/** Every kind of transaction that there is. */
export type Kinds = readonly TransactionKind[]

/** Finds a kind by its name in the graph. */
export const kindNamed = (kinds: Kinds, name: string): TransactionKind =>
  kinds.find(kind => kind.name === name)!

/** Names of the kinds that move points. */
export const pointsKinds = (kinds: Kinds): string[] =>
  kinds.filter(({ limit }) => limit?.measure === 'points').map(({ name }) => name)

/** Outcome of a status column, as SQL; all of its text comes from the code, none from clients. */
export const outcomeOf = ({ outcomes }: TransactionKind, column: string): Prisma.Sql => {
  const cases = Object.entries(outcomes).map(([status, outcome]) => `WHEN '${status}' THEN '${outcome}'`)
  return Prisma.raw(`CASE ${column} ${cases.join(' ')} ELSE 'PENDING' END`)
}

/** Index key of an outcome, as SQL: NULL for the frequent ones, pending and completed, else the outcome. */
export const exceptionOf = (outcome: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${outcome} IN ('PENDING', 'COMPLETED') THEN NULL ELSE ${outcome} END`

/**
 * Checks that the kinds have different codes in the timeline, and phrases that can be written.
 * @throws Error naming the kind that has not.
 */
export function checkKinds(kinds: Kinds): void {
  const codes = new Map<number, string>()
  for (const { name, timeline } of kinds) {
    const { code, phrase } = timeline
    const other = codes.get(code)
    if (other) throw new Error(`${name} has the same code in the timeline as ${other}: ${code}`)
    if (!Number.isInteger(code) || code < 0 || code >= MAX_KINDS)
      throw new Error(`${name} has a code that the timeline has no place for: ${code}`)
    codes.set(code, name)
    checkPhrase(name, phrase)
  }
}

/** Finds the names of the kinds of transactions by their ids, without those of transactions that the client cannot see. */
export async function kindsOf(
  db: Statements,
  kinds: Kinds,
  ids: readonly string[],
  visible: VisibleRows,
): Promise<ReadonlyMap<string, string>> {
  const selects = kinds.map(
    kind => Prisma.sql`
      SELECT t.id, ${kind.name}::text AS kind FROM ${tableOf(kind)} t
      WHERE t.id = ANY (${ids}::uuid[]) AND ${visibleTo(visible, 't')}`,
  )
  const rows = await db.$queryRaw<{ id: string; kind: string }[]>`${Prisma.join(selects, ' UNION ALL ')}`
  return new Map(rows.map(({ id, kind }) => [id, kind]))
}

/** Finds the kind of one transaction. */
export const kindOf = async (
  db: Statements,
  kinds: Kinds,
  id: string,
  visible: VisibleRows,
): Promise<string | undefined> => (await kindsOf(db, kinds, [id], visible)).get(id.toLowerCase())

/** Type and key of a transaction; the gateway resolves its other fields in the owning subgraph. */
export interface TransactionReference {
  readonly __typename: string
  readonly id: string
  /** The same id under the contract's name, e.g. `paymentId`. */
  readonly [idField: string]: string
}

export const referTo = ({ typename, idField }: TransactionKind, id: string): TransactionReference => ({
  __typename: typename,
  [idField]: id,
  id,
})

/** Kind of owner; a line is a number with its account. */
export type EntryOwner = 'account' | 'number' | 'line'

/** One account, number or line. */
export interface Owner {
  readonly by: EntryOwner
  /** Account number, phone number as digits with country code, or both (`lineKey`). */
  readonly owner: string
}

/** Query about one owner; equal queries about many owners become one statement. */
interface OwnerQuery<Question> extends Owner {
  readonly query: Question
}

type ReadMany<Question, Answer> = (query: Question, by: EntryOwner, owners: string[]) => Promise<Answer[]>

/** Writes a bigint as a text, since JSON has no form for it. */
const writeBigint = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

const withoutOwner = <Question>({ by, query }: OwnerQuery<Question>) =>
  JSON.stringify([by, query], writeBigint)

/** Conditions that find an owner's rows in a table of this alias: entries and sums have the same columns. */
export const ownershipOf = (alias: string, by: EntryOwner): Ownership => {
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
