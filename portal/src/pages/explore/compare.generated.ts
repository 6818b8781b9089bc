/** Generated from compare.graphql by `npm run codegen`; do not edit. */
import type { GraphDocument } from '#portal/graph/document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Use of a mobile number. */
export type LineKind =
  /** GSM data. */
  | 'DATA'
  /** GSM fax. */
  | 'FAX'
  /** Billed at the end of the month. */
  | 'POSTPAID'
  /** Paid in advance. */
  | 'PREPAID';

/** The technologies of a line. */
export type LineType =
  /** A fixed line. */
  | 'FIXEDLINE'
  /** An internet account. */
  | 'INTERNET_ACCOUNT'
  /** A mobile number. */
  | 'PHONE';

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

export type CompareCustomerQueryVariables = Exact<{
  account: string;
  from?: string | null | undefined;
}>;


export type CompareCustomerQuery = { readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null, readonly customerStatus: string | null, readonly acctCategory: string | null, readonly closed: boolean, readonly totalDues: number, readonly lines: ReadonlyArray<{ readonly type: LineType, readonly number: string, readonly active: boolean, readonly subscriber: { readonly mobileNumber: string, readonly kind: LineKind, readonly pointsBalance: number | null, readonly prepaidBalance: { readonly value: number, readonly currency: string } | null } | null }>, readonly months: ReadonlyArray<{ readonly period: string, readonly kind: TransactionKind | null, readonly count: number, readonly completed: number, readonly failed: number, readonly points: number | null, readonly amounts: ReadonlyArray<{ readonly value: number, readonly currency: string }> }> | null, readonly kinds: ReadonlyArray<{ readonly period: string, readonly kind: TransactionKind | null, readonly count: number, readonly completed: number, readonly failed: number, readonly points: number | null, readonly amounts: ReadonlyArray<{ readonly value: number, readonly currency: string }> }> | null, readonly timeline: { readonly nodes: ReadonlyArray<{ readonly occurredAt: string, readonly description: string }> } | null } | null };

export const CompareCustomerDocument = `query CompareCustomer(\$account: String!, \$from: DateTime) {
  customer(customerAccountNumber: \$account) {
    customerAccountNumber
    customerName
    customerStatus
    acctCategory
    closed
    totalDues
    lines {
      type
      number
      active
      subscriber {
        mobileNumber
        kind
        prepaidBalance {
          value
          currency
        }
        pointsBalance
      }
    }
    months: summary(by: MONTH, groupBy: [KIND], from: \$from) {
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
    }
    kinds: summary(by: ALL, groupBy: [KIND], from: \$from) {
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
    }
    timeline(first: 1) {
      nodes {
        occurredAt
        description
      }
    }
  }
}` as GraphDocument<CompareCustomerQuery, CompareCustomerQueryVariables>
