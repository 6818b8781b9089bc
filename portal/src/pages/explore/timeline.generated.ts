/** Generated from timeline.graphql by `npm run codegen`; do not edit. */
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

/** Conditions that narrow a timeline; fields that are given must all hold. */
export type TimelineFilter = {
  /** Only what names one of these channels, at most 200, as a summary grouped by CHANNEL shows them. */
  readonly channels?: ReadonlyArray<string> | null | undefined;
  /** Only what was posted by a request with exactly this `x-correlator`. */
  readonly correlator?: string | null | undefined;
  /** Only of these customer accounts, at most 200. */
  readonly customers?: ReadonlyArray<string> | null | undefined;
  /** Only created at or after this instant; a date is the start of that day. */
  readonly from?: string | null | undefined;
  /** Only of these kinds. */
  readonly kinds?: ReadonlyArray<TransactionKind> | null | undefined;
  /** Only money of at most this amount, in whichever currency; what moves no money is left out. */
  readonly maxAmount?: number | string | null | undefined;
  /** Only what names this merchant, as a summary grouped by MERCHANT shows it. */
  readonly merchant?: string | null | undefined;
  /** Only what names one of these merchants, at most 200. */
  readonly merchants?: ReadonlyArray<string> | null | undefined;
  /** Only money of at least this amount, in whichever currency; what moves no money is left out. */
  readonly minAmount?: number | string | null | undefined;
  /** Only with one of these outcomes. */
  readonly outcomes?: ReadonlyArray<Outcome> | null | undefined;
  /** Only posted by this client. For portals and analysts; a partner sees only its own anyway. */
  readonly postedBy?: string | null | undefined;
  /** Only what ended for one of these reasons, at most 200, as a summary grouped by REASON shows them. */
  readonly reasons?: ReadonlyArray<string> | null | undefined;
  /**
   * Only those in which each of these words is found as the beginning of a word of the description, merchant, channel,
   * reference code, account number or mobile number (digits with country code), or as the beginning of the
   * `clientCorrelatorId` or the `x-correlator`. Case does not matter. Of words that are joined by other signs than blanks
   * (`a-b`) all but the last are whole words.
   */
  readonly text?: string | null | undefined;
  /** Only created at or before this instant; a date is the end of that day. */
  readonly to?: string | null | undefined;
};

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

/** The order of a connection. */
export type TransactionOrder =
  /** The largest amount of money first, in whichever currency; last what moves none. Of timelines alone. */
  | 'LARGEST_AMOUNT_FIRST'
  /** The newest first (the default). */
  | 'NEWEST_FIRST'
  /** The oldest first. */
  | 'OLDEST_FIRST'
  /** Transactions that move no money first, then the smallest amount, in whichever currency. Of timelines alone. */
  | 'SMALLEST_AMOUNT_FIRST';

export type TimelineQueryVariables = Exact<{
  filter?: TimelineFilter | null | undefined;
  orderBy?: TransactionOrder | null | undefined;
  first: number;
  after?: string | null | undefined;
  namesPoster: boolean;
}>;


export type TimelineQuery = { readonly timeline: { readonly nodes: ReadonlyArray<{ readonly kind: TransactionKind, readonly occurredAt: string, readonly outcome: Outcome, readonly description: string, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly transaction:
        | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
        | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
        | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
        | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
        | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
       | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type CustomerTimelineQueryVariables = Exact<{
  account: string;
  filter?: TimelineFilter | null | undefined;
  orderBy?: TransactionOrder | null | undefined;
  first: number;
  after?: string | null | undefined;
  namesPoster: boolean;
}>;


export type CustomerTimelineQuery = { readonly customer: { readonly timeline: { readonly nodes: ReadonlyArray<{ readonly kind: TransactionKind, readonly occurredAt: string, readonly outcome: Outcome, readonly description: string, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly transaction:
          | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
          | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
          | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
          | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
          | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
         | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null } | null };

export type NumberTimelineQueryVariables = Exact<{
  number: string;
  include: LineScope;
  filter?: TimelineFilter | null | undefined;
  orderBy?: TransactionOrder | null | undefined;
  first: number;
  after?: string | null | undefined;
  namesPoster: boolean;
}>;


export type NumberTimelineQuery = { readonly subscriber: { readonly timeline: { readonly nodes: ReadonlyArray<{ readonly kind: TransactionKind, readonly occurredAt: string, readonly outcome: Outcome, readonly description: string, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly transaction:
          | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
          | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
          | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
          | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
          | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
         | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null } | null };

export type TimelineCountQueryVariables = Exact<{
  filter?: TimelineFilter | null | undefined;
}>;


export type TimelineCountQuery = { readonly timeline: { readonly totalCount: number } | null };

export type CustomerTimelineCountQueryVariables = Exact<{
  account: string;
  filter?: TimelineFilter | null | undefined;
}>;


export type CustomerTimelineCountQuery = { readonly customer: { readonly timeline: { readonly totalCount: number } | null } | null };

export type NumberTimelineCountQueryVariables = Exact<{
  number: string;
  include: LineScope;
  filter?: TimelineFilter | null | undefined;
}>;


export type NumberTimelineCountQuery = { readonly subscriber: { readonly timeline: { readonly totalCount: number } | null } | null };

export type TimelinePageFragment = { readonly nodes: ReadonlyArray<{ readonly kind: TransactionKind, readonly occurredAt: string, readonly outcome: Outcome, readonly description: string, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly transaction:
      | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
      | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
      | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
      | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
      | { readonly id: string, readonly reason: string | null, readonly clientCorrelatorId: string | null, readonly referenceCode: string | null, readonly postedBy?: { readonly id: string, readonly name: string } | null }
     | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } };

export const TimelineDocument = `query Timeline(\$filter: TimelineFilter, \$orderBy: TransactionOrder, \$first: Int!, \$after: String, \$namesPoster: Boolean!) {
  timeline(filter: \$filter, orderBy: \$orderBy, first: \$first, after: \$after) {
    ...TimelinePage
  }
}

fragment TimelinePage on TimelineConnection {
  nodes {
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
      reason
      clientCorrelatorId
      referenceCode
      postedBy @include(if: \$namesPoster) {
        id
        name
      }
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}` as GraphDocument<TimelineQuery, TimelineQueryVariables>

export const CustomerTimelineDocument = `query CustomerTimeline(\$account: String!, \$filter: TimelineFilter, \$orderBy: TransactionOrder, \$first: Int!, \$after: String, \$namesPoster: Boolean!) {
  customer(customerAccountNumber: \$account) {
    timeline(filter: \$filter, orderBy: \$orderBy, first: \$first, after: \$after) {
      ...TimelinePage
    }
  }
}

fragment TimelinePage on TimelineConnection {
  nodes {
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
      reason
      clientCorrelatorId
      referenceCode
      postedBy @include(if: \$namesPoster) {
        id
        name
      }
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}` as GraphDocument<CustomerTimelineQuery, CustomerTimelineQueryVariables>

export const NumberTimelineDocument = `query NumberTimeline(\$number: PhoneNumber!, \$include: LineScope!, \$filter: TimelineFilter, \$orderBy: TransactionOrder, \$first: Int!, \$after: String, \$namesPoster: Boolean!) {
  subscriber(mobileNumber: \$number) {
    timeline(
      include: \$include
      filter: \$filter
      orderBy: \$orderBy
      first: \$first
      after: \$after
    ) {
      ...TimelinePage
    }
  }
}

fragment TimelinePage on TimelineConnection {
  nodes {
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
      reason
      clientCorrelatorId
      referenceCode
      postedBy @include(if: \$namesPoster) {
        id
        name
      }
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}` as GraphDocument<NumberTimelineQuery, NumberTimelineQueryVariables>

export const TimelineCountDocument = `query TimelineCount(\$filter: TimelineFilter) {
  timeline(filter: \$filter, first: 1) {
    totalCount
  }
}` as GraphDocument<TimelineCountQuery, TimelineCountQueryVariables>

export const CustomerTimelineCountDocument = `query CustomerTimelineCount(\$account: String!, \$filter: TimelineFilter) {
  customer(customerAccountNumber: \$account) {
    timeline(filter: \$filter, first: 1) {
      totalCount
    }
  }
}` as GraphDocument<CustomerTimelineCountQuery, CustomerTimelineCountQueryVariables>

export const NumberTimelineCountDocument = `query NumberTimelineCount(\$number: PhoneNumber!, \$include: LineScope!, \$filter: TimelineFilter) {
  subscriber(mobileNumber: \$number) {
    timeline(include: \$include, filter: \$filter, first: 1) {
      totalCount
    }
  }
}` as GraphDocument<NumberTimelineCountQuery, NumberTimelineCountQueryVariables>
