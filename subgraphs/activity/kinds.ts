/** Kinds of transaction as the timeline uses them, and a transaction of any kind by its id. Each kind describes itself in its own `kind.ts`. */

import { type VisibleRows, visibleTo } from '#core/access/visibility.ts'
import { Prisma, type Reader } from '#core/data/db.ts'
import { type TransactionKind, tableOf } from '#core/transactions/kind.ts'
import { checkPhrase } from './timeline/describe.ts'
import { MAX_KINDS } from './timeline/order.ts'

/** Every kind of transaction that there is. */
export type Kinds = readonly TransactionKind[]

/** The kind with this name in the graph. */
export const kindNamed = (kinds: Kinds, name: string): TransactionKind =>
  kinds.find(kind => kind.name === name)!

/** Those that move points. */
export const pointsKinds = (kinds: Kinds): string[] =>
  kinds.filter(({ limit }) => limit?.measure === 'points').map(({ name }) => name)

/** The outcome of a status column, as SQL. Both come from the code alone. */
export const outcomeOf = ({ outcomes }: TransactionKind, column: string): Prisma.Sql => {
  const cases = Object.entries(outcomes).map(([status, outcome]) => `WHEN '${status}' THEN '${outcome}'`)
  return Prisma.raw(`CASE ${column} ${cases.join(' ')} ELSE 'PENDING' END`)
}

/** What an outcome is indexed by: itself where it is neither pending nor completed, which most are; as SQL. */
export const exceptionOf = (outcome: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${outcome} IN ('PENDING', 'COMPLETED') THEN NULL ELSE ${outcome} END`

/**
 * Checks that entries of the kinds can be told apart and put into words.
 * @throws Error naming the kind that cannot be.
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

/** The name of the kind of the transaction with this id; undefined when there is none among those that may be seen. */
export async function kindOf(
  db: Reader,
  kinds: Kinds,
  id: string,
  visible: VisibleRows,
): Promise<string | undefined> {
  const selects = kinds.map(
    kind => Prisma.sql`
      SELECT ${kind.name}::text AS kind FROM ${tableOf(kind)} t WHERE t.id = ${id}::uuid AND ${visibleTo(visible, 't')}`,
  )
  const [row] = await db.$queryRaw<{ kind: string }[]>`${Prisma.join(selects, ' UNION ALL ')}`
  return row?.kind
}

/** Its type and its key; whatever else is asked of it, the gateway resolves in the owning subgraph. */
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
