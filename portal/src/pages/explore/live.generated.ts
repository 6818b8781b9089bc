/** Generated from live.graphql by `npm run codegen`; do not edit. */
import type { GraphDocument } from '#portal/graph/document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Conditions that narrow events; fields that are given must all hold. */
export type EventFilter = {
  /** Only of this customer account. */
  readonly customerAccountNumber?: string | null | undefined;
  /** Only of these types. */
  readonly eventTypes?: ReadonlyArray<EventType> | null | undefined;
  /** Only those that happened at or after this instant; a date is the start of that day. */
  readonly from?: string | null | undefined;
  /** Only of the transaction with this id, of whichever kind. */
  readonly id?: string | null | undefined;
  /** Only of these kinds. */
  readonly kinds?: ReadonlyArray<TransactionKind> | null | undefined;
  /**
   * Only what names this mobile number. A payment that was posted without one is its account's: what the line's page shows
   * with its account is followed by `customerAccountNumber`.
   */
  readonly mobileNumber?: string | null | undefined;
  /** Only those that happened at or before this instant; a date is the end of that day. */
  readonly to?: string | null | undefined;
};

/** Whether what an event is about succeeded, in the contract's words. */
export type EventStatus =
  /** It was refused or failed, was cancelled or taken back; the description says why. */
  | 'failed'
  /** It was carried out. */
  | 'succeeded';

/** Type of the event, in the contract's words. */
export type EventType =
  /** The transaction was carried out. */
  | 'PAYMENT_COMPLETED'
  /** The transaction was refused, failed, was cancelled, or was taken back after it had been carried out. */
  | 'PAYMENT_FAILED';

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

export type LiveBeginningQueryVariables = Exact<{ [key: string]: never; }>;


export type LiveBeginningQuery = { readonly latestEventCursor: string | null };

export type LiveEventsSubscriptionVariables = Exact<{
  filter?: EventFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type LiveEventsSubscription = { readonly transactionEvents: { readonly cursor: string, readonly eventid: string, readonly eventTime: string, readonly kind: TransactionKind, readonly status: EventStatus, readonly description: string, readonly transaction:
      | { readonly id: string, readonly outcome: Outcome, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly subscriber: { readonly mobileNumber: string } | null, readonly customer: { readonly customerAccountNumber: string } | null }
      | { readonly id: string, readonly outcome: Outcome, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly subscriber: { readonly mobileNumber: string } | null, readonly customer: { readonly customerAccountNumber: string } | null }
      | { readonly id: string, readonly outcome: Outcome, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly subscriber: { readonly mobileNumber: string } | null, readonly customer: { readonly customerAccountNumber: string } | null }
      | { readonly id: string, readonly outcome: Outcome, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly subscriber: { readonly mobileNumber: string } | null, readonly customer: { readonly customerAccountNumber: string } | null }
      | { readonly id: string, readonly outcome: Outcome, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly subscriber: { readonly mobileNumber: string } | null, readonly customer: { readonly customerAccountNumber: string } | null }
     | null } };

export const LiveBeginningDocument = `query LiveBeginning {
  latestEventCursor
}` as GraphDocument<LiveBeginningQuery, LiveBeginningQueryVariables>

export const LiveEventsDocument = `subscription LiveEvents(\$filter: EventFilter, \$after: String) {
  transactionEvents(filter: \$filter, after: \$after) {
    cursor
    eventid
    eventTime
    kind
    status
    description
    transaction {
      id
      outcome
      amount {
        value
        currency
      }
      points
      subscriber {
        mobileNumber
      }
      customer {
        customerAccountNumber
      }
    }
  }
}` as GraphDocument<LiveEventsSubscription, LiveEventsSubscriptionVariables>
