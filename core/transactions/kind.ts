/** Kinds of transaction: their names, states and limits, how they are settled, and a row of one. */

import type { Charge, ChargeOrder, ChargeResult } from '../charging/charging.ts'
import { Prisma } from '../data/db.ts'
import { toDecimal } from '../values/money.ts'

/** The graph's common outcome of the services' different status words. */
export type Outcome = 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'REVERSED'

/** The place of something in a body, e.g. `paymentInfo.paymentMetaData`. */
type Path = readonly string[]

/** The entry of a kind in the timeline. */
export interface TimelineEntryForm {
  /** Its place among entries of the same millisecond, from 0 to 7; never changed, since cursors contain it. */
  readonly code: number
  /** The group with `channel` and `merchantName`. */
  readonly metaData?: Path
  /** The client's own description of it; the first that is there. */
  readonly texts: readonly Path[]
  /**
   * One line for a person, with `{money}`, `{points}`, `{account}`, `{number}` or `{text}` in it; where the text has no
   * place in the line it follows it.
   */
  readonly phrase: string
}

export interface TransactionKind {
  /** The graph's `TransactionKind`, e.g. `PAYMENT`. */
  readonly name: string
  /** One sentence for the graph's reference. */
  readonly description: string
  /** The GraphQL type, e.g. `Payment`. */
  readonly typename: string
  /** The contract's id field, e.g. `paymentId`. */
  readonly idField: string
  /** The PostgreSQL schema and table, e.g. `postpaid.payment`; the table's name is the sequence's name too. */
  readonly schema: string
  readonly table: string
  /** The REST collection, for `Location`; absent where a transaction cannot be retrieved by REST. */
  readonly path?: string
  /** The contract's operation that creates one, and the name of the mutation, e.g. `createPayment`. */
  readonly createOperation: string
  /** The service's name, and where in a request the transaction stands (empty for the top). */
  readonly service: string
  readonly bodyPath: string
  /** Whether its events are sent to the webhook that came with it. */
  readonly callsWebhook: boolean
  /** The order to the charging system for one. */
  readonly charge: Charge
  /** The status that create answers with. */
  readonly initial: string
  /** The statuses that may follow each. A status without followers is final. */
  readonly transitions: Readonly<Record<string, readonly string[]>>
  /** The common outcome that each status means. */
  readonly outcomes: Readonly<Record<string, Outcome>>
  /** The owner and the measure that the monthly limit of a client is counted by. */
  readonly limit?: {
    readonly owner: 'accountNumber' | 'mobileNumber'
    readonly measure: 'amount' | 'points'
  }
  readonly timeline: TimelineEntryForm
}

/** The graph's name of one in its fields, e.g. `payment` of `Payment`. */
export const fieldNameOf = ({ typename }: TransactionKind): string =>
  typename.charAt(0).toLowerCase() + typename.slice(1)

/** One transaction as it stands in its table. Phone numbers are digits with country code. */
export interface TransactionRow<Body = unknown> {
  id: string
  position: bigint
  clientId: string
  clientPosition: bigint
  createdAt: Date
  clientCorrelatorId: string | null
  /** The `x-correlator` of the request that posted it; null in rows from before it was kept. */
  correlator: string | null
  /** The place of that request in a trace, to which all that follows is linked (`observability/tracing.ts`). */
  trace: string | null
  referenceCode: string | null
  status: string
  completedAt: Date | null
  reason: string | null
  accountNumber: string | null
  mobileNumber: string | null
  currency: string | null
  amount: Prisma.Decimal | null
  points: Prisma.Decimal | null
  body: Body
  webhookUrl: string | null
  webhookToken: string | null
}

/** The kind's table as SQL. Names come from the code alone, never from a request. */
export const tableOf = ({ schema, table }: TransactionKind): Prisma.Sql =>
  Prisma.raw(`"${schema}"."${table}"`)

/** The statuses of a kind that mean one of the given outcomes. */
export const statusesOf = ({ outcomes }: TransactionKind, wanted: readonly Outcome[]): string[] =>
  Object.keys(outcomes).filter(status => wanted.includes(outcomes[status] as Outcome))

/** Whether the kind's table of transitions lets `to` follow `from`. */
export const mayFollow = ({ transitions }: TransactionKind, from: string, to: string): boolean =>
  transitions[from]?.includes(to) ?? false

/** The part of a service in settling: until when it may be done, and the status that each progress and each result means. */
export interface Settlement<Body = never> {
  readonly kind: TransactionKind
  /** After this time it must not be carried out any more; absent where it may be at any time. */
  expiresAt?(row: TransactionRow<Body>): Date
  /** The final status for what became of the order. */
  readonly statusFor: Readonly<Record<ChargeResult['outcome'], string>>
  /** The status while the charging system holds the order, pending or reserved; absent where the kind has none for it. */
  readonly heldAs?: Readonly<Partial<Record<'pending' | 'reserved', string>>>
  /** The sentence of an event whose order was carried out. */
  readonly done: string
}

const exact = (number: Prisma.Decimal | null) => (number === null ? undefined : toDecimal(String(number)))

/** The order to the charging system for a row: its owner, and how much. */
export const orderOf = (
  { kind, expiresAt }: Pick<Settlement, 'kind' | 'expiresAt'>,
  row: TransactionRow<never>,
): ChargeOrder => ({
  transactionId: row.id,
  ...kind.charge,
  accountNumber: row.accountNumber ?? undefined,
  mobileNumber: row.mobileNumber ?? undefined,
  currency: row.currency ?? undefined,
  amount: exact(row.amount),
  points: exact(row.points),
  trace: row.trace ?? undefined,
  expiresAt: expiresAt?.(row),
})

const FINAL = ['success', 'failed', 'cancelled', 'invalid', 'expired', 'declined']

/** The states of rewards and redemptions (contract document 3, "TransactionOperationStatus"). A success alone may still be taken back. */
export const POINTS_STATES = {
  initial: 'processing',
  transitions: {
    processing: ['pending', ...FINAL],
    pending: FINAL,
    success: ['reversed'],
  },
  outcomes: {
    processing: 'PENDING',
    pending: 'PENDING',
    success: 'COMPLETED',
    failed: 'FAILED',
    cancelled: 'CANCELLED',
    invalid: 'FAILED',
    expired: 'FAILED',
    declined: 'FAILED',
    reversed: 'REVERSED',
  },
  limit: { owner: 'mobileNumber', measure: 'points' },
} as const satisfies Partial<TransactionKind>

/** The statuses of a settlement of points. */
export const POINTS_SETTLEMENT = {
  statusFor: {
    done: 'success',
    declined: 'declined',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    invalid: 'invalid',
  },
  heldAs: { pending: 'pending', reserved: 'pending' },
} as const satisfies Partial<Settlement>

/** Whether points were moved, be they taken back since: the contract shows the time of that. */
export const hasTakenPlace = ({ status }: { readonly status: string }): boolean =>
  status === 'success' || status === 'reversed'
