/** Generated from support.graphql by `npm run codegen`; do not edit. */
import type { GraphDocument } from '#portal/graph/document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Kinds of acts. */
export type AuditAction =
  /** A client was added. */
  | 'CLIENT_ADDED'
  /** Name, limits, quotas or phone number of a client were changed. */
  | 'CLIENT_CHANGED'
  /** A client was disabled. */
  | 'CLIENT_DISABLED'
  /** A client was admitted again. */
  | 'CLIENT_ENABLED'
  /** A client's public keys were registered, replaced or taken away. */
  | 'CLIENT_KEYS_CHANGED'
  /** A client without any transactions was removed. */
  | 'CLIENT_REMOVED'
  /** The whole database was copied, or written to a backup. */
  | 'DATABASE_COPIED'
  /** Accounts and lines were imported. */
  | 'DIRECTORY_IMPORTED'
  /** The place of a restored database was confirmed, and webhooks leave from there. */
  | 'INSTALLATION_CONFIRMED'
  /** Secrets were encrypted with another `SECRETS_KEY`. */
  | 'SECRETS_ENCRYPTED_ANEW'
  /** A client got a new secret. */
  | 'SECRET_ROTATED'
  /** A new key to sign tokens with was made. */
  | 'SIGNING_KEY_ROTATED'
  /** A secret or a token was refused; `details` has how often, from when to when. */
  | 'SIGN_IN_REFUSED'
  /** A test event was sent. */
  | 'TEST_EVENT_SENT'
  /** The timeline was exported as a file. */
  | 'TIMELINE_EXPORTED'
  /** The timeline was made again from the services' tables. */
  | 'TIMELINE_REBUILT'
  /** A transaction was cancelled, or its charging system was asked to. */
  | 'TRANSACTION_CANCELLED'
  /** A transaction was reversed, or its charging system was asked to. */
  | 'TRANSACTION_REVERSED'
  /** Webhooks were sent again. */
  | 'WEBHOOKS_REDELIVERED'
  /** A webhook endpoint was registered, changed, paused, resumed or removed. */
  | 'WEBHOOK_ENDPOINT_CHANGED'
  /** A client's webhooks got a new signing secret, or the one before was ended. */
  | 'WEBHOOK_SECRET_ROTATED';

/** Conditions that narrow the log of acts; fields that are given must all hold. */
export type AuditLogFilter = {
  /** Only of this kind. */
  readonly action?: AuditAction | null | undefined;
  /** Only by this client, or by this user of the command line (`cli:<name>`). */
  readonly actor?: string | null | undefined;
  /** Only done at or after this instant; a date is the start of that day. */
  readonly from?: string | null | undefined;
  /** Only on this client, transaction, delivery or file. */
  readonly target?: string | null | undefined;
  /** Only done at or before this instant; a date is the end of that day. */
  readonly to?: string | null | undefined;
};

/** Health of a client's endpoint, kept for all processes. */
export type EndpointHealth =
  /** Three attempts in a row have failed, and none has succeeded since. */
  | 'FAILING'
  /** It takes what is sent, or nothing was sent yet. */
  | 'HEALTHY'
  /** It is paused on request: nothing is sent, and nothing is lost. */
  | 'PAUSED';

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

/** Name of a limit on a client's use of a process. */
export type QuotaName =
  /** Cost of its operations in a minute, in fields. */
  | 'COST_PER_MINUTE'
  /** Connections that stay open. */
  | 'OPEN_STREAMS'
  /** Requests that are served at the same time. */
  | 'REQUESTS_IN_FLIGHT'
  /** Requests a second; twice as many may come at once, so that more may be left. */
  | 'REQUESTS_PER_SECOND'
  /** Webhooks that are being sent at the same time. */
  | 'WEBHOOKS_IN_FLIGHT';

/** Conditions for webhooks that are sent again; fields that are given must all hold. */
export type RedeliverWebhooksFilter = {
  /**
   * Only those that were last attempted at or before this instant, which must have come. What was sent again is later: so
   * each is sent again once, however often it is called. Required with DELIVERED.
   */
  readonly lastAttemptUntil?: string | null | undefined;
  /** Only of this client's transactions. */
  readonly partner?: string | null | undefined;
  /** Only of events at or after this instant. */
  readonly since?: string | null | undefined;
  /** Only with this status; dead ones without it. Of those that wait, only what is not due already. */
  readonly status?: WebhookDeliveryStatus | null | undefined;
  /** Only of events at or before this instant. */
  readonly until?: string | null | undefined;
};

/** Conditions that narrow requests; fields that are given must all hold. */
export type RequestFilter = {
  /** Only of this client. For portals and analysts; a partner sees only its own anyway. */
  readonly client?: string | null | undefined;
  /** Only with this error code. */
  readonly code?: string | null | undefined;
  /** Only with this `x-correlator`. */
  readonly correlator?: string | null | undefined;
  /** Only at or after this instant; a date is the start of that day. */
  readonly from?: string | null | undefined;
  /** Only with this operation. */
  readonly operation?: string | null | undefined;
  /** Only with this reason of an error. */
  readonly reason?: string | null | undefined;
  /** Only those that were refused, whatever their status, or with false only those that were not. */
  readonly refused?: boolean | null | undefined;
  /** Only with this HTTP status. */
  readonly status?: number | null | undefined;
  /** Only at or before this instant; a date is the end of that day. */
  readonly to?: string | null | undefined;
  /** Only by this way. */
  readonly via?: RequestWay | null | undefined;
};

/** How long a period of sums of requests is, in the operator's time zone. */
export type RequestPeriod =
  /** One period, whatever its length. */
  | 'ALL'
  /** A day. */
  | 'DAY'
  /** An hour. */
  | 'HOUR'
  /** A month. */
  | 'MONTH'
  /** From Monday on. */
  | 'WEEK';

/** Way by which a request comes. */
export type RequestWay =
  /** An export. */
  | 'EXPORT'
  /** An operation of the graph over HTTP. */
  | 'GRAPH'
  /** A page or a document. */
  | 'PAGE'
  /** A path of the contract, or one beside it. */
  | 'REST'
  /** An operation of the graph over WebSocket or server-sent events. */
  | 'STREAM'
  /** A request for a token. */
  | 'TOKEN';

/** Conditions that narrow a timeline; fields that are given must all hold. */
export type TimelineFilter = {
  /** Only what was posted by a request with exactly this `x-correlator`. */
  readonly correlator?: string | null | undefined;
  /** Only created at or after this instant; a date is the start of that day. */
  readonly from?: string | null | undefined;
  /** Only of these kinds. */
  readonly kinds?: ReadonlyArray<TransactionKind> | null | undefined;
  /** Only money of at most this amount, in whichever currency; what moves no money is left out. */
  readonly maxAmount?: number | string | null | undefined;
  /** Only what names this merchant, as a summary grouped by MERCHANT shows it. */
  readonly merchant?: string | null | undefined;
  /** Only money of at least this amount, in whichever currency; what moves no money is left out. */
  readonly minAmount?: number | string | null | undefined;
  /** Only with one of these outcomes. */
  readonly outcomes?: ReadonlyArray<Outcome> | null | undefined;
  /** Only posted by this client. For portals and analysts; a partner sees only its own anyway. */
  readonly postedBy?: string | null | undefined;
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

/** Conditions that narrow deliveries; fields that are given must all hold. */
export type WebhookDeliveryFilter = {
  /** Only of this client's transactions. */
  readonly clientId?: string | null | undefined;
  /** Only of events at or after this instant; a date is the start of that day. */
  readonly from?: string | null | undefined;
  /** Only of transactions of this kind. */
  readonly kind?: TransactionKind | null | undefined;
  /** Only with this status. */
  readonly status?: WebhookDeliveryStatus | null | undefined;
  /** Only of events at or before this instant; a date is the end of that day. */
  readonly to?: string | null | undefined;
  /** Only of this transaction. */
  readonly transactionId?: string | null | undefined;
};

/** State of an event on its way to a webhook. */
export type WebhookDeliveryStatus =
  /** Given up: after eight attempts, or because the receiver said 410. It can be redelivered. */
  | 'DEAD'
  /** The receiver has answered with success. */
  | 'DELIVERED'
  /** To be sent, or to be sent again. */
  | 'PENDING';

export type RefusalPeriodsQueryVariables = Exact<{
  from: string;
  by: RequestPeriod;
  client?: string | null | undefined;
}>;


export type RefusalPeriodsQuery = { readonly requestSummary: ReadonlyArray<{ readonly period: string, readonly reason: string | null, readonly count: number }> | null };

export type RefusalsQueryVariables = Exact<{
  from: string;
  client?: string | null | undefined;
}>;


export type RefusalsQuery = { readonly requestSummary: ReadonlyArray<{ readonly operation: string | null, readonly status: number | null, readonly reason: string | null, readonly field: string | null, readonly count: number, readonly client: { readonly id: string, readonly name: string } | null }> | null };

export type FailuresQueryVariables = Exact<{
  from: string;
  client?: string | null | undefined;
}>;


export type FailuresQuery = { readonly summary: ReadonlyArray<{ readonly kind: TransactionKind | null, readonly reason: string | null, readonly count: number, readonly failed: number, readonly partner: { readonly id: string, readonly name: string } | null }> | null };

export type FailureDaysQueryVariables = Exact<{
  from: string;
  client?: string | null | undefined;
}>;


export type FailureDaysQuery = { readonly summary: ReadonlyArray<{ readonly period: string, readonly kind: TransactionKind | null, readonly count: number, readonly failed: number }> | null };

export type RequestLogQueryVariables = Exact<{
  filter?: RequestFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type RequestLogQuery = { readonly requests: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly at: string, readonly via: RequestWay, readonly operation: string | null, readonly status: number, readonly code: string | null, readonly reason: string | null, readonly field: string | null, readonly durationMs: number, readonly correlator: string, readonly weight: number, readonly client: { readonly id: string, readonly name: string } | null, readonly transaction:
        | { readonly id: string }
        | { readonly id: string }
        | { readonly id: string }
        | { readonly id: string }
        | { readonly id: string }
       | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type PostedQueryVariables = Exact<{
  filter?: TimelineFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type PostedQuery = { readonly timeline: { readonly nodes: ReadonlyArray<{ readonly kind: TransactionKind, readonly occurredAt: string, readonly outcome: Outcome, readonly description: string, readonly points: number | null, readonly amount: { readonly value: number, readonly currency: string } | null, readonly transaction:
        | { readonly id: string, readonly reason: string | null }
        | { readonly id: string, readonly reason: string | null }
        | { readonly id: string, readonly reason: string | null }
        | { readonly id: string, readonly reason: string | null }
        | { readonly id: string, readonly reason: string | null }
       | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type EndpointsQueryVariables = Exact<{
  client?: string | null | undefined;
}>;


export type EndpointsQuery = { readonly webhookEndpoints: ReadonlyArray<{ readonly origin: string, readonly health: EndpointHealth, readonly retrying: number, readonly dead: number, readonly lastAttemptAt: string | null, readonly lastStatus: number | null, readonly lastError: string | null, readonly nextAttemptAt: string | null, readonly client: { readonly id: string, readonly name: string } }> | null };

export type DeliveriesQueryVariables = Exact<{
  filter?: WebhookDeliveryFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type DeliveriesQuery = { readonly webhookDeliveries: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly eventid: string, readonly kind: TransactionKind, readonly transactionId: string, readonly status: WebhookDeliveryStatus, readonly attempts: number, readonly lastStatus: number | null, readonly lastError: string | null, readonly nextAttemptAt: string | null, readonly createdAt: string, readonly deliveredAt: string | null, readonly notificationUrl: string | null, readonly client: { readonly id: string, readonly name: string }, readonly attemptLog: ReadonlyArray<{ readonly at: string, readonly status: number | null, readonly durationMs: number, readonly error: string | null }> }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type PartnersQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type PartnersQuery = { readonly partners: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly active: boolean }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type LimitsQueryVariables = Exact<{
  clients?: ReadonlyArray<string> | string | null | undefined;
}>;


export type LimitsQuery = { readonly clientLimits: ReadonlyArray<{ readonly currencies: ReadonlyArray<string>, readonly maxAmount: number | null, readonly monthlyAmount: number | null, readonly maxPoints: number | null, readonly monthlyPoints: number | null, readonly client: { readonly id: string, readonly name: string, readonly active: boolean }, readonly quotas: ReadonlyArray<{ readonly name: QuotaName, readonly limit: number, readonly left: number | null }> }> | null };

export type MonthlyLeftQueryVariables = Exact<{
  clients?: ReadonlyArray<string> | string | null | undefined;
  account?: string | null | undefined;
  number?: string | null | undefined;
}>;


export type MonthlyLeftQuery = { readonly clientLimits: ReadonlyArray<{ readonly monthlyUse: ReadonlyArray<{ readonly kind: TransactionKind, readonly currency: string | null, readonly used: number, readonly limit: number, readonly left: number }> | null }> | null };

export type ActsQueryVariables = Exact<{
  filter?: AuditLogFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type ActsQuery = { readonly auditLog: { readonly nodes: ReadonlyArray<{ readonly at: string, readonly actor: string, readonly user: string | null, readonly correlator: string | null, readonly action: AuditAction, readonly target: string | null, readonly details: string }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type RedeliverOneMutationVariables = Exact<{
  id: string;
}>;


export type RedeliverOneMutation = { readonly redeliverWebhook: { readonly id: string, readonly status: WebhookDeliveryStatus, readonly nextAttemptAt: string | null } | null };

export type RedeliverManyMutationVariables = Exact<{
  filter?: RedeliverWebhooksFilter | null | undefined;
}>;


export type RedeliverManyMutation = { readonly redeliverWebhooks: number | null };

export type SendTestMutationVariables = Exact<{
  url: string;
  kind: TransactionKind;
  token?: string | null | undefined;
  partner?: string | null | undefined;
}>;


export type SendTestMutation = { readonly sendTestEvent: { readonly at: string, readonly status: number | null, readonly durationMs: number, readonly error: string | null } | null };

export type RotateSecretMutationVariables = Exact<{
  hours: number;
  partner?: string | null | undefined;
}>;


export type RotateSecretMutation = { readonly rotateWebhookSecret: { readonly secret: string, readonly previousEndsAt: string | null } | null };

export type CancelMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type CancelMutation = { readonly cancelTransaction:
    | { readonly id: string, readonly outcome: Outcome }
    | { readonly id: string, readonly outcome: Outcome }
    | { readonly id: string, readonly outcome: Outcome }
    | { readonly id: string, readonly outcome: Outcome }
    | { readonly id: string, readonly outcome: Outcome }
   | null };

export type ReverseMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type ReverseMutation = { readonly reverseTransaction:
    | { readonly id: string, readonly outcome: Outcome }
    | { readonly id: string, readonly outcome: Outcome }
    | { readonly id: string, readonly outcome: Outcome }
    | { readonly id: string, readonly outcome: Outcome }
    | { readonly id: string, readonly outcome: Outcome }
   | null };

export type RecentEventsQueryVariables = Exact<{ [key: string]: never; }>;


export type RecentEventsQuery = { readonly latestEventCursor: string | null, readonly events: { readonly nodes: ReadonlyArray<{ readonly cursor: string, readonly kind: TransactionKind, readonly eventType: EventType, readonly eventTime: string, readonly transaction:
        | { readonly id: string, readonly reason: string | null }
        | { readonly id: string, readonly reason: string | null }
        | { readonly id: string, readonly reason: string | null }
        | { readonly id: string, readonly reason: string | null }
        | { readonly id: string, readonly reason: string | null }
       | null }> } | null };

export const RefusalPeriodsDocument = `query RefusalPeriods(\$from: DateTime!, \$by: RequestPeriod!, \$client: String) {
  requestSummary(from: \$from, by: \$by, groupBy: [REASON], client: \$client) {
    period
    reason
    count
  }
}` as GraphDocument<RefusalPeriodsQuery, RefusalPeriodsQueryVariables>

export const RefusalsDocument = `query Refusals(\$from: DateTime!, \$client: String) {
  requestSummary(
    from: \$from
    by: ALL
    groupBy: [CLIENT, OPERATION, STATUS, REASON, FIELD]
    client: \$client
    first: 200
  ) {
    client {
      id
      name
    }
    operation
    status
    reason
    field
    count
  }
}` as GraphDocument<RefusalsQuery, RefusalsQueryVariables>

export const FailuresDocument = `query Failures(\$from: DateTime!, \$client: String) {
  summary(
    from: \$from
    by: ALL
    groupBy: [PARTNER, KIND, REASON]
    postedBy: \$client
    orderBy: {field: FAILED}
    first: 100
  ) {
    partner {
      id
      name
    }
    kind
    reason
    count
    failed
  }
}` as GraphDocument<FailuresQuery, FailuresQueryVariables>

export const FailureDaysDocument = `query FailureDays(\$from: DateTime!, \$client: String) {
  summary(from: \$from, by: DAY, groupBy: [KIND], postedBy: \$client) {
    period
    kind
    count
    failed
  }
}` as GraphDocument<FailureDaysQuery, FailureDaysQueryVariables>

export const RequestLogDocument = `query RequestLog(\$filter: RequestFilter, \$after: String) {
  requests(filter: \$filter, first: 50, after: \$after) {
    nodes {
      id
      at
      client {
        id
        name
      }
      via
      operation
      status
      code
      reason
      field
      durationMs
      correlator
      weight
      transaction {
        id
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}` as GraphDocument<RequestLogQuery, RequestLogQueryVariables>

export const PostedDocument = `query Posted(\$filter: TimelineFilter, \$after: String) {
  timeline(filter: \$filter, first: 50, after: \$after) {
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
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}` as GraphDocument<PostedQuery, PostedQueryVariables>

export const EndpointsDocument = `query Endpoints(\$client: String) {
  webhookEndpoints(client: \$client) {
    client {
      id
      name
    }
    origin
    health
    retrying
    dead
    lastAttemptAt
    lastStatus
    lastError
    nextAttemptAt
  }
}` as GraphDocument<EndpointsQuery, EndpointsQueryVariables>

export const DeliveriesDocument = `query Deliveries(\$filter: WebhookDeliveryFilter, \$after: String) {
  webhookDeliveries(filter: \$filter, first: 25, after: \$after) {
    nodes {
      id
      eventid
      client {
        id
        name
      }
      kind
      transactionId
      status
      attempts
      lastStatus
      lastError
      nextAttemptAt
      createdAt
      deliveredAt
      notificationUrl
      attemptLog {
        at
        status
        durationMs
        error
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
    totalCount
  }
}` as GraphDocument<DeliveriesQuery, DeliveriesQueryVariables>

export const PartnersDocument = `query Partners(\$after: String) {
  partners(first: 100, after: \$after) {
    nodes {
      id
      name
      active
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}` as GraphDocument<PartnersQuery, PartnersQueryVariables>

export const LimitsDocument = `query Limits(\$clients: [String!]) {
  clientLimits(clients: \$clients) {
    client {
      id
      name
      active
    }
    currencies
    maxAmount
    monthlyAmount
    maxPoints
    monthlyPoints
    quotas {
      name
      limit
      left
    }
  }
}` as GraphDocument<LimitsQuery, LimitsQueryVariables>

export const MonthlyLeftDocument = `query MonthlyLeft(\$clients: [String!], \$account: String, \$number: PhoneNumber) {
  clientLimits(clients: \$clients) {
    monthlyUse(customerAccountNumber: \$account, mobileNumber: \$number) {
      kind
      currency
      used
      limit
      left
    }
  }
}` as GraphDocument<MonthlyLeftQuery, MonthlyLeftQueryVariables>

export const ActsDocument = `query Acts(\$filter: AuditLogFilter, \$after: String) {
  auditLog(filter: \$filter, first: 50, after: \$after) {
    nodes {
      at
      actor
      user
      correlator
      action
      target
      details
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}` as GraphDocument<ActsQuery, ActsQueryVariables>

export const RedeliverOneDocument = `mutation RedeliverOne(\$id: ID!) {
  redeliverWebhook(deliveryId: \$id) {
    id
    status
    nextAttemptAt
  }
}` as GraphDocument<RedeliverOneMutation, RedeliverOneMutationVariables>

export const RedeliverManyDocument = `mutation RedeliverMany(\$filter: RedeliverWebhooksFilter) {
  redeliverWebhooks(filter: \$filter)
}` as GraphDocument<RedeliverManyMutation, RedeliverManyMutationVariables>

export const SendTestDocument = `mutation SendTest(\$url: String!, \$kind: TransactionKind!, \$token: String, \$partner: String) {
  sendTestEvent(
    notificationUrl: \$url
    kind: \$kind
    notificationAuthToken: \$token
    partner: \$partner
  ) {
    at
    status
    durationMs
    error
  }
}` as GraphDocument<SendTestMutation, SendTestMutationVariables>

export const RotateSecretDocument = `mutation RotateSecret(\$hours: Int!, \$partner: String) {
  rotateWebhookSecret(overlapHours: \$hours, partner: \$partner) {
    secret
    previousEndsAt
  }
}` as GraphDocument<RotateSecretMutation, RotateSecretMutationVariables>

export const CancelDocument = `mutation Cancel(\$id: ID!, \$reason: String!) {
  cancelTransaction(id: \$id, reason: \$reason) {
    id
    outcome
  }
}` as GraphDocument<CancelMutation, CancelMutationVariables>

export const ReverseDocument = `mutation Reverse(\$id: ID!, \$reason: String!) {
  reverseTransaction(id: \$id, reason: \$reason) {
    id
    outcome
  }
}` as GraphDocument<ReverseMutation, ReverseMutationVariables>

export const RecentEventsDocument = `query RecentEvents {
  latestEventCursor
  events(first: 20) {
    nodes {
      cursor
      kind
      eventType
      eventTime
      transaction {
        id
        reason
      }
    }
  }
}` as GraphDocument<RecentEventsQuery, RecentEventsQueryVariables>
