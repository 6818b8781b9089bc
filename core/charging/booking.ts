/**
 * Books movements in the ledger: locks balances, changes them, and writes an entry for each movement. Movements that an
 * outside charging system made are recorded too, so that balances in the graph include them.
 */

import { Prisma, type Statements } from '../data/db.ts'
import { keysTable, valuesTable } from '../data/sql.ts'
import { Decimal, toDecimal } from '../values/money.ts'
import type { BalanceKind, ChargeOrder, ChargeResult } from './charging.ts'

/** The customer type of GSM prepaid (contract document 1, "Customer": customerType). */
export const PREPAID_CUSTOMER_TYPE = 14

/** The currency of dues and prepaid balances (contract document 1, "Customer": totalDues). */
export const HOME_CURRENCY = 'OMR'

/** Key of a balance: `dues` belong to an account, `prepaid` and `points` to a number. Points have no currency. */
export interface BalanceKey {
  readonly kind: BalanceKind
  readonly owner: string
  readonly currency: string
}

/** A balance as it is read from `ledger.balance`. */
export interface BalanceRow extends BalanceKey {
  readonly amount: { toString(): string }
}

/** The key as one text, for maps in memory. */
export const balanceKeyText = ({ kind, owner, currency }: BalanceKey) => `${kind} ${currency} ${owner}`

/** Reads the balances in the keys' order; one that was never moved is zero. */
export async function readBalances(db: Statements, keys: readonly BalanceKey[]): Promise<Decimal[]> {
  const rows = await db.$lookUp<BalanceRow[]>`
    SELECT kind, holder AS owner, currency, amount::text
    FROM ${keysTable(keys.map(key => key.owner))} requested JOIN ledger.balance ON holder = requested.key`
  const amounts = new Map(rows.map(row => [balanceKeyText(row), toDecimal(String(row.amount))]))
  return keys.map(key => amounts.get(balanceKeyText(key)) ?? new Decimal(0))
}

/** The dues of an account; below zero they are a credit. */
export const duesOf = async (db: Statements, accountNumber: string): Promise<Decimal> =>
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

/** A change of one balance. The ledger exchanges no currencies: each has a balance of its own. */
export interface Movement extends BalanceKey {
  readonly transactionId: string
  readonly amount: Decimal
}

/** The owner, the currency and the amount that an order moves, for each kind of balance. */
const MOVED_BY_KIND: Readonly<
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

/** Makes the movements of an order: one, or none where it moves nothing. */
export function movementsOf(order: ChargeOrder): Movement[] {
  if (!order.moves) return []
  const { balance, direction } = order.moves
  const { amount, ...key } = MOVED_BY_KIND[balance](order)
  const { transactionId } = order
  return [{ transactionId, kind: balance, ...key, amount: direction === 'up' ? amount : amount.negated() }]
}

/** The bound of a balance: its column in `ledger.balance` has 16 digits before the point. */
const BALANCE_BOUND = new Decimal(10).pow(16)

const declined = (reason: string): ChargeResult => ({ outcome: 'declined', reason })

/**
 * Makes the refusal of a movement after which the balance would be this one; undefined where it is allowed. The reason
 * names no owner, since the order does.
 */
const findRefusal = ({ kind }: Movement, balance: Decimal): ChargeResult | undefined => {
  if (kind === 'points' && balance.isNegative()) return declined('The points do not suffice')
  if (kind === 'prepaid' && balance.isNegative()) return declined('The balance does not suffice')
  if (balance.abs().lt(BALANCE_BOUND)) return undefined
  // The ledger declines no reward: points that cannot be given have failed (docs/decisions.md, "Life of a transaction").
  const outcome = kind === 'points' ? 'failed' : 'declined'
  return { outcome, reason: 'The balance cannot hold so much' }
}

/**
 * Applies an order unless its balance would overflow or fall below zero. Only dues may be negative, which is a credit.
 * @param balances are changed in place.
 * @param applied receives the movements that were made.
 */
export function applyOrder(
  order: ChargeOrder,
  balances: Map<string, Decimal>,
  applied: Movement[],
): ChargeResult {
  for (const movement of movementsOf(order)) {
    const balance = (balances.get(balanceKeyText(movement)) ?? new Decimal(0)).plus(movement.amount)
    const refusal = findRefusal(movement, balance)
    if (refusal) return refusal
    balances.set(balanceKeyText(movement), balance)
    applied.push(movement)
  }
  return { outcome: 'done' }
}

const OPPOSITE = { up: 'down', down: 'up' } as const

/** Makes the order that moves the same amount in the other direction. */
export const reverseOrder = ({ moves, ...order }: ChargeOrder): ChargeOrder =>
  moves ? { ...order, moves: { ...moves, direction: OPPOSITE[moves.direction] } } : order

/** The tables of entries: of orders that were executed, and of orders that were reversed. A transaction has one in each. */
export const ENTRIES = Prisma.raw('ledger.entry')
export const REVERSALS = Prisma.raw('ledger.reversal')

type EntryTable = typeof ENTRIES

/** Finds the transactions that have an entry already. */
export const findBooked = async (tx: Statements, table: EntryTable, ids: string[]): Promise<Set<string>> => {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT transaction_id AS id FROM ${table} WHERE transaction_id = ANY (${ids}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

/**
 * Opens missing balances, locks all, and reads them. Every transaction locks in the same sequence, so that no two wait for
 * each other.
 */
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
  return new Map(rows.map(row => [balanceKeyText(row), toDecimal(String(row.amount))]))
}

/** Writes the movements that were applied, and the balances after them. */
export const writeMovements = async (
  tx: Statements,
  table: EntryTable,
  applied: Movement[],
  balances: Map<string, Decimal>,
) => {
  if (applied.length === 0) return
  const changed = [...new Map(applied.map(movement => [balanceKeyText(movement), movement])).values()]
  const rows = changed.map(key => ({ ...key, amount: balances.get(balanceKeyText(key)) }))
  await tx.$executeRaw`
    WITH entries AS (
      INSERT INTO ${table} (transaction_id, kind, holder, currency, amount)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(applied)}::jsonb)
        AS e ("transactionId" uuid, kind text, owner text, currency text, amount numeric))
    UPDATE ledger.balance b SET amount = n.amount
    FROM ${valuesTable(rows, Prisma.sql`kind text, owner text, currency text, amount numeric`)} n
    WHERE b.holder = n.owner AND b.kind = n.kind AND b.currency = n.currency`
}

/**
 * Records each movement once, however often it is reported. The outside system has decided, so none is refused. `elsewhere`
 * marks a balance that such a system changes.
 */
const recordOnce = async (
  tx: Statements,
  table: EntryTable,
  movements: readonly Movement[],
): Promise<void> => {
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
  recordOnce(tx, ENTRIES, orders.flatMap(movementsOf))

/** Records that an outside system took an order back. */
export const recordReversal = (tx: Statements, order: ChargeOrder): Promise<void> =>
  recordOnce(tx, REVERSALS, movementsOf(reverseOrder(order)))
