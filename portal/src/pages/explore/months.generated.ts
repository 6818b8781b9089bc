/** Generated from months.graphql by `npm run codegen`; do not edit. */
import type { GraphDocument } from '#portal/graph/document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/**
 * Scope of a mobile number's page. A payment may name no phone number: then it is its account's, and shown with the
 * number by ACCOUNT.
 */
export type LineScope =
  /**
   * Records that name the number, and everything of the account that it is a line of: records that name no number, such as a payment that
   * was posted without one, and what names another. Of a token that is bound to a number, what names the number alone.
   */
  | 'ACCOUNT'
  /** Records that name the number. */
  | 'NUMBER';

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

export type MonthsQueryVariables = Exact<{
  from?: string | null | undefined;
  kinds?: ReadonlyArray<TransactionKind> | TransactionKind | null | undefined;
  merchant?: string | null | undefined;
  postedBy?: string | null | undefined;
}>;


export type MonthsQuery = { readonly summary: ReadonlyArray<{ readonly period: string, readonly kind: TransactionKind | null, readonly count: number, readonly completed: number, readonly failed: number, readonly points: number | null, readonly amounts: ReadonlyArray<{ readonly value: number, readonly currency: string }> }> | null };

export type CustomerMonthsQueryVariables = Exact<{
  account: string;
  from?: string | null | undefined;
  kinds?: ReadonlyArray<TransactionKind> | TransactionKind | null | undefined;
  merchant?: string | null | undefined;
  postedBy?: string | null | undefined;
}>;


export type CustomerMonthsQuery = { readonly customer: { readonly summary: ReadonlyArray<{ readonly period: string, readonly kind: TransactionKind | null, readonly count: number, readonly completed: number, readonly failed: number, readonly points: number | null, readonly amounts: ReadonlyArray<{ readonly value: number, readonly currency: string }> }> | null } | null };

export type NumberMonthsQueryVariables = Exact<{
  number: string;
  include: LineScope;
  from?: string | null | undefined;
  kinds?: ReadonlyArray<TransactionKind> | TransactionKind | null | undefined;
  merchant?: string | null | undefined;
  postedBy?: string | null | undefined;
}>;


export type NumberMonthsQuery = { readonly subscriber: { readonly summary: ReadonlyArray<{ readonly period: string, readonly kind: TransactionKind | null, readonly count: number, readonly completed: number, readonly failed: number, readonly points: number | null, readonly amounts: ReadonlyArray<{ readonly value: number, readonly currency: string }> }> | null } | null };

export type MonthRowFragment = { readonly period: string, readonly kind: TransactionKind | null, readonly count: number, readonly completed: number, readonly failed: number, readonly points: number | null, readonly amounts: ReadonlyArray<{ readonly value: number, readonly currency: string }> };

export const MonthsDocument = `query Months(\$from: DateTime, \$kinds: [TransactionKind!], \$merchant: String, \$postedBy: String) {
  summary(
    by: MONTH
    groupBy: [KIND]
    from: \$from
    kinds: \$kinds
    merchant: \$merchant
    postedBy: \$postedBy
  ) {
    ...MonthRow
  }
}

fragment MonthRow on ActivitySummary {
  period
  kind
  count
  completed
  failed
  amounts {
    value
    currency
  }
  points
}` as GraphDocument<MonthsQuery, MonthsQueryVariables>

export const CustomerMonthsDocument = `query CustomerMonths(\$account: String!, \$from: DateTime, \$kinds: [TransactionKind!], \$merchant: String, \$postedBy: String) {
  customer(customerAccountNumber: \$account) {
    summary(
      by: MONTH
      groupBy: [KIND]
      from: \$from
      kinds: \$kinds
      merchant: \$merchant
      postedBy: \$postedBy
    ) {
      ...MonthRow
    }
  }
}

fragment MonthRow on ActivitySummary {
  period
  kind
  count
  completed
  failed
  amounts {
    value
    currency
  }
  points
}` as GraphDocument<CustomerMonthsQuery, CustomerMonthsQueryVariables>

export const NumberMonthsDocument = `query NumberMonths(\$number: PhoneNumber!, \$include: LineScope!, \$from: DateTime, \$kinds: [TransactionKind!], \$merchant: String, \$postedBy: String) {
  subscriber(mobileNumber: \$number) {
    summary(
      include: \$include
      by: MONTH
      groupBy: [KIND]
      from: \$from
      kinds: \$kinds
      merchant: \$merchant
      postedBy: \$postedBy
    ) {
      ...MonthRow
    }
  }
}

fragment MonthRow on ActivitySummary {
  period
  kind
  count
  completed
  failed
  amounts {
    value
    currency
  }
  points
}` as GraphDocument<NumberMonthsQuery, NumberMonthsQueryVariables>
