/** Generated from find.graphql by `npm run codegen`; do not edit. */
import type { GraphDocument } from '#portal/graph/document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Kind of a step of a journey. */
export type JourneyStepKind =
  /** An attempt to deliver an event to its webhook was made; it took until the response, or the failure. */
  | 'ATTEMPTED'
  /** The webhook was given up; that took since the event. */
  | 'DEAD'
  /** The webhook has the event; that took since the event. */
  | 'DELIVERED'
  /** Its event was written. */
  | 'EVENT'
  /** The operator cancelled or reversed it. */
  | 'INTERVENED'
  /**
   * It was put to a charging system, or a part of its text to a message centre, outside of the database; it took until the
   * outcome was known. Where the embedded ledger charges there is no such step.
   */
  | 'ORDERED'
  /** The transaction was kept, and the client had its id. */
  | 'POSTED'
  /** The client's request arrived; it took until its response had been sent. */
  | 'RECEIVED'
  /** The request was refused, or failed, as a whole or in a field of the graph. */
  | 'REFUSED'
  /** It reached its final status; that took since it was posted. */
  | 'SETTLED';

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
       | null }> } | null, readonly journey: { readonly steps: ReadonlyArray<{ readonly at: string, readonly kind: JourneyStepKind, readonly text: string, readonly durationMs: number | null, readonly sincePreviousMs: number | null, readonly transactionId: string | null }> } | null };

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
  journey(correlator: \$correlator) {
    steps {
      at
      kind
      text
      durationMs
      sincePreviousMs
      transactionId
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
