/** The five kinds of transaction as the timeline projects them: the table of each, and where its body holds what. */
import { Prisma } from '../shared/data/db.ts'
import type { Outcome } from '../shared/transactions/kind.ts'

/** Where in a body something is said, e.g. `paymentInfo.paymentMetaData`. */
type Path = readonly string[]

export interface ProjectedKind {
  readonly name: string
  /** The entity that owns it, with its key. */
  readonly typename: string
  readonly idField: string
  /** The table, whose name is the sequence's too. */
  readonly schema: string
  readonly table: string
  /** Its place among entries of the same millisecond; never changed, since cursors contain it. */
  readonly code: number
  /** The group with `channel` and `merchantName`. */
  readonly metaData?: Path
  /** What the client says it is for; the first that is there. */
  readonly texts: readonly Path[]
  /** Whether it moves points. */
  readonly movesPoints?: true
}

export const KINDS: readonly ProjectedKind[] = [
  {
    name: 'PAYMENT',
    typename: 'Payment',
    idField: 'paymentId',
    schema: 'postpaid',
    table: 'payment',
    code: 0,
    metaData: ['paymentInfo', 'paymentMetaData'],
    texts: [['paymentInfo', 'paymentInformation', 'description']],
  },
  {
    name: 'RECHARGE',
    typename: 'Recharge',
    idField: 'rechargeId',
    schema: 'prepaid',
    table: 'recharge',
    code: 1,
    metaData: ['rechargeInfo', 'rechargeMetaData'],
    texts: [
      ['rechargeInfo', 'rechargeInformation', 'description'],
      ['rechargeInfo', 'description'],
    ],
  },
  {
    name: 'MESSAGE',
    typename: 'Message',
    idField: 'otlTransactionId',
    schema: 'messaging',
    table: 'message',
    code: 2,
    texts: [['sender']],
  },
  {
    name: 'REWARD',
    typename: 'Reward',
    idField: 'rewardId',
    schema: 'loyalty',
    table: 'reward',
    code: 3,
    metaData: ['rewardMetaData'],
    texts: [['rewardInformation', 'description']],
    movesPoints: true,
  },
  {
    name: 'REDEMPTION',
    typename: 'Redemption',
    idField: 'redemptionId',
    schema: 'redemption',
    table: 'redemption',
    code: 4,
    metaData: ['redemptionMetaData'],
    texts: [['redemptionInformation', 'description']],
    movesPoints: true,
  },
]

/** The kind with this name in the graph. */
export const kindNamed = (kind: string): ProjectedKind => KINDS.find(one => one.name === kind)!

/** The services' status words; no two services mean different things by the same word. */
export const OUTCOME_OF_STATUS: Readonly<Record<string, Outcome>> = {
  processing: 'PENDING',
  accepted: 'PENDING',
  pending: 'PENDING',
  reserved: 'PENDING',
  succeeded: 'COMPLETED',
  success: 'COMPLETED',
  sent: 'COMPLETED',
  denied: 'FAILED',
  failed: 'FAILED',
  error: 'FAILED',
  invalid: 'FAILED',
  expired: 'FAILED',
  declined: 'FAILED',
  cancelled: 'CANCELLED',
  reversed: 'REVERSED',
}

const cases = Object.entries(OUTCOME_OF_STATUS).map(
  ([status, outcome]) => `WHEN '${status}' THEN '${outcome}'`,
)

/** The outcome of a status column, as SQL. Both come from the code alone. */
export const outcomeOf = (column: string): Prisma.Sql =>
  Prisma.raw(`CASE ${column} ${cases.join(' ')} ELSE 'PENDING' END`)
