/** Generated from analyse.graphql by `npm run codegen`; do not edit. */
import type { GraphDocument } from '#portal/graph/document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Outcome of a transaction, in one vocabulary for all kinds; `transactionOperationStatus` has the service's own word. */
export type Outcome =
  /** Cancelled before it was carried out. */
  | 'CANCELLED'
  /** Carried out. */
  | 'COMPLETED'
  /** Refused or failed; `transactionOperationStatus` says which. */
  | 'FAILED'
  /** Accepted, not yet final. */
  | 'PENDING'
  /** Carried out, then taken back. */
  | 'REVERSED';

/** Dimension of a summary. */
export type SummaryGroup =
  /** The channel that the client named, as it wrote it (cut at 100 characters). */
  | 'CHANNEL'
  /** The currency. */
  | 'CURRENCY'
  /** The kind of transaction. */
  | 'KIND'
  /** The merchant that the client named, as it wrote it (cut at 100 characters). */
  | 'MERCHANT'
  /** Outcome so far. */
  | 'OUTCOME'
  /** The client that posted. */
  | 'PARTNER'
  /** Why it ended as it did (cut at 100 characters; a number of three digits or more in it is written as `…`). */
  | 'REASON';

/** How long the periods of a summary are; they are periods of the operator's time zone. */
export type SummaryPeriod =
  /** The whole span, as one period. */
  | 'ALL'
  /** A calendar day. */
  | 'DAY'
  /** A calendar month. */
  | 'MONTH'
  /** A week from Monday to Sunday (ISO 8601). */
  | 'WEEK';

/** The kinds of transaction. */
export type TransactionKind =
  /** A single SMS. */
  | 'MESSAGE'
  /** A postpaid bill payment. */
  | 'PAYMENT'
  /** A prepaid recharge. */
  | 'RECHARGE'
  /** A redemption of loyalty points. */
  | 'REDEMPTION'
  /** A reward of loyalty points. */
  | 'REWARD';

export type AnalyseQueryVariables = Exact<{
  by: SummaryPeriod;
  groupBy?: ReadonlyArray<SummaryGroup> | SummaryGroup | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  kinds?: ReadonlyArray<TransactionKind> | TransactionKind | null | undefined;
  merchant?: string | null | undefined;
  postedBy?: string | null | undefined;
}>;


export type AnalyseQuery = { readonly summary: ReadonlyArray<{ readonly period: string, readonly kind: TransactionKind | null, readonly outcome: Outcome | null, readonly channel: string | null, readonly merchant: string | null, readonly currency: string | null, readonly reason: string | null, readonly count: number, readonly completed: number, readonly failed: number, readonly failureRate: number, readonly points: number | null, readonly partner: { readonly id: string, readonly name: string } | null, readonly amounts: ReadonlyArray<{ readonly value: number, readonly currency: string }> }> | null };

export const AnalyseDocument = `query Analyse(\$by: SummaryPeriod!, \$groupBy: [SummaryGroup!], \$from: DateTime, \$to: DateTime, \$kinds: [TransactionKind!], \$merchant: String, \$postedBy: String) {
  summary(
    by: \$by
    groupBy: \$groupBy
    from: \$from
    to: \$to
    kinds: \$kinds
    merchant: \$merchant
    postedBy: \$postedBy
  ) {
    period
    kind
    outcome
    channel
    merchant
    currency
    partner {
      id
      name
    }
    reason
    count
    completed
    failed
    failureRate
    amounts {
      value
      currency
    }
    points
  }
}` as GraphDocument<AnalyseQuery, AnalyseQueryVariables>
