/**
 * Booking: balances are locked, movements change them, and each movement leaves its entry. Movements that an outside
 * charging system made are recorded likewise, so that balances in the graph include them.
 */

import { Prisma, type Reader, type Statements } from '../data/db.ts'
import { keysTable, valuesTable } from '../data/sql.ts'
import { Decimal, toDecimal } from '../values/money.ts'
import type { BalanceKind, ChargeOrder, ChargeResult } from './charging.ts'

/** The customer type of GSM prepaid (contract document 1, "Customer": customerType). */
export const PREPAID_CUSTOMER_TYPE = 14

/** The currency of dues and prepaid balances (contract document 1, "Customer": totalDues). */
export const HOME_CURRENCY = 'OMR'

/** A balance's name: `dues` of an account, `prepaid` and `points` of a number; points have no currency. */
export interface BalanceKey {
  readonly kind: BalanceKind
  readonly owner: string
  readonly currency: string
}

/** A balance as it is read from `ledger.balance`. */
export interface BalanceRow extends BalanceKey {
  readonly amount: { toString(): string }
}

/** The name as one text, by which balances are looked up in memory. */
export const balanceText = ({ kind, owner, currency }: BalanceKey) => `${kind} ${currency} ${owner}`

/** The balances in the keys' order; one that was never moved is zero. */
export async function readBalances(db: Reader, keys: readonly BalanceKey[]): Promise<Decimal[]> {
  const rows = await db.$queryRaw<BalanceRow[]>`
    SELECT kind, holder AS owner, currency, amount
    FROM ${keysTable(keys.map(key => key.owner))} asked JOIN ledger.balance ON holder = asked.key`
  const amounts = new Map(rows.map(row => [balanceText(row), toDecimal(String(row.amount))]))
  return keys.map(key => amounts.get(balanceText(key)) ?? new Decimal(0))
}

/** The dues of an account; below zero they are a credit. */
export const duesOf = async (db: Reader, accountNumber: string): Promise<Decimal> =>
  (await readBalances(db, [duesKey(accountNumber)]))[0]!

/** The key of a prepaid number's main balance. */
export const prepaidKey = (mobileNumber: string): BalanceKey => ({
  kind: 'prepaid',
  owner: mobileNumber,
  currency: HOME_CURRENCY,
})

/** The key of a number's loyalty points. */
export const pointsKey = (mobileNumber: string): BalanceKey => ({
  kind: 'points',
  owner: mobileNumber,
  currency: '',
})

/** The key of an account's dues. */
export const duesKey = (accountNumber: string): BalanceKey => ({
  kind: 'dues',
  owner: accountNumber,
  currency: HOME_CURRENCY,
})

/** A change of one balance; each currency has a balance of its own: the ledger exchanges none. */
export interface Movement extends BalanceKey {
  readonly transactionId: string
  readonly amount: Decimal
}

/** The owner and the amount of a movement of each kind of balance. */
const SHARES: Readonly<
  Record<BalanceKind, (order: ChargeOrder) => Omit<Movement, 'transactionId' | 'kind'>>
> = {
  dues: ({ accountNumber, currency, amount }) => ({
    owner: accountNumber!,
    currency: currency!,
    amount: amount!,
  }),
  prepaid: ({ mobileNumber, currency, amount }) => ({
    owner: mobileNumber!,
    currency: currency!,
    amount: amount!,
  }),
  points: ({ mobileNumber, points }) => ({ owner: mobileNumber!, currency: '', amount: points! }),
}

/** The movement of an order, if it moves anything. */
export function movementOf(order: ChargeOrder): Movement[] {
  if (!order.moves) return []
  const { balance, direction } = order.moves
  const { amount, ...key } = SHARES[balance](order)
  const { transactionId } = order
  return [{ transactionId, kind: balance, ...key, amount: direction === 'up' ? amount : amount.negated() }]
}

/** The bound of a balance (`ledger.balance`: 16 digits before the point), far above what any subscriber owes or owns. */
const BEYOND = new Decimal(10).pow(16)

const declined = (reason: string): ChargeResult => ({ outcome: 'declined', reason })

/** The refusal of a movement that would leave this balance, if it is refused; the reason names no owner, since the order does. */
const refusalOf = ({ kind }: Movement, balance: Decimal): ChargeResult | undefined => {
  if (kind === 'points' && balance.isNegative()) return declined('The points do not suffice')
  if (kind === 'prepaid' && balance.isNegative()) return declined('The balance does not suffice')
  if (balance.abs().lt(BEYOND)) return undefined
  // Points that cannot be given are no refusal of the ledger's (docs/decisions.md, "Life of a transaction").
  const outcome = kind === 'points' ? 'failed' : 'declined'
  return { outcome, reason: 'The balance cannot hold so much' }
}

/** Moves the balance unless it would overflow, or fall below zero; dues alone may, which is a credit. */
export function applyMovement(
  order: ChargeOrder,
  balances: Map<string, Decimal>,
  applied: Movement[],
): ChargeResult {
  for (const movement of movementOf(order)) {
    const balance = (balances.get(balanceText(movement)) ?? new Decimal(0)).plus(movement.amount)
    const refusal = refusalOf(movement, balance)
    if (refusal) return refusal
    balances.set(balanceText(movement), balance)
    applied.push(movement)
  }
  return { outcome: 'done' }
}

const OPPOSITE = { up: 'down', down: 'up' } as const

/** The order that takes back what this one moved. */
export const oppositeOf = ({ moves, ...order }: ChargeOrder): ChargeOrder =>
  moves ? { ...order, moves: { ...moves, direction: OPPOSITE[moves.direction] } } : order

/** The tables of entries, for orders that were carried out and for those taken back; one entry a transaction in each. */
export const ENTRIES = Prisma.raw('ledger.entry')
export const REVERSALS = Prisma.raw('ledger.reversal')

type EntryTable = typeof ENTRIES

/** The transactions that have an entry already. */
export const bookedBefore = async (
  tx: Statements,
  table: EntryTable,
  ids: string[],
): Promise<Set<string>> => {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT transaction_id AS id FROM ${table} WHERE transaction_id = ANY (${ids}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

/** Locks balances in one order for all, so that two ledgers never wait for each other; missing ones are opened. */
export const lockBalances = async (tx: Statements, movements: Movement[]): Promise<Map<string, Decimal>> => {
  if (movements.length === 0) return new Map()
  const keys = valuesTable(
    movements.map(({ kind, owner, currency }) => ({ kind, owner, currency })),
    Prisma.sql`kind text, owner text, currency text`,
  )
  const [, rows] = await Promise.all([
    tx.$executeRaw`
      INSERT INTO ledger.balance (kind, holder, currency, amount)
      SELECT DISTINCT kind, owner, currency, 0
      FROM ${keys} m ORDER BY owner, kind, currency ON CONFLICT DO NOTHING`,
    tx.$queryRaw<BalanceRow[]>`
      SELECT kind, holder AS owner, currency, amount FROM ledger.balance b
      WHERE (holder, kind, currency) IN (SELECT m.owner, m.kind, m.currency FROM ${keys} m)
      ORDER BY holder, kind, currency FOR UPDATE`,
  ])
  return new Map(rows.map(row => [balanceText(row), toDecimal(String(row.amount))]))
}

/** Writes the movements that were applied, and the balances after them. */
export const writeMovements = async (
  tx: Statements,
  table: EntryTable,
  applied: Movement[],
  balances: Map<string, Decimal>,
) => {
  if (applied.length === 0) return
  const changed = [...new Map(applied.map(movement => [balanceText(movement), movement])).values()]
  const rows = changed.map(m => ({ ...m, amount: balances.get(balanceText(m)) }))
  await tx.$executeRaw`
    WITH entries AS (
      INSERT INTO ${table} (transaction_id, kind, holder, currency, amount)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(applied)}::jsonb)
        AS e ("transactionId" uuid, kind text, owner text, currency text, amount numeric))
    UPDATE ledger.balance b SET amount = n.amount
    FROM ${valuesTable(rows, Prisma.sql`kind text, owner text, currency text, amount numeric`)} n
    WHERE b.holder = n.owner AND b.kind = n.kind AND b.currency = n.currency`
}

/** Records each movement once, however often it is reported. The system that made it has decided, so none is refused. */
const record = async (tx: Statements, table: EntryTable, movements: readonly Movement[]): Promise<void> => {
  if (movements.length === 0) return
  await tx.$executeRaw`
    WITH entered AS (
      INSERT INTO ${table} (transaction_id, kind, holder, currency, amount)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(movements)}::jsonb)
        AS e ("transactionId" uuid, kind text, owner text, currency text, amount numeric)
      ON CONFLICT DO NOTHING RETURNING kind, holder, currency, amount)
    INSERT INTO ledger.balance AS b (kind, holder, currency, amount, elsewhere)
    SELECT kind, holder, currency, sum(amount), TRUE FROM entered
    GROUP BY holder, kind, currency ORDER BY holder, kind, currency
    ON CONFLICT (holder, kind, currency) DO UPDATE SET amount = b.amount + excluded.amount, elsewhere = TRUE`
}

/** Records the movements of orders that an outside system carried out. */
export const recordMovements = (tx: Statements, orders: readonly ChargeOrder[]): Promise<void> =>
  record(tx, ENTRIES, orders.flatMap(movementOf))

/** Records that an outside system took an order back. */
export const recordReversal = (tx: Statements, order: ChargeOrder): Promise<void> =>
  record(tx, REVERSALS, movementOf(oppositeOf(order)))
