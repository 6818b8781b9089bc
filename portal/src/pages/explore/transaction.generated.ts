/** Generated from transaction.graphql by `npm run codegen`; do not edit. */
import type { GraphDocument } from '#portal/graph/document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Action of an operator on a transaction. */
export type InterventionAction =
  /** End it before it is carried out (`cancelTransaction`). */
  | 'CANCEL'
  /** Take it back after it was carried out (`reverseTransaction`). */
  | 'REVERSE';

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

/** How a customer paid. */
export type PaymentMethod =
  /** In cash. */
  | 'cash'
  /** By credit card. */
  | 'credit_card'
  /** By debit card. */
  | 'debit_card';

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

/** State of an event on its way to a webhook. */
export type WebhookDeliveryStatus =
  /** Given up: after eight attempts, or because the receiver said 410. It can be redelivered. */
  | 'DEAD'
  /** The receiver has answered with success. */
  | 'DELIVERED'
  /** To be sent, or to be sent again. */
  | 'PENDING';

export type TransactionJourneyQueryVariables = Exact<{
  id: string;
  isOperator: boolean;
  namesAddress: boolean;
}>;


export type TransactionJourneyQuery = { readonly transaction:
    | { readonly __typename: 'Message', readonly sender: string, readonly recipient: string, readonly smsText: string, readonly smsParts: number, readonly expiryTime: string, readonly id: string, readonly kind: TransactionKind, readonly outcome: Outcome, readonly transactionOperationStatus: string, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly createdAt: string, readonly completedAt: string | null, readonly reason: string | null, readonly correlator: string | null, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly subscriber: { readonly mobileNumber: string, readonly kind: LineKind } | null, readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null, readonly totalDues: number } | null, readonly postedBy?: { readonly id: string, readonly name: string } | null, readonly interventions?: ReadonlyArray<{ readonly action: InterventionAction, readonly reason: string, readonly requestedAt: string, readonly carriedOutAt: string | null, readonly refusal: string | null, readonly by: { readonly id: string, readonly name: string } }> | null }
    | { readonly __typename: 'Payment', readonly id: string, readonly kind: TransactionKind, readonly outcome: Outcome, readonly transactionOperationStatus: string, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly createdAt: string, readonly completedAt: string | null, readonly reason: string | null, readonly correlator: string | null, readonly points: number | null, readonly paymentTransaction: { readonly paymentInfo: { readonly paymentInformation: { readonly description: string }, readonly paymentMetaData: { readonly merchantName: string | null, readonly channel: string | null, readonly paymentMethod: PaymentMethod | null, readonly invoiceNumber: string | null } | null } }, readonly amount: { readonly value: number, readonly currency: string } | null, readonly subscriber: { readonly mobileNumber: string, readonly kind: LineKind } | null, readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null, readonly totalDues: number } | null, readonly postedBy?: { readonly id: string, readonly name: string } | null, readonly interventions?: ReadonlyArray<{ readonly action: InterventionAction, readonly reason: string, readonly requestedAt: string, readonly carriedOutAt: string | null, readonly refusal: string | null, readonly by: { readonly id: string, readonly name: string } }> | null }
    | { readonly __typename: 'Recharge', readonly id: string, readonly kind: TransactionKind, readonly outcome: Outcome, readonly transactionOperationStatus: string, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly createdAt: string, readonly completedAt: string | null, readonly reason: string | null, readonly correlator: string | null, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly subscriber: { readonly mobileNumber: string, readonly kind: LineKind } | null, readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null, readonly totalDues: number } | null, readonly postedBy?: { readonly id: string, readonly name: string } | null, readonly interventions?: ReadonlyArray<{ readonly action: InterventionAction, readonly reason: string, readonly requestedAt: string, readonly carriedOutAt: string | null, readonly refusal: string | null, readonly by: { readonly id: string, readonly name: string } }> | null }
    | { readonly __typename: 'Redemption', readonly id: string, readonly kind: TransactionKind, readonly outcome: Outcome, readonly transactionOperationStatus: string, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly createdAt: string, readonly completedAt: string | null, readonly reason: string | null, readonly correlator: string | null, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly subscriber: { readonly mobileNumber: string, readonly kind: LineKind } | null, readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null, readonly totalDues: number } | null, readonly postedBy?: { readonly id: string, readonly name: string } | null, readonly interventions?: ReadonlyArray<{ readonly action: InterventionAction, readonly reason: string, readonly requestedAt: string, readonly carriedOutAt: string | null, readonly refusal: string | null, readonly by: { readonly id: string, readonly name: string } }> | null }
    | { readonly __typename: 'Reward', readonly id: string, readonly kind: TransactionKind, readonly outcome: Outcome, readonly transactionOperationStatus: string, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly createdAt: string, readonly completedAt: string | null, readonly reason: string | null, readonly correlator: string | null, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly subscriber: { readonly mobileNumber: string, readonly kind: LineKind } | null, readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null, readonly totalDues: number } | null, readonly postedBy?: { readonly id: string, readonly name: string } | null, readonly interventions?: ReadonlyArray<{ readonly action: InterventionAction, readonly reason: string, readonly requestedAt: string, readonly carriedOutAt: string | null, readonly refusal: string | null, readonly by: { readonly id: string, readonly name: string } }> | null }
   | null, readonly journey: { readonly hasMore: boolean, readonly steps: ReadonlyArray<{ readonly at: string, readonly kind: JourneyStepKind, readonly text: string, readonly durationMs: number | null, readonly sincePreviousMs: number | null, readonly transactionId: string | null }>, readonly deliveries: ReadonlyArray<{ readonly id: string, readonly status: WebhookDeliveryStatus, readonly attempts: number, readonly lastStatus: number | null, readonly lastError: string | null, readonly nextAttemptAt: string | null, readonly createdAt: string, readonly deliveredAt: string | null, readonly notificationUrl?: string | null, readonly attemptLog: ReadonlyArray<{ readonly at: string, readonly status: number | null, readonly durationMs: number, readonly error: string | null }> }> } | null };

export const TransactionJourneyDocument = `query TransactionJourney(\$id: ID!, \$isOperator: Boolean!, \$namesAddress: Boolean!) {
  transaction(id: \$id) {
    __typename
    id
    kind
    outcome
    transactionOperationStatus
    clientCorrelatorId
    referenceCode
    createdAt
    completedAt
    reason
    correlator
    amount {
      value
      currency
    }
    points
    subscriber {
      mobileNumber
      kind
    }
    customer {
      customerAccountNumber
      customerName
      totalDues
    }
    postedBy @include(if: \$isOperator) {
      id
      name
    }
    interventions @include(if: \$isOperator) {
      action
      reason
      requestedAt
      carriedOutAt
      refusal
      by {
        id
        name
      }
    }
    ... on Message {
      sender
      recipient
      smsText
      smsParts
      expiryTime
    }
    ... on Payment {
      paymentTransaction {
        paymentInfo {
          paymentInformation {
            description
          }
          paymentMetaData {
            merchantName
            channel
            paymentMethod
            invoiceNumber
          }
        }
      }
    }
  }
  journey(transactionId: \$id) {
    steps {
      at
      kind
      text
      durationMs
      sincePreviousMs
      transactionId
    }
    deliveries {
      id
      status
      attempts
      lastStatus
      lastError
      nextAttemptAt
      createdAt
      deliveredAt
      notificationUrl @include(if: \$namesAddress)
      attemptLog {
        at
        status
        durationMs
        error
      }
    }
    hasMore
  }
}` as GraphDocument<TransactionJourneyQuery, TransactionJourneyQueryVariables>
