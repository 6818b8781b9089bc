/** Generated from find.graphql by `npm run codegen`; do not edit. */
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

export type FindSubscriberQueryVariables = Exact<{
  number: string;
}>;


export type FindSubscriberQuery = { readonly subscriber: { readonly mobileNumber: string, readonly kind: LineKind, readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null } | null } | null };

export type FindAccountQueryVariables = Exact<{
  account: string;
}>;


export type FindAccountQuery = { readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null } | null };

export type FindCustomersQueryVariables = Exact<{
  text: string;
}>;


export type FindCustomersQuery = { readonly customers: { readonly nodes: ReadonlyArray<{ readonly customerAccountNumber: string, readonly customerName: string | null, readonly customerStatus: string | null, readonly acctCategory: string | null, readonly closed: boolean, readonly lines: ReadonlyArray<{ readonly type: LineType, readonly number: string }> }>, readonly pageInfo: { readonly hasNextPage: boolean } } | null };

export type FindTransactionQueryVariables = Exact<{
  id: string;
}>;


export type FindTransactionQuery = { readonly transaction:
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
   | null };

export type FindByCorrelatorQueryVariables = Exact<{
  correlator: string;
}>;


export type FindByCorrelatorQuery = { readonly timeline: { readonly nodes: ReadonlyArray<{ readonly kind: TransactionKind, readonly occurredAt: string, readonly outcome: Outcome, readonly description: string, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly transaction:
        | { readonly id: string }
        | { readonly id: string }
        | { readonly id: string }
        | { readonly id: string }
        | { readonly id: string }
       | null }> } | null };

export type FindByTextQueryVariables = Exact<{
  text: string;
}>;


export type FindByTextQuery = { readonly timeline: { readonly nodes: ReadonlyArray<{ readonly kind: TransactionKind, readonly occurredAt: string, readonly outcome: Outcome, readonly description: string, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly transaction:
        | { readonly id: string }
        | { readonly id: string }
        | { readonly id: string }
        | { readonly id: string }
        | { readonly id: string }
       | null }>, readonly pageInfo: { readonly hasNextPage: boolean } } | null };

export type FoundEntryFragment = { readonly kind: TransactionKind, readonly occurredAt: string, readonly outcome: Outcome, readonly description: string, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly transaction:
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
   | null };

export const FindSubscriberDocument = `query FindSubscriber(\$number: PhoneNumber!) {
  subscriber(mobileNumber: \$number) {
    mobileNumber
    kind
    customer {
      customerAccountNumber
      customerName
    }
  }
}` as GraphDocument<FindSubscriberQuery, FindSubscriberQueryVariables>

export const FindAccountDocument = `query FindAccount(\$account: String!) {
  customer(customerAccountNumber: \$account) {
    customerAccountNumber
    customerName
  }
}` as GraphDocument<FindAccountQuery, FindAccountQueryVariables>

export const FindCustomersDocument = `query FindCustomers(\$text: String!) {
  customers(search: \$text, first: 20) {
    nodes {
      customerAccountNumber
      customerName
      customerStatus
      acctCategory
      closed
      lines {
        type
        number
      }
    }
    pageInfo {
      hasNextPage
    }
  }
}` as GraphDocument<FindCustomersQuery, FindCustomersQueryVariables>

export const FindTransactionDocument = `query FindTransaction(\$id: ID!) {
  transaction(id: \$id) {
    id
  }
}` as GraphDocument<FindTransactionQuery, FindTransactionQueryVariables>

export const FindByCorrelatorDocument = `query FindByCorrelator(\$correlator: String!) {
  timeline(filter: {correlator: \$correlator}, first: 20) {
    nodes {
      ...FoundEntry
    }
  }
}

fragment FoundEntry on TimelineEntry {
  kind
  occurredAt
  outcome
  description
  amount {
    value
    currency
  }
  points
  transaction {
    id
  }
}` as GraphDocument<FindByCorrelatorQuery, FindByCorrelatorQueryVariables>

export const FindByTextDocument = `query FindByText(\$text: String!) {
  timeline(filter: {text: \$text}, first: 20) {
    nodes {
      ...FoundEntry
    }
    pageInfo {
      hasNextPage
    }
  }
}

fragment FoundEntry on TimelineEntry {
  kind
  occurredAt
  outcome
  description
  amount {
    value
    currency
  }
  points
  transaction {
    id
  }
}` as GraphDocument<FindByTextQuery, FindByTextQueryVariables>
