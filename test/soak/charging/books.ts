/** Our books as clients see them, and those of the simulator, in the same words. */
import { Decimal } from '#core/values/money.ts'
import type { Listed } from '../../support/charging-simulator.ts'
import { fieldOf } from '../../support/fields.ts'
import { createGraph } from '../../support/graph.ts'
import { createRest } from '../../support/rest.ts'
import { ACCOUNTS, CHARGED, NUMBERS, PREPAID } from './load.ts'

/** A transaction, or an order. */
export interface Line {
  readonly id: string
  readonly operation: string
  /** Exact. */
  readonly worth: string
  readonly carriedOut: boolean
}

export interface Posted extends Line {
  readonly status: string
}

const OPERATIONS: Readonly<Record<string, string>> = {
  PAYMENT: 'payBill',
  RECHARGE: 'recharge',
  REWARD: 'addPoints',
  REDEMPTION: 'redeemPoints',
}

const PAGE = 500

/** All that was posted to this server since it was empty, but for its demo. */
export async function readPosted(
  address: string,
  token: string,
  before: ReadonlySet<string>,
): Promise<Posted[]> {
  const all: Posted[] = []
  for (const { kind, path, idField, money, points, statusFor } of CHARGED) {
    for (let page = 0; ; page++) {
      const { body } = await createRest(address)('GET', `${path}?perPage=${PAGE}&page=${page}`, { token })
      for (const one of body)
        all.push({
          id: one[idField],
          operation: OPERATIONS[kind]!,
          worth: new Decimal(String(fieldOf(one, money?.amount ?? points!))).toString(),
          carriedOut: one.transactionOperationStatus === statusFor.done,
          status: one.transactionOperationStatus,
        })
      if (body.length < PAGE) break
    }
  }
  return all.filter(({ id }) => !before.has(id))
}

export const toLine = ({ transactionId, order, carriedOut }: Listed): Line => ({
  id: transactionId,
  operation: order['operation']!,
  worth: new Decimal(order['amount'] ?? order['points']!).toString(),
  carriedOut: carriedOut === 1,
})

export const inOrder = (lines: readonly Line[]): Line[] =>
  lines
    .map(({ id, operation, worth, carriedOut }) => ({ id, operation, worth, carriedOut }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

export type Balances = Readonly<Record<string, string>>

/** Dues, credit and points of all owners of the load, as the graph reports them. */
export async function readBalances(address: string, token: string): Promise<Balances> {
  const fields = [
    ...ACCOUNTS.map(one => `dues_${one}: customer(customerAccountNumber: "${one}") { value: totalDues }`),
    ...PREPAID.map(one => `prepaid_${one}: subscriber(mobileNumber: "+${one}") { prepaidBalance { value } }`),
    ...NUMBERS.map(one => `points_${one}: subscriber(mobileNumber: "+${one}") { value: pointsBalance }`),
  ]
  const { data, errors } = await createGraph(address)(`{ ${fields.join(' ')} }`, { token })
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  const entries = Object.entries<{ value?: number; prepaidBalance?: { value: number } }>(data)
  return Object.fromEntries(
    entries.map(([name, one]) => [
      name,
      new Decimal(String(one.value ?? one.prepaidBalance!.value)).toString(),
    ]),
  )
}

const EFFECTS: Readonly<Record<string, { balance: string; owner: string; sign: 1 | -1 }>> = {
  payBill: { balance: 'dues', owner: 'accountNumber', sign: -1 },
  recharge: { balance: 'prepaid', owner: 'mobileNumber', sign: 1 },
  addPoints: { balance: 'points', owner: 'mobileNumber', sign: 1 },
  redeemPoints: { balance: 'points', owner: 'mobileNumber', sign: -1 },
}

/** Balances expected after every order that the simulator executed. */
export function balancesAfter(opening: Balances, orders: readonly Listed[]): Balances {
  const balances = new Map(Object.entries(opening).map(([name, text]) => [name, new Decimal(text)]))
  for (const { order, carriedOut } of orders) {
    const { balance, owner, sign } = EFFECTS[order['operation']!]!
    const name = `${balance}_${order[owner]}`
    const moved = new Decimal(order['amount'] ?? order['points']!).times(sign * carriedOut)
    balances.set(name, balances.get(name)!.plus(moved))
  }
  return Object.fromEntries([...balances].map(([name, value]) => [name, value.toString()]))
}
