/** Generated from analyse.graphql by `npm run codegen`; do not edit. */
import type { GraphDocument } from '#portal/graph/document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** From which end an order goes. */
export type OrderDirection =
  /** The least first. */
  | 'ASC'
  /** The most, or the latest, first. */
  | 'DESC';

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
  /** The category of the customer account, as the directory has it now. */
  | 'CATEGORY'
  /** The channel that the client named, as it wrote it (cut at 100 characters). */
  | 'CHANNEL'
  /** The currency. */
  | 'CURRENCY'
  /** The customer account. */
  | 'CUSTOMER'
  /** The kind of transaction. */
  | 'KIND'
  /** The merchant that the client named, as it wrote it (cut at 100 characters). */
  | 'MERCHANT'
  /** Outcome so far. */
  | 'OUTCOME'
  /** The client that posted. */
  | 'PARTNER'
  /** The payment method that the client named: `cash`, `credit_card` or `debit_card`. Payments and recharges have one. */
  | 'PAYMENT_METHOD'
  /**
   * The product that the client named: `serviceId/productId`, or `productId` alone where it named no service. Rewards and
   * redemptions have one too.
   */
  | 'PRODUCT'
  /** Why it ended as it did (cut at 100 characters; a number of three digits or more in it is written as `…`). */
  | 'REASON';

/** The order of a summary's rows; rows that are alike in it follow by period, then by what they are grouped by. */
export type SummaryOrder = {
  /** From which end. */
  readonly direction?: OrderDirection;
  /** Order of the rows. */
  readonly field: SummaryOrderField;
};

/** Order of the rows of a summary. */
export type SummaryOrderField =
  /** The money that was moved. Amounts of several currencies count as bare numbers: group by CURRENCY to keep them apart. */
  | 'AMOUNT'
  /** How many transactions. */
  | 'COUNT'
  /** How many were refused or failed. */
  | 'FAILED'
  /** The period. */
  | 'PERIOD'
  /** The points that were moved. */
  | 'POINTS';

/** How long the periods of a summary are; they are periods of the operator's time zone. */
export type SummaryPeriod =
  /** The whole span, as one period. */
  | 'ALL'
  /** A calendar day. */
  | 'DAY'
  /** A day of the week in the operator's time zone, over all weeks of the span. */
  | 'DAY_OF_WEEK'
  /** An hour of the day in the operator's time zone, over all days of the span. */
  | 'HOUR_OF_DAY'
  /** A calendar month. */
  | 'MONTH'
  /** A quarter of a calendar year. */
  | 'QUARTER'
  /** A week from Monday to Sunday (ISO 8601). */
  | 'WEEK'
  /** A calendar year. */
  | 'YEAR';

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
  orderBy?: SummaryOrder | null | undefined;
  firstPerPeriod?: number | null | undefined;
}>;


export type AnalyseQuery = { readonly summary: ReadonlyArray<{ readonly period: string, readonly kind: TransactionKind | null, readonly outcome: Outcome | null, readonly channel: string | null, readonly merchant: string | null, readonly currency: string | null, readonly reason: string | null, readonly category: string | null, readonly product: string | null, readonly paymentMethod: string | null, readonly count: number, readonly completed: number, readonly failed: number, readonly failureRate: number, readonly points: number | null, readonly partner: { readonly id: string, readonly name: string } | null, readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null } | null, readonly amounts: ReadonlyArray<{ readonly value: number, readonly currency: string }>, readonly average: { readonly value: number, readonly currency: string } | null }> | null };

export type AnalyseMeasuredQueryVariables = Exact<{
  by: SummaryPeriod;
  groupBy?: ReadonlyArray<SummaryGroup> | SummaryGroup | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  kinds?: ReadonlyArray<TransactionKind> | TransactionKind | null | undefined;
  merchant?: string | null | undefined;
  postedBy?: string | null | undefined;
  orderBy?: SummaryOrder | null | undefined;
  firstPerPeriod?: number | null | undefined;
}>;


export type AnalyseMeasuredQuery = { readonly summary: ReadonlyArray<{ readonly customers: number, readonly settledP50Ms: number | null, readonly settledP95Ms: number | null, readonly period: string, readonly kind: TransactionKind | null, readonly outcome: Outcome | null, readonly channel: string | null, readonly merchant: string | null, readonly currency: string | null, readonly reason: string | null, readonly category: string | null, readonly product: string | null, readonly paymentMethod: string | null, readonly count: number, readonly completed: number, readonly failed: number, readonly failureRate: number, readonly points: number | null, readonly max: { readonly value: number, readonly currency: string } | null, readonly p50: { readonly value: number, readonly currency: string } | null, readonly p95: { readonly value: number, readonly currency: string } | null, readonly partner: { readonly id: string, readonly name: string } | null, readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null } | null, readonly amounts: ReadonlyArray<{ readonly value: number, readonly currency: string }>, readonly average: { readonly value: number, readonly currency: string } | null }> | null };

export type AnalysedRowFragment = { readonly period: string, readonly kind: TransactionKind | null, readonly outcome: Outcome | null, readonly channel: string | null, readonly merchant: string | null, readonly currency: string | null, readonly reason: string | null, readonly category: string | null, readonly product: string | null, readonly paymentMethod: string | null, readonly count: number, readonly completed: number, readonly failed: number, readonly failureRate: number, readonly points: number | null, readonly partner: { readonly id: string, readonly name: string } | null, readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null } | null, readonly amounts: ReadonlyArray<{ readonly value: number, readonly currency: string }>, readonly average: { readonly value: number, readonly currency: string } | null };

export const AnalyseDocument = `query Analyse(\$by: SummaryPeriod!, \$groupBy: [SummaryGroup!], \$from: DateTime, \$to: DateTime, \$kinds: [TransactionKind!], \$merchant: String, \$postedBy: String, \$orderBy: SummaryOrder, \$firstPerPeriod: Int) {
  summary(
    by: \$by
    groupBy: \$groupBy
    from: \$from
    to: \$to
    kinds: \$kinds
    merchant: \$merchant
    postedBy: \$postedBy
    orderBy: \$orderBy
    firstPerPeriod: \$firstPerPeriod
  ) {
    ...AnalysedRow
  }
}

fragment AnalysedRow on ActivitySummary {
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
  customer {
    customerAccountNumber
    customerName
  }
  category
  product
  paymentMethod
  count
  completed
  failed
  failureRate
  amounts {
    value
    currency
  }
  points
  average {
    value
    currency
  }
}` as GraphDocument<AnalyseQuery, AnalyseQueryVariables>

export const AnalyseMeasuredDocument = `query AnalyseMeasured(\$by: SummaryPeriod!, \$groupBy: [SummaryGroup!], \$from: DateTime, \$to: DateTime, \$kinds: [TransactionKind!], \$merchant: String, \$postedBy: String, \$orderBy: SummaryOrder, \$firstPerPeriod: Int) {
  summary(
    by: \$by
    groupBy: \$groupBy
    from: \$from
    to: \$to
    kinds: \$kinds
    merchant: \$merchant
    postedBy: \$postedBy
    orderBy: \$orderBy
    firstPerPeriod: \$firstPerPeriod
  ) {
    ...AnalysedRow
    customers
    max {
      value
      currency
    }
    p50 {
      value
      currency
    }
    p95 {
      value
      currency
    }
    settledP50Ms
    settledP95Ms
  }
}

fragment AnalysedRow on ActivitySummary {
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
  customer {
    customerAccountNumber
    customerName
  }
  category
  product
  paymentMethod
  count
  completed
  failed
  failureRate
  amounts {
    value
    currency
  }
  points
  average {
    value
    currency
  }
}` as GraphDocument<AnalyseMeasuredQuery, AnalyseMeasuredQueryVariables>
