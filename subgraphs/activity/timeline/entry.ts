/** An entry of the timeline, and what entries are asked for. */
import type { Prisma } from '../../shared/data/db.ts'
import type { Keyset } from '../../shared/paging/keyset.ts'
import type { Outcome } from '../../shared/transactions/kind.ts'
import type { TimelineFilter } from './filter.ts'

/** An entry as it stands in its table. */
export interface TimelineRow {
  readonly id: string
  readonly sort: bigint
  readonly kind: string
  readonly clientId: string
  readonly accountNumber: string | null
  readonly mobileNumber: string | null
  readonly occurredAt: Date
  readonly status: string
  readonly outcome: Outcome
  readonly reason: string
  readonly currency: string | null
  readonly amount: Prisma.Decimal | null
  readonly points: Prisma.Decimal | null
  readonly channel: string
  readonly merchant: string
  readonly text: string
  readonly clientCorrelatorId: string | null
  readonly correlator: string | null
  readonly referenceCode: string | null
}

export interface TimelineQuery {
  /** The only client whose entries may be seen; undefined for all. */
  readonly clientId: string | undefined
  readonly filter: TimelineFilter
  /** In the order of amount, not of time. */
  readonly byAmount: boolean
  readonly keyset: Keyset
}
