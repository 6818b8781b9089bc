/** Requests to a charging system over HTTP and its responses, by `schema/charging.openapi.yaml` alone. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { ChargeOrder, ChargeProgress, ChargeResult } from '#core/charging/charging.ts'
import { readDocument } from '#core/contract/openapi.ts'

/** The state of an order in the system (`State`). */
export interface ReportedOrder {
  readonly transactionId: string
  readonly outcome: ChargeResult['outcome'] | 'reversed' | 'pending' | 'reserved'
  readonly reason?: string
}

/** An order as it stands in the system's book (`Entry`). */
export interface BookEntry {
  readonly transactionId: string
  readonly outcome: ReportedOrder['outcome']
  readonly operation?: string
  /** Owner of the balance that was moved: an account or a number. */
  readonly holder?: { readonly accountNumber?: string; readonly mobileNumber?: string }
  readonly amount?: string
  readonly currency?: string
  readonly points?: string
}

/** A page of the system's book (`Page`). */
export interface BookPage {
  readonly orders: readonly BookEntry[]
  readonly more: boolean
}

/** The body of `PUT /orders/{transactionId}`. */
export const bodyOf = ({ operation, accountNumber, mobileNumber, currency, ...order }: ChargeOrder): string =>
  JSON.stringify({
    operation,
    accountNumber,
    mobileNumber,
    amount: order.amount?.toString(),
    currency,
    points: order.points?.toString(),
  })

const createCheck = () => {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema(readDocument('charging'), 'charging')
  const compile = (name: string) => ajv.compile({ $ref: `charging#/components/schemas/${name}` })
  const [isState, isUnknown, isPage] = [compile('State'), compile('Unknown'), compile('Page')]
  return {
    isState: (body: unknown): body is ReportedOrder => isState(body) === true,
    isUnknown: (body: unknown): boolean => isUnknown(body) === true,
    isPage: (body: unknown): body is BookPage => isPage(body) === true,
  }
}

let checks: ReturnType<typeof createCheck> | undefined

/** Gives the checks. They are compiled with the first response, so never with the embedded ledger. */
const check = () => {
  checks ??= createCheck()
  return checks
}

/** Tells whether the body says that no such order ever arrived. */
export const saysUnknown = (body: unknown): boolean => check().isUnknown(body)

/** Reads the state of an order; undefined where the body is none. */
export const readState = (body: unknown): ReportedOrder | undefined => {
  if (!check().isState(body)) return undefined
  const { transactionId, outcome, reason } = body
  return { transactionId: transactionId.toLowerCase(), outcome, reason }
}

/** Reads a page of the system's book, with ids in lower case; undefined where the body is none. */
export const readBookPage = (body: unknown): BookPage | undefined => {
  if (!check().isPage(body)) return undefined
  const orders = body.orders.map(entry => ({ ...entry, transactionId: entry.transactionId.toLowerCase() }))
  return { orders, more: body.more }
}

/** The progress that a state means for its order. An order that was taken back there has moved nothing in the end. */
export function progressOf({ outcome, reason }: ReportedOrder): ChargeProgress {
  if (outcome === 'done') return { outcome }
  if (outcome === 'pending' || outcome === 'reserved')
    return { outcome: 'pending', isReserved: outcome === 'reserved', reason }
  if (outcome === 'reversed')
    return { outcome: 'cancelled', reason: reason ?? 'The charging system took it back' }
  return { outcome, reason: reason! }
}

/**
 * The result that a state means where the order was to be taken back.
 * @throws Error where it has no result yet.
 */
export function reversalOf({ outcome, reason }: ReportedOrder): ChargeResult {
  if (outcome === 'reversed') return { outcome: 'done' }
  if (outcome === 'pending' || outcome === 'reserved') throw new Error(`the order is still ${outcome}`)
  return {
    outcome: 'declined',
    reason: reason ?? `The charging system did not take it back: it is ${outcome}`,
  }
}
