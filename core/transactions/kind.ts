/** What sets one kind of transaction apart: its names, its states, and what its limits are counted by. */
import type { Charge } from '../charging/charging.ts'
import { Prisma } from '../data/db.ts'

/** The graph's common outcome of the services' different status words. */
export type Outcome = 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'REVERSED'

/** Where in a body something is said, e.g. `paymentInfo.paymentMetaData`. */
type Path = readonly string[]

/** How the timeline shows a kind. */
export interface TimelineEntryForm {
  /** Its place among entries of the same millisecond, from 0 to 7; never changed, since cursors contain it. */
  readonly code: number
  /** The group with `channel` and `merchantName`. */
  readonly metaData?: Path
  /** What the client says it is for; the first that is there. */
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
  /** What one is, in a sentence for the graph's reference. */
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
  /** What is asked of the charging system for one. */
  readonly charge: Charge
  /** The status that create answers with. */
  readonly initial: string
  /** Which status may follow which. A status without followers is final. */
  readonly transitions: Readonly<Record<string, readonly string[]>>
  /** What each status means to someone who does not know this service. */
  readonly outcomes: Readonly<Record<string, Outcome>>
  /** What the monthly limit of a client is counted by, and in which measure. */
  readonly limit?: {
    readonly holder: 'accountNumber' | 'mobileNumber'
    readonly measure: 'amount' | 'points'
  }
  readonly timeline: TimelineEntryForm
}

/** What the graph calls one of them in its fields, e.g. `payment` of `Payment`. */
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
  /** `x-correlator` of the request that posted it; not known of rows from before it was kept. */
  correlator: string | null
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
