/** Generated from schema/ by `npm run codegen`; do not edit. */
import type { Decimal } from '../../core/values/money.ts';
import type { GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { TransactionReference } from './kinds.ts';
import type { EventConnection } from '../../core/events/read.ts';
import type { EventRow } from '../../core/events/event.ts';
import type { DeliveryRow, DeliveryConnection } from '../../core/webhooks/deliveries.ts';
import type { InterventionRow } from '../../core/transactions/settle/intervene.ts';
import type { SubscriberEntity, CustomerEntity } from '../../core/graph/directory-fields.ts';
import type { PartnerPage } from '../../core/access/partners.ts';
import type { AccessRow, AccessPage } from '../../core/audit/access-records.ts';
import type { ActRow, ActPage } from '../../core/audit/acts.ts';
import type { TimelinePage } from './timeline/read.ts';
import type { SelectedEntry } from './timeline/entry.ts';
import type { SummaryRow } from './summary/row.ts';
import type { RequestRow, RequestPage } from '../../core/requests/read.ts';
import type { RequestSumRow } from '../../core/requests/sums.ts';
import type { ClientTerms } from './limits.ts';
import type { EndpointRow } from '../../core/webhooks/endpoints.ts';
import type { JourneyView } from './journey/journey.ts';
import type { JourneyStepView } from './journey/step.ts';
import type { GraphContext } from '../../core/graph/loaders.ts';
import type { Maybe, InputMaybe, Omit, RequireFields, EnumResolverSignature, Scalars, CardType, Characteristic, CharacteristicInput, CreditCardDetails, CreditCardDetailsInput, Eligibility, EventStatus, EventType, Intervention, InterventionAction, LineScope, Money, Outcome, PageInfo, Partner, PaymentMethod, Role, TransactionFilter, TransactionKind, TransactionOrder, Webhook, WebhookAttempt, WebhookDelivery, WebhookDeliveryStatus, WebhookInput, ResolverTypeWrapper, ReferenceResolver, GraphQLRecursivePick, Resolver, SubscriptionResolver, TypeResolveFn, IsTypeOfResolverFn } from '../../core/graph/common.generated.ts';

/** One operation of a client reached one customer or subscriber. */
export type AccessRecord = {
  __typename?: 'AccessRecord';
  /** When the request came. */
  at: Scalars['DateTime']['output'];
  /** The client that sent it. */
  client: Partner;
  /** The `x-correlator` of the request. */
  correlator: Scalars['String']['output'];
  /** Name of the operation: of the graph's as the client named it, of REST its `operationId`; null for one without a name. */
  operation?: Maybe<Scalars['String']['output']>;
  /**
   * Account number, subscriber (`+968…`), or `*` for what shows everybody: a timeline without an owner, an export, a list or a
   * stream of events that names nobody.
   */
  subject: Scalars['String']['output'];
  /** The person behind it: the `sub` of an outside issuer's token, or the `x-acting-user` of a portal; null where it said none. */
  user?: Maybe<Scalars['String']['output']>;
};

/** A page of access records. */
export type AccessRecordConnection = {
  __typename?: 'AccessRecordConnection';
  /** Records with their cursors. */
  edges: Array<AccessRecordEdge>;
  /** The records alone. */
  nodes: Array<AccessRecord>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are on all pages. */
  totalCount: Scalars['Int']['output'];
};

/** An access record in a connection. */
export type AccessRecordEdge = {
  __typename?: 'AccessRecordEdge';
  /** Where it stands; pass it as `after`. */
  cursor: Scalars['String']['output'];
  /** The record. */
  node: AccessRecord;
};

/** Conditions that narrow access records; fields that are given must all hold. */
export type AccessRecordFilter = {
  /** Only by this client. */
  client?: InputMaybe<Scalars['String']['input']>;
  /** Only at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of this account number, of this subscriber (`+968…`), or with `*` of what shows everybody. */
  subject?: InputMaybe<Scalars['String']['input']>;
  /** Only at or before this instant; a date is the end of that day. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only by this person, as the client named it. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/**
 * Sums of the transactions of one period, and of one group within it. Only periods and groups with transactions
 * are listed, periods oldest first unless asked otherwise.
 */
export type ActivitySummary = {
  __typename?: 'ActivitySummary';
  /**
   * The exact sum of the money that was moved, by what was carried out. Null where no transaction of the group is about
   * money, and where they are in several currencies, which cannot be added: see `amounts`.
   */
  amount?: Maybe<Money>;
  /** The exact sums of the money that was moved, one for each currency. */
  amounts: Array<Money>;
  /**
   * The average of the money that was moved, rounded half up to the decimals of the currency. Null where `amount` is, and where
   * nothing was carried out.
   */
  average?: Maybe<Money>;
  /** Set when grouped by CATEGORY; null for transactions of no account, and for accounts without one. */
  category?: Maybe<Scalars['String']['output']>;
  /** Set when grouped by CHANNEL; null for transactions without one. */
  channel?: Maybe<Scalars['String']['output']>;
  /** How many were carried out. */
  completed: Scalars['Int']['output'];
  /** How many transactions, whatever they came to. */
  count: Scalars['Int']['output'];
  /** Set when grouped by CURRENCY; null for transactions without money. */
  currency?: Maybe<Scalars['Currency']['output']>;
  /** Set when grouped by CUSTOMER; null for transactions of no account. */
  customer?: Maybe<Customer>;
  /** How many different customer accounts the transactions are of, whatever they came to. */
  customers: Scalars['Int']['output'];
  /** How many were refused or failed. */
  failed: Scalars['Int']['output'];
  /** `failed` as a part of `count`, from 0 to 1. */
  failureRate: Scalars['Float']['output'];
  /** Set when grouped by KIND. */
  kind?: Maybe<TransactionKind>;
  /** The largest amount that was moved. Null where `average` is. */
  max?: Maybe<Money>;
  /** Set when grouped by MERCHANT; null for transactions without one. */
  merchant?: Maybe<Scalars['String']['output']>;
  /** Set when grouped by OUTCOME. */
  outcome?: Maybe<Outcome>;
  /** The least amount that half of what was carried out did not exceed: the median, one of the amounts. Null where `average` is. */
  p50?: Maybe<Money>;
  /** The least amount that 95 in 100 of what was carried out did not exceed. Null where `average` is. */
  p95?: Maybe<Money>;
  /** Set when grouped by PARTNER. */
  partner?: Maybe<Partner>;
  /** Set when grouped by PAYMENT_METHOD; null for transactions without one. */
  paymentMethod?: Maybe<Scalars['String']['output']>;
  /**
   * The first day of the period, `YYYY-MM-DD`; that day, its week, month, quarter or year, also where `from` lies within it. By
   * ALL the day of `from`; without `from` the first day that anything of the summary is of. By HOUR_OF_DAY the hour, `00` to `23`;
   * by DAY_OF_WEEK the day, `1` (Monday) to `7` (Sunday), as ISO 8601 numbers them.
   */
  period: Scalars['String']['output'];
  /** The exact sum of the points that were moved, by what was carried out. Null where no transaction is about points. */
  points?: Maybe<Scalars['Decimal']['output']>;
  /** Set when grouped by PRODUCT; null for transactions without one. */
  product?: Maybe<Scalars['String']['output']>;
  /** Set when grouped by REASON; null for transactions that are pending. */
  reason?: Maybe<Scalars['String']['output']>;
  /**
   * Milliseconds in which half of what has settled, however it ended, had its final status. Null where nothing has, and for
   * transactions that an earlier version put into the timeline, until it is rebuilt.
   */
  settledP50Ms?: Maybe<Scalars['Float']['output']>;
  /** Milliseconds in which 95 in 100 of what has settled had its final status. */
  settledP95Ms?: Maybe<Scalars['Float']['output']>;
};

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
  /** The result of an operation of the graph was exported as a file. */
  | 'RESULT_EXPORTED'
  /** Secrets were encrypted with another `SECRETS_KEY`. */
  | 'SECRETS_ENCRYPTED_ANEW'
  /** A client got a new secret. */
  | 'SECRET_ROTATED'
  /** A new key to sign tokens with was made, or one to sign webhooks with; `details` say which. */
  | 'SIGNING_KEY_ROTATED'
  /** A secret or a token was refused; `details` has how often, from when to when. */
  | 'SIGN_IN_REFUSED'
  /** A summary was exported as a file. */
  | 'SUMMARY_EXPORTED'
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

/** Something that a client or an administrator did. An entry is never changed and never removed. */
export type AuditEntry = {
  __typename?: 'AuditEntry';
  /** Kind of act. */
  action: AuditAction;
  /** The client that did it, or `cli:<user>` for the command line; `-` where no client was known. */
  actor: Scalars['String']['output'];
  /** When it was done. */
  at: Scalars['DateTime']['output'];
  /** The `x-correlator` of the request; null for the command line. */
  correlator?: Maybe<Scalars['String']['output']>;
  /** Further facts as a JSON object. It holds no secret. */
  details: Scalars['String']['output'];
  /** Client, transaction, delivery or file that it was done to. */
  target?: Maybe<Scalars['String']['output']>;
  /** The person behind the client, as far as the client says. */
  user?: Maybe<Scalars['String']['output']>;
};

/** A page of the log of acts. */
export type AuditLogConnection = {
  __typename?: 'AuditLogConnection';
  /** Acts with their cursors. */
  edges: Array<AuditLogEdge>;
  /** The acts alone. */
  nodes: Array<AuditEntry>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are on all pages. */
  totalCount: Scalars['Int']['output'];
};

/** An act in a connection. */
export type AuditLogEdge = {
  __typename?: 'AuditLogEdge';
  /** Where it stands; pass it as `after`. */
  cursor: Scalars['String']['output'];
  /** The act. */
  node: AuditEntry;
};

/** Conditions that narrow the log of acts; fields that are given must all hold. */
export type AuditLogFilter = {
  /** Only of this kind. */
  action?: InputMaybe<AuditAction>;
  /** Only by this client, or by this user of the command line (`cli:<name>`). */
  actor?: InputMaybe<Scalars['String']['input']>;
  /** Only done at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only on this client, transaction, delivery or file. */
  target?: InputMaybe<Scalars['String']['input']>;
  /** Only done at or before this instant; a date is the end of that day. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A client of the graph, as its token says. */
export type Client = {
  __typename?: 'Client';
  /** The client id. */
  id: Scalars['ID']['output'];
  /** The name it is known by; the id if it has none. */
  name: Scalars['String']['output'];
  /** Its role. */
  role: Role;
};

/** Limits of a client, and what is left of them. */
export type ClientLimits = {
  __typename?: 'ClientLimits';
  /** The client. */
  client: Partner;
  /** Currencies in which it may post. */
  currencies: Array<Scalars['Currency']['output']>;
  /** The most money that it may post at once; null without a limit. */
  maxAmount?: Maybe<Scalars['Decimal']['output']>;
  /** The most points that it may post at once; null without a limit. */
  maxPoints?: Maybe<Scalars['Decimal']['output']>;
  /** The most money a month that it may post for one customer, in each currency; null without a limit. */
  monthlyAmount?: Maybe<Scalars['Decimal']['output']>;
  /** The most points a month that it may post for one number, for rewards and for redemptions each; null without a limit. */
  monthlyPoints?: Maybe<Scalars['Decimal']['output']>;
  /** Its use of this month for one customer, of the kinds with a monthly limit. */
  monthlyUse?: Maybe<Array<MonthlyUse>>;
  /** Its use of the process that answers, and the limits on it. */
  quotas: Array<ClientQuota>;
};

/** Limits of a client, and what is left of them. */
export type ClientLimitsMonthlyUseArgs = {
  customerAccountNumber?: InputMaybe<Scalars['String']['input']>;
  mobileNumber?: InputMaybe<Scalars['PhoneNumber']['input']>;
};

/** A limit on a client's use of one process. */
export type ClientQuota = {
  __typename?: 'ClientQuota';
  /**
   * Rest of it now, in the process that answers: there may be more of them. Null of `WEBHOOKS_IN_FLIGHT`, which other
   * processes count.
   */
  left?: Maybe<Scalars['Int']['output']>;
  /** The limit. */
  limit: Scalars['Int']['output'];
  /** Name of the limit. */
  name: QuotaName;
};

/** A request of a client, as the server answered it. Bodies, query strings and tokens are not kept. */
export type ClientRequest = {
  __typename?: 'ClientRequest';
  /** When it arrived; a stream when it began. */
  at: Scalars['DateTime']['output'];
  /** The client; null where no valid token or secret was shown. */
  client?: Maybe<Partner>;
  /** The code of its first error, as `extensions.code` and the `ErrorInfo` have it; null where it has none. */
  code?: Maybe<Scalars['String']['output']>;
  /** Its `x-correlator`; operations of one WebSocket have the same. */
  correlator: Scalars['String']['output'];
  /** How long it took, in milliseconds; a stream until it ended. */
  durationMs: Scalars['Float']['output'];
  /** The field that its first error names. */
  field?: Maybe<Scalars['String']['output']>;
  /** Its id in the log. */
  id: Scalars['ID']['output'];
  /**
   * The contract's operationId, the name of the operation of the graph or the id of a trusted document, or the path's pattern; null
   * for an operation of the graph without a name.
   */
  operation?: Maybe<Scalars['String']['output']>;
  /** The reason of its first error. */
  reason?: Maybe<Scalars['String']['output']>;
  /** The HTTP status, 499 where the client left before its response. Over WebSocket the status of the first error, or 200. */
  status: Scalars['Int']['output'];
  /** The transaction that it posted, or that stood in its way. */
  transaction?: Maybe<Transaction>;
  /** Way by which it came. */
  via: RequestWay;
  /**
   * How many requests the row stands for: above 1 where more came than were kept one by one, which were alike in client, way,
   * operation, status, code, reason and field.
   */
  weight: Scalars['Int']['output'];
};

/** A page of requests. */
export type ClientRequestConnection = {
  __typename?: 'ClientRequestConnection';
  /** Requests with their cursors. */
  edges: Array<ClientRequestEdge>;
  /** The requests alone. */
  nodes: Array<ClientRequest>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many rows there are on all pages. */
  totalCount: Scalars['Int']['output'];
};

/** A request in a connection. */
export type ClientRequestEdge = {
  __typename?: 'ClientRequestEdge';
  /** Where it stands; pass it as `after` or `before`. */
  cursor: Scalars['String']['output'];
  /** The request. */
  node: ClientRequest;
};

/** A customer account, with what happened on it and on all its numbers. */
export type Customer = {
  __typename?: 'Customer';
  /** The account number. */
  customerAccountNumber: Scalars['String']['output'];
  /** Sums of the transactions of this account and of its numbers, period by period. */
  summary?: Maybe<Array<ActivitySummary>>;
  /**
   * Everything posted against this account, and against each of its mobile numbers while it was this account's, in the
   * order of time.
   */
  timeline?: Maybe<TimelineConnection>;
};

/** A customer account, with what happened on it and on all its numbers. */
export type CustomerSummaryArgs = {
  by?: SummaryPeriod;
  channels?: InputMaybe<Array<Scalars['String']['input']>>;
  customers?: InputMaybe<Array<Scalars['String']['input']>>;
  first?: InputMaybe<Scalars['Int']['input']>;
  firstPerPeriod?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  groupBy?: InputMaybe<Array<SummaryGroup>>;
  kinds?: InputMaybe<Array<TransactionKind>>;
  merchant?: InputMaybe<Scalars['String']['input']>;
  merchants?: InputMaybe<Array<Scalars['String']['input']>>;
  orderBy?: InputMaybe<SummaryOrder>;
  postedBy?: InputMaybe<Scalars['String']['input']>;
  reasons?: InputMaybe<Array<Scalars['String']['input']>>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A customer account, with what happened on it and on all its numbers. */
export type CustomerTimelineArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TimelineFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

/** Health of a client's endpoint, kept for all processes. */
export type EndpointHealth =
  /** Three attempts in a row have failed, and none has succeeded since. */
  | 'FAILING'
  /** It takes what is sent, or nothing was sent yet. */
  | 'HEALTHY'
  /** It is paused on request: nothing is sent, and nothing is lost. */
  | 'PAUSED';

/** Conditions that narrow events; fields that are given must all hold. */
export type EventFilter = {
  /** Only of this customer account. */
  customerAccountNumber?: InputMaybe<Scalars['String']['input']>;
  /** Only of these types. */
  eventTypes?: InputMaybe<Array<EventType>>;
  /** Only those that happened at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of the transaction with this id, of whichever kind. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** Only of these kinds. */
  kinds?: InputMaybe<Array<TransactionKind>>;
  /**
   * Only what names this mobile number. A payment that was posted without one is its account's: what the line's page shows
   * with its account is followed by `customerAccountNumber`.
   */
  mobileNumber?: InputMaybe<Scalars['PhoneNumber']['input']>;
  /** Only those that happened at or before this instant; a date is the end of that day. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Everything that became of a request, or of a transaction. */
export type Journey = {
  __typename?: 'Journey';
  /** The deliveries of these events to webhooks, the oldest first. */
  deliveries: Array<WebhookDelivery>;
  /** The events of these transactions, the oldest first. */
  events: Array<TransactionEvent>;
  /** Whether there are more transactions or requests with this correlator, which the journey leaves out: older ones. */
  hasMore: Scalars['Boolean']['output'];
  /**
   * The request that posted `transaction`; else the newest with the correlator. Null where the log keeps none any more, and for
   * tokens that are bound to a phone number.
   */
  request?: Maybe<ClientRequest>;
  /** All requests that the journey is of, the newest first: those with the correlator, and those that posted its transactions or that these stood in the way of. */
  requests: Array<ClientRequest>;
  /** Steps in the order of time. */
  steps: Array<JourneyStep>;
  /** The transaction; of several the newest. Null for a request that posted none. */
  transaction?: Maybe<Transaction>;
  /** All transactions that the journey is of, the newest first. */
  transactions: Array<Transaction>;
};

/** One step of a journey. */
export type JourneyStep = {
  __typename?: 'JourneyStep';
  /** When it happened, or began. */
  at: Scalars['DateTime']['output'];
  /** How long it took, in milliseconds; null for what has no length, and for what has not ended. */
  durationMs?: Maybe<Scalars['Int']['output']>;
  /** Kind of the step. */
  kind: JourneyStepKind;
  /** Milliseconds since the step before; null for the first. */
  sincePreviousMs?: Maybe<Scalars['Int']['output']>;
  /** One sentence that says what happened. */
  text: Scalars['String']['output'];
  /** The transaction that it is of; null for a request that posted none. */
  transactionId?: Maybe<Scalars['ID']['output']>;
};

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

export type Message = Transaction & {
  __typename?: 'Message';
  /** The same as `otlTransactionId`. */
  id: Scalars['ID']['output'];
  /** Its id. */
  otlTransactionId: Scalars['ID']['output'];
};

/** Use of a monthly limit of a client by one customer. */
export type MonthlyUse = {
  __typename?: 'MonthlyUse';
  /** The currency; null for points. */
  currency?: Maybe<Scalars['Currency']['output']>;
  /** Kind of the transactions; each is counted by itself. */
  kind: TransactionKind;
  /** The part that is left. */
  left: Scalars['Decimal']['output'];
  /** The limit. */
  limit: Scalars['Decimal']['output'];
  /** The part that is used, pending transactions included. */
  used: Scalars['Decimal']['output'];
};

export type Mutation = {
  __typename?: 'Mutation';
  /**
   * Ends a transaction before it is carried out: a payment, reward or redemption that is pending. It becomes `cancelled`, with
   * an event, and its partner reads why. What is cancelled already is answered as it is. For portals.
   */
  cancelTransaction?: Maybe<Transaction>;
  /**
   * Sends a webhook again: one that has ended begins its attempts anew, one that waits is due at once. Partners their own,
   * portals all.
   */
  redeliverWebhook?: Maybe<WebhookDelivery>;
  /**
   * Sends webhooks again as `redeliverWebhook` does, the oldest first, at most 1,000 with each call, and says how many: call
   * it again, with the same `lastAttemptUntil`, until it says 0. Partners their own, portals all.
   */
  redeliverWebhooks?: Maybe<Scalars['Int']['output']>;
  /**
   * Takes back a reward or a redemption that was carried out, and its points with it. It becomes `reversed`, with an event,
   * and its partner reads why. Refused where the points of a reward were spent. What is reversed already is answered as
   * it is. For portals.
   */
  reverseTransaction?: Maybe<Transaction>;
  /**
   * Gives a new secret for signing webhooks, shown this once. Those before sign along for as many hours, each with a signature
   * of its own in `webhook-signature`; then the new one signs alone. Partners their own, portals a partner's.
   */
  rotateWebhookSecret?: Maybe<RotatedWebhookSecret>;
  /**
   * Sends a test event to `<notificationUrl>/eventNotifications` now, signed as events of this kind are, and says what became
   * of it. The transaction's id in it is all zeros, and nothing is kept. For partners and portals.
   */
  sendTestEvent?: Maybe<WebhookAttempt>;
};

export type MutationCancelTransactionArgs = {
  id: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type MutationRedeliverWebhookArgs = {
  deliveryId: Scalars['ID']['input'];
};

export type MutationRedeliverWebhooksArgs = {
  filter?: InputMaybe<RedeliverWebhooksFilter>;
};

export type MutationReverseTransactionArgs = {
  id: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type MutationRotateWebhookSecretArgs = {
  overlapHours?: InputMaybe<Scalars['Int']['input']>;
  partner?: InputMaybe<Scalars['String']['input']>;
};

export type MutationSendTestEventArgs = {
  kind: TransactionKind;
  notificationAuthToken?: InputMaybe<Scalars['String']['input']>;
  notificationUrl: Scalars['String']['input'];
  partner?: InputMaybe<Scalars['String']['input']>;
};

/** From which end an order goes. */
export type OrderDirection =
  /** The least first. */
  | 'ASC'
  /** The most, or the latest, first. */
  | 'DESC';

/** A page of partners. */
export type PartnerConnection = {
  __typename?: 'PartnerConnection';
  /** Partners with their cursors. */
  edges: Array<PartnerEdge>;
  /** The partners alone. */
  nodes: Array<Partner>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are on all pages. */
  totalCount: Scalars['Int']['output'];
};

/** A partner in a connection. */
export type PartnerEdge = {
  __typename?: 'PartnerEdge';
  /** Where it stands; pass it as `after`. */
  cursor: Scalars['String']['output'];
  /** The partner. */
  node: Partner;
};

export type Payment = Transaction & {
  __typename?: 'Payment';
  /** The same as `paymentId`. */
  id: Scalars['ID']['output'];
  /** Its id. */
  paymentId: Scalars['ID']['output'];
};

export type Query = {
  __typename?: 'Query';
  /**
   * Looks at personal data, the newest first: each customer and subscriber that an operation of a client reached, with the person
   * behind the client. For auditors alone, whose token is bound to no number.
   */
  accessRecords?: Maybe<AccessRecordConnection>;
  /**
   * Acts with their actors, the newest first: administration of clients, imports, interventions, webhooks sent again, test events,
   * rotated secrets, exports, refused sign-ins. For portals and auditors whose token is bound to no number.
   */
  auditLog?: Maybe<AuditLogConnection>;
  /**
   * Limits of clients, and what is left of them, in the order of their ids as given. Partners their own, portals and analysts any
   * client's. Not for tokens that are bound to a phone number.
   */
  clientLimits?: Maybe<Array<ClientLimits>>;
  /** The events you may see, newest first: what happened, and the cursors from which subscriptions can resume. */
  events?: Maybe<TransactionEventConnection>;
  /**
   * The whole journey of a request, or of a transaction: the request itself, refused ones too, its charging calls, interventions,
   * events, and every attempt of its webhooks, in order of time. Null where there is nothing that you may see.
   */
  journey?: Maybe<Journey>;
  /**
   * Where the event log stands: read it together with some state, then subscribe `after` it, and nothing that happens in
   * between is missed.
   */
  latestEventCursor?: Maybe<Scalars['String']['output']>;
  /** The client that asks. */
  me?: Maybe<Client>;
  /** The partners, by their ids. For portals and analysts whose token is bound to no number. */
  partners?: Maybe<PartnerConnection>;
  /**
   * Sums of the refused requests that you may see, period by period, within a period the most frequent first: what a client is
   * refused, for which reason, by which field. Not for tokens that are bound to a phone number.
   */
  requestSummary?: Maybe<Array<RequestSum>>;
  /**
   * Requests of clients, the newest first, refused ones too: partners see their own, portals and analysts all. They are kept
   * for some weeks, and stand here a second or two after their end. Not for tokens that are bound to a phone number.
   */
  requests?: Maybe<ClientRequestConnection>;
  /**
   * Sums of the transactions you may see, period by period. A token that is bound to a phone number sees that
   * number's.
   */
  summary?: Maybe<Array<ActivitySummary>>;
  /** Everything you may see, of all kinds, in the order of time. A token that is bound to a phone number sees that number's. */
  timeline?: Maybe<TimelineConnection>;
  /** The transaction with this id, of whichever kind; null when there is none that you may see. */
  transaction?: Maybe<Transaction>;
  /** Events on their way to webhooks, as far as you may see them, newest first. */
  webhookDeliveries?: Maybe<WebhookDeliveryConnection>;
  /**
   * Webhook endpoints in trouble: those that have deliveries to repeat, or dead ones; where the most have died first. At most 200,
   * of the newest 10,000 dead deliveries and of 20,000 to repeat. Partners their own, portals all.
   */
  webhookEndpoints?: Maybe<Array<WebhookEndpoint>>;
};

export type QueryAccessRecordsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<AccessRecordFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

export type QueryAuditLogArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<AuditLogFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

export type QueryClientLimitsArgs = {
  clients?: InputMaybe<Array<Scalars['String']['input']>>;
};

export type QueryEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

export type QueryJourneyArgs = {
  correlator?: InputMaybe<Scalars['String']['input']>;
  transactionId?: InputMaybe<Scalars['ID']['input']>;
};

export type QueryPartnersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

export type QueryRequestSummaryArgs = {
  by?: RequestPeriod;
  client?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  groupBy?: InputMaybe<Array<RequestGroup>>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

export type QueryRequestsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RequestFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

export type QuerySummaryArgs = {
  by?: SummaryPeriod;
  channels?: InputMaybe<Array<Scalars['String']['input']>>;
  customers?: InputMaybe<Array<Scalars['String']['input']>>;
  first?: InputMaybe<Scalars['Int']['input']>;
  firstPerPeriod?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  groupBy?: InputMaybe<Array<SummaryGroup>>;
  kinds?: InputMaybe<Array<TransactionKind>>;
  merchant?: InputMaybe<Scalars['String']['input']>;
  merchants?: InputMaybe<Array<Scalars['String']['input']>>;
  orderBy?: InputMaybe<SummaryOrder>;
  postedBy?: InputMaybe<Scalars['String']['input']>;
  reasons?: InputMaybe<Array<Scalars['String']['input']>>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

export type QueryTimelineArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TimelineFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

export type QueryTransactionArgs = {
  id: Scalars['ID']['input'];
};

export type QueryWebhookDeliveriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<WebhookDeliveryFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

export type QueryWebhookEndpointsArgs = {
  client?: InputMaybe<Scalars['String']['input']>;
};

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

export type Recharge = Transaction & {
  __typename?: 'Recharge';
  /** The same as `rechargeId`. */
  id: Scalars['ID']['output'];
  /** Its id. */
  rechargeId: Scalars['ID']['output'];
};

/** Conditions for webhooks that are sent again; fields that are given must all hold. */
export type RedeliverWebhooksFilter = {
  /**
   * Only those that were last attempted at or before this instant, which must have come. What was sent again is later: so
   * each is sent again once, however often it is called. Required with DELIVERED.
   */
  lastAttemptUntil?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of this client's transactions. */
  partner?: InputMaybe<Scalars['String']['input']>;
  /** Only of events at or after this instant. */
  since?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only with this status; dead ones without it. Of those that wait, only what is not due already. */
  status?: InputMaybe<WebhookDeliveryStatus>;
  /** Only of events at or before this instant. */
  until?: InputMaybe<Scalars['DateTime']['input']>;
};

export type Redemption = Transaction & {
  __typename?: 'Redemption';
  /** The same as `redemptionId`. */
  id: Scalars['ID']['output'];
  /** Its id. */
  redemptionId: Scalars['ID']['output'];
};

/** Conditions that narrow requests; fields that are given must all hold. */
export type RequestFilter = {
  /** Only of this client. For portals and analysts; a partner sees only its own anyway. */
  client?: InputMaybe<Scalars['String']['input']>;
  /** Only with this error code. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Only with this `x-correlator`. */
  correlator?: InputMaybe<Scalars['String']['input']>;
  /** Only at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only with this operation. */
  operation?: InputMaybe<Scalars['String']['input']>;
  /** Only with this reason of an error. */
  reason?: InputMaybe<Scalars['String']['input']>;
  /** Only those that were refused, whatever their status, or with false only those that were not. */
  refused?: InputMaybe<Scalars['Boolean']['input']>;
  /** Only with this HTTP status. */
  status?: InputMaybe<Scalars['Int']['input']>;
  /** Only at or before this instant; a date is the end of that day. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only by this way. */
  via?: InputMaybe<RequestWay>;
};

/** Dimension by which sums of requests are parted within a period. */
export type RequestGroup =
  /** By client. */
  | 'CLIENT'
  /** By error code. */
  | 'CODE'
  /** By field. */
  | 'FIELD'
  /** By operation. */
  | 'OPERATION'
  /** By reason. */
  | 'REASON'
  /** By HTTP status. */
  | 'STATUS'
  /** By way. */
  | 'VIA';

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

/** Refused requests of a period; what was not grouped by is null. */
export type RequestSum = {
  __typename?: 'RequestSum';
  /** The client; null also for requests without a valid token. */
  client?: Maybe<Partner>;
  /** The error code. */
  code?: Maybe<Scalars['String']['output']>;
  /** How many requests were refused. */
  count: Scalars['Int']['output'];
  /** The field. */
  field?: Maybe<Scalars['String']['output']>;
  /** The operation. */
  operation?: Maybe<Scalars['String']['output']>;
  /** When the period begins; with ALL the first of the requests. */
  period: Scalars['DateTime']['output'];
  /** The reason. */
  reason?: Maybe<Scalars['String']['output']>;
  /** The HTTP status. */
  status?: Maybe<Scalars['Int']['output']>;
  /** The way. */
  via?: Maybe<RequestWay>;
};

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

export type Reward = Transaction & {
  __typename?: 'Reward';
  /** The same as `rewardId`. */
  id: Scalars['ID']['output'];
  /** Its id. */
  rewardId: Scalars['ID']['output'];
};

/** A new signing secret. */
export type RotatedWebhookSecret = {
  __typename?: 'RotatedWebhookSecret';
  /** When the one before ends; null when the new one signs alone. */
  previousEndsAt?: Maybe<Scalars['DateTime']['output']>;
  /** The secret (`whsec_…`); it is not shown again. */
  secret: Scalars['String']['output'];
};

/** A mobile number, with what happened on it. */
export type Subscriber = {
  __typename?: 'Subscriber';
  /** The number. */
  mobileNumber: Scalars['PhoneNumber']['output'];
  /** Sums of the transactions that its timeline shows, period by period. */
  summary?: Maybe<Array<ActivitySummary>>;
  /**
   * Everything posted against this number, of all kinds, in the order of time. A payment that was posted without a phone number
   * is its account's: it stands here where the account has this line alone, and with `include: ACCOUNT`.
   */
  timeline?: Maybe<TimelineConnection>;
};

/** A mobile number, with what happened on it. */
export type SubscriberSummaryArgs = {
  by?: SummaryPeriod;
  channels?: InputMaybe<Array<Scalars['String']['input']>>;
  customers?: InputMaybe<Array<Scalars['String']['input']>>;
  first?: InputMaybe<Scalars['Int']['input']>;
  firstPerPeriod?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  groupBy?: InputMaybe<Array<SummaryGroup>>;
  include?: InputMaybe<LineScope>;
  kinds?: InputMaybe<Array<TransactionKind>>;
  merchant?: InputMaybe<Scalars['String']['input']>;
  merchants?: InputMaybe<Array<Scalars['String']['input']>>;
  orderBy?: InputMaybe<SummaryOrder>;
  postedBy?: InputMaybe<Scalars['String']['input']>;
  reasons?: InputMaybe<Array<Scalars['String']['input']>>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A mobile number, with what happened on it. */
export type SubscriberTimelineArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TimelineFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  include?: InputMaybe<LineScope>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

export type Subscription = {
  __typename?: 'Subscription';
  /** Transactions of any kind that reach a final status, as they do; of those you may see. */
  transactionEvents: TransactionEvent;
};

export type SubscriptionTransactionEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilter>;
};

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
  direction?: OrderDirection;
  /** Order of the rows. */
  field: SummaryOrderField;
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

/** A page of a timeline. */
export type TimelineConnection = {
  __typename?: 'TimelineConnection';
  /** The entries with their cursors. */
  edges: Array<TimelineEdge>;
  /** The entries alone. */
  nodes: Array<TimelineEntry>;
  /** Where the page stands. */
  pageInfo: PageInfo;
  /** How many match in all. */
  totalCount: Scalars['Int']['output'];
};

/** An entry in its place. */
export type TimelineEdge = {
  __typename?: 'TimelineEdge';
  /** Its place; pass it as `after` or `before`. */
  cursor: Scalars['String']['output'];
  /** The entry. */
  node: TimelineEntry;
};

/** One transaction as it appears in a timeline: moments after it is posted, then with what it has come to. */
export type TimelineEntry = {
  __typename?: 'TimelineEntry';
  /** The money it moves, if it moves any. */
  amount?: Maybe<Money>;
  /** One line that says what it is, e.g. `Payment of 12.500 OMR on account 100001: Monthly bill`. */
  description: Scalars['String']['output'];
  /** Kind of the transaction. */
  kind: TransactionKind;
  /** When it was created. */
  occurredAt: Scalars['DateTime']['output'];
  /** Outcome so far. */
  outcome: Outcome;
  /** The points it moves, if it moves any. */
  points?: Maybe<Scalars['Decimal']['output']>;
  /** The transaction itself, with every field its service has; null, with an error, while its service cannot be reached. */
  transaction?: Maybe<Transaction>;
};

/** Conditions that narrow a timeline; fields that are given must all hold. */
export type TimelineFilter = {
  /** Only what names one of these channels, at most 200, as a summary grouped by CHANNEL shows them. */
  channels?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Only what was posted by a request with exactly this `x-correlator`. */
  correlator?: InputMaybe<Scalars['String']['input']>;
  /** Only of these customer accounts, at most 200. */
  customers?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Only created at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of these kinds. */
  kinds?: InputMaybe<Array<TransactionKind>>;
  /** Only money of at most this amount, in whichever currency; what moves no money is left out. */
  maxAmount?: InputMaybe<Scalars['Decimal']['input']>;
  /** Only what names this merchant, as a summary grouped by MERCHANT shows it. */
  merchant?: InputMaybe<Scalars['String']['input']>;
  /** Only what names one of these merchants, at most 200. */
  merchants?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Only money of at least this amount, in whichever currency; what moves no money is left out. */
  minAmount?: InputMaybe<Scalars['Decimal']['input']>;
  /** Only with one of these outcomes. */
  outcomes?: InputMaybe<Array<Outcome>>;
  /** Only posted by this client. For portals and analysts; a partner sees only its own anyway. */
  postedBy?: InputMaybe<Scalars['String']['input']>;
  /** Only what ended for one of these reasons, at most 200, as a summary grouped by REASON shows them. */
  reasons?: InputMaybe<Array<Scalars['String']['input']>>;
  /**
   * Only those in which each of these words is found as the beginning of a word of the description, merchant, channel,
   * reference code, account number or mobile number (digits with country code), or as the beginning of the
   * `clientCorrelatorId` or the `x-correlator`. Case does not matter. Of words that are joined by other signs than blanks
   * (`a-b`) all but the last are whole words.
   */
  text?: InputMaybe<Scalars['String']['input']>;
  /** Only created at or before this instant; a date is the end of that day. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A transaction of any kind, resolved by the subgraph that owns it. */
export type Transaction = {
  /** The contract's own id. */
  id: Scalars['ID']['output'];
};

/** A transaction of some kind reached a final status. */
export type TransactionEvent = {
  __typename?: 'TransactionEvent';
  /** Where it stands in the event log; pass it as `after` to resume behind it. The same in every subscription. */
  cursor: Scalars['String']['output'];
  /** One sentence; on failure the reason. */
  description: Scalars['String']['output'];
  /** When it happened. */
  eventTime: Scalars['DateTime']['output'];
  /** Type of the event. */
  eventType: EventType;
  /** The id of the event. */
  eventid: Scalars['ID']['output'];
  /** Of which kind the transaction is. */
  kind: TransactionKind;
  /** Whether it succeeded. */
  status: EventStatus;
  /** The transaction itself, as it is now. */
  transaction?: Maybe<Transaction>;
};

/** A page of events. */
export type TransactionEventConnection = {
  __typename?: 'TransactionEventConnection';
  /** Events with their cursors. */
  edges: Array<TransactionEventEdge>;
  /** The events alone. */
  nodes: Array<TransactionEvent>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are on all pages. */
  totalCount: Scalars['Int']['output'];
};

/** An event in a connection. */
export type TransactionEventEdge = {
  __typename?: 'TransactionEventEdge';
  /** Where it stands in the event log. */
  cursor: Scalars['String']['output'];
  /** The event. */
  node: TransactionEvent;
};

/** A page of deliveries. */
export type WebhookDeliveryConnection = {
  __typename?: 'WebhookDeliveryConnection';
  /** Deliveries with their cursors. */
  edges: Array<WebhookDeliveryEdge>;
  /** The deliveries alone. */
  nodes: Array<WebhookDelivery>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are on all pages. */
  totalCount: Scalars['Int']['output'];
};

/** A delivery in a connection. */
export type WebhookDeliveryEdge = {
  __typename?: 'WebhookDeliveryEdge';
  /** Where it stands; pass it as `after` or `before`. */
  cursor: Scalars['String']['output'];
  /** The delivery. */
  node: WebhookDelivery;
};

/** Conditions that narrow deliveries; fields that are given must all hold. */
export type WebhookDeliveryFilter = {
  /** Only of this client's transactions. */
  clientId?: InputMaybe<Scalars['String']['input']>;
  /** Only of events at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of transactions of this kind. */
  kind?: InputMaybe<TransactionKind>;
  /** Only with this status. */
  status?: InputMaybe<WebhookDeliveryStatus>;
  /** Only of events at or before this instant; a date is the end of that day. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of this transaction. */
  transactionId?: InputMaybe<Scalars['ID']['input']>;
};

/** A webhook endpoint of a client that has deliveries to repeat, or dead ones. */
export type WebhookEndpoint = {
  __typename?: 'WebhookEndpoint';
  /** The client. */
  client: Partner;
  /** How many deliveries are dead. */
  dead: Scalars['Int']['output'];
  /** Its health; changes are events of the account, at `/partner/v1/events`. */
  health: EndpointHealth;
  /** Since when it has that health; null where it never had another. */
  healthSince?: Maybe<Scalars['DateTime']['output']>;
  /** When one of them was last attempted. */
  lastAttemptAt?: Maybe<Scalars['DateTime']['output']>;
  /** Why it failed then, without any part of the address. */
  lastError?: Maybe<Scalars['String']['output']>;
  /** The HTTP status of the answer then; null when there was none. */
  lastStatus?: Maybe<Scalars['Int']['output']>;
  /** When one is attempted next, at the earliest; null when none is to be. */
  nextAttemptAt?: Maybe<Scalars['DateTime']['output']>;
  /** Scheme, host and port of the endpoint. */
  origin: Scalars['String']['output'];
  /** How many deliveries have failed and wait to be repeated. */
  retrying: Scalars['Int']['output'];
};

/** Mapping of federation types */
export type FederationTypes = {
  Customer: Customer;
  Subscriber: Subscriber;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Customer:
    ( { __typename: 'Customer' }
    & GraphQLRecursivePick<FederationTypes['Customer'], {"customerAccountNumber":true}> );
  Subscriber:
    ( { __typename: 'Subscriber' }
    & GraphQLRecursivePick<FederationTypes['Subscriber'], {"mobileNumber":true}> );
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AccessRecord: ResolverTypeWrapper<AccessRow>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  AccessRecordConnection: ResolverTypeWrapper<AccessPage>;
  AccessRecordEdge: ResolverTypeWrapper<Omit<AccessRecordEdge, 'node'> & { node: ResolversTypes['AccessRecord'] }>;
  AccessRecordFilter: AccessRecordFilter;
  ActivitySummary: ResolverTypeWrapper<SummaryRow>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  AuditAction: AuditAction;
  AuditEntry: ResolverTypeWrapper<ActRow>;
  AuditLogConnection: ResolverTypeWrapper<ActPage>;
  AuditLogEdge: ResolverTypeWrapper<Omit<AuditLogEdge, 'node'> & { node: ResolversTypes['AuditEntry'] }>;
  AuditLogFilter: AuditLogFilter;
  CardType: CardType;
  Characteristic: ResolverTypeWrapper<Characteristic>;
  CharacteristicInput: CharacteristicInput;
  Client: ResolverTypeWrapper<Client>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  ClientLimits: ResolverTypeWrapper<ClientTerms>;
  ClientQuota: ResolverTypeWrapper<ClientQuota>;
  ClientRequest: ResolverTypeWrapper<RequestRow>;
  ClientRequestConnection: ResolverTypeWrapper<RequestPage>;
  ClientRequestEdge: ResolverTypeWrapper<Omit<ClientRequestEdge, 'node'> & { node: ResolversTypes['ClientRequest'] }>;
  CreditCardDetails: ResolverTypeWrapper<CreditCardDetails>;
  CreditCardDetailsInput: CreditCardDetailsInput;
  Currency: ResolverTypeWrapper<Scalars['Currency']['output']>;
  Customer: ResolverTypeWrapper<CustomerEntity>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  Eligibility: ResolverTypeWrapper<Eligibility>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  EndpointHealth: EndpointHealth;
  EventFilter: EventFilter;
  EventStatus: EventStatus;
  EventType: EventType;
  Intervention: ResolverTypeWrapper<InterventionRow>;
  InterventionAction: InterventionAction;
  Journey: ResolverTypeWrapper<JourneyView>;
  JourneyStep: ResolverTypeWrapper<JourneyStepView>;
  JourneyStepKind: JourneyStepKind;
  LineScope: LineScope;
  Message: ResolverTypeWrapper<Message>;
  Money: ResolverTypeWrapper<Money>;
  MonthlyUse: ResolverTypeWrapper<Omit<MonthlyUse, 'kind'> & { kind: ResolversTypes['TransactionKind'] }>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  OrderDirection: OrderDirection;
  Outcome: Outcome;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Partner: ResolverTypeWrapper<Partner>;
  PartnerConnection: ResolverTypeWrapper<PartnerPage>;
  PartnerEdge: ResolverTypeWrapper<PartnerEdge>;
  Payment: ResolverTypeWrapper<Payment>;
  PaymentMethod: PaymentMethod;
  PhoneNumber: ResolverTypeWrapper<Scalars['PhoneNumber']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  QuotaName: QuotaName;
  Recharge: ResolverTypeWrapper<Recharge>;
  RedeliverWebhooksFilter: RedeliverWebhooksFilter;
  Redemption: ResolverTypeWrapper<Redemption>;
  RequestFilter: RequestFilter;
  RequestGroup: RequestGroup;
  RequestPeriod: RequestPeriod;
  RequestSum: ResolverTypeWrapper<RequestSumRow>;
  RequestWay: RequestWay;
  Reward: ResolverTypeWrapper<Reward>;
  Role: Role;
  RotatedWebhookSecret: ResolverTypeWrapper<RotatedWebhookSecret>;
  Subscriber: ResolverTypeWrapper<SubscriberEntity>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  SummaryGroup: SummaryGroup;
  SummaryOrder: SummaryOrder;
  SummaryOrderField: SummaryOrderField;
  SummaryPeriod: SummaryPeriod;
  TimelineConnection: ResolverTypeWrapper<TimelinePage>;
  TimelineEdge: ResolverTypeWrapper<Omit<TimelineEdge, 'node'> & { node: ResolversTypes['TimelineEntry'] }>;
  TimelineEntry: ResolverTypeWrapper<SelectedEntry>;
  TimelineFilter: TimelineFilter;
  Transaction: ResolverTypeWrapper<TransactionReference>;
  TransactionEvent: ResolverTypeWrapper<EventRow>;
  TransactionEventConnection: ResolverTypeWrapper<EventConnection>;
  TransactionEventEdge: ResolverTypeWrapper<Omit<TransactionEventEdge, 'node'> & { node: ResolversTypes['TransactionEvent'] }>;
  TransactionFilter: TransactionFilter;
  TransactionKind: ResolverTypeWrapper<string>;
  TransactionOrder: TransactionOrder;
  Webhook: ResolverTypeWrapper<Webhook>;
  WebhookAttempt: ResolverTypeWrapper<WebhookAttempt>;
  WebhookDelivery: ResolverTypeWrapper<DeliveryRow>;
  WebhookDeliveryConnection: ResolverTypeWrapper<DeliveryConnection>;
  WebhookDeliveryEdge: ResolverTypeWrapper<Omit<WebhookDeliveryEdge, 'node'> & { node: ResolversTypes['WebhookDelivery'] }>;
  WebhookDeliveryFilter: WebhookDeliveryFilter;
  WebhookDeliveryStatus: WebhookDeliveryStatus;
  WebhookEndpoint: ResolverTypeWrapper<EndpointRow>;
  WebhookInput: WebhookInput;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AccessRecord: AccessRow;
  String: Scalars['String']['output'];
  AccessRecordConnection: AccessPage;
  AccessRecordEdge: Omit<AccessRecordEdge, 'node'> & { node: ResolversParentTypes['AccessRecord'] };
  AccessRecordFilter: AccessRecordFilter;
  ActivitySummary: SummaryRow;
  Float: Scalars['Float']['output'];
  AuditEntry: ActRow;
  AuditLogConnection: ActPage;
  AuditLogEdge: Omit<AuditLogEdge, 'node'> & { node: ResolversParentTypes['AuditEntry'] };
  AuditLogFilter: AuditLogFilter;
  Characteristic: Characteristic;
  CharacteristicInput: CharacteristicInput;
  Client: Client;
  ID: Scalars['ID']['output'];
  ClientLimits: ClientTerms;
  ClientQuota: ClientQuota;
  ClientRequest: RequestRow;
  ClientRequestConnection: RequestPage;
  ClientRequestEdge: Omit<ClientRequestEdge, 'node'> & { node: ResolversParentTypes['ClientRequest'] };
  CreditCardDetails: CreditCardDetails;
  CreditCardDetailsInput: CreditCardDetailsInput;
  Currency: Scalars['Currency']['output'];
  Customer: CustomerEntity;
  DateTime: Scalars['DateTime']['output'];
  Decimal: Scalars['Decimal']['output'];
  Eligibility: Eligibility;
  Boolean: Scalars['Boolean']['output'];
  EventFilter: EventFilter;
  Intervention: InterventionRow;
  Journey: JourneyView;
  JourneyStep: JourneyStepView;
  Message: Message;
  Money: Money;
  MonthlyUse: MonthlyUse;
  Mutation: Record<PropertyKey, never>;
  PageInfo: PageInfo;
  Partner: Partner;
  PartnerConnection: PartnerPage;
  PartnerEdge: PartnerEdge;
  Payment: Payment;
  PhoneNumber: Scalars['PhoneNumber']['output'];
  Query: Record<PropertyKey, never>;
  Recharge: Recharge;
  RedeliverWebhooksFilter: RedeliverWebhooksFilter;
  Redemption: Redemption;
  RequestFilter: RequestFilter;
  RequestSum: RequestSumRow;
  Reward: Reward;
  RotatedWebhookSecret: RotatedWebhookSecret;
  Subscriber: SubscriberEntity;
  Subscription: Record<PropertyKey, never>;
  SummaryOrder: SummaryOrder;
  TimelineConnection: TimelinePage;
  TimelineEdge: Omit<TimelineEdge, 'node'> & { node: ResolversParentTypes['TimelineEntry'] };
  TimelineEntry: SelectedEntry;
  TimelineFilter: TimelineFilter;
  Transaction: TransactionReference;
  TransactionEvent: EventRow;
  TransactionEventConnection: EventConnection;
  TransactionEventEdge: Omit<TransactionEventEdge, 'node'> & { node: ResolversParentTypes['TransactionEvent'] };
  TransactionFilter: TransactionFilter;
  Webhook: Webhook;
  WebhookAttempt: WebhookAttempt;
  WebhookDelivery: DeliveryRow;
  WebhookDeliveryConnection: DeliveryConnection;
  WebhookDeliveryEdge: Omit<WebhookDeliveryEdge, 'node'> & { node: ResolversParentTypes['WebhookDelivery'] };
  WebhookDeliveryFilter: WebhookDeliveryFilter;
  WebhookEndpoint: EndpointRow;
  WebhookInput: WebhookInput;
  Int: Scalars['Int']['output'];
};

export type AccessRecordResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AccessRecord'] = ResolversParentTypes['AccessRecord']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  client?: Resolver<ResolversTypes['Partner'], ParentType, ContextType>;
  correlator?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  operation?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  subject?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AccessRecordConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AccessRecordConnection'] = ResolversParentTypes['AccessRecordConnection']> = {
  edges?: Resolver<Array<ResolversTypes['AccessRecordEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['AccessRecord']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type AccessRecordEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AccessRecordEdge'] = ResolversParentTypes['AccessRecordEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['AccessRecord'], ParentType, ContextType>;
};

export type ActivitySummaryResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ActivitySummary'] = ResolversParentTypes['ActivitySummary']> = {
  amount?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  amounts?: Resolver<Array<ResolversTypes['Money']>, ParentType, ContextType>;
  average?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  category?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  channel?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  completed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  customer?: Resolver<Maybe<ResolversTypes['Customer']>, ParentType, ContextType>;
  customers?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failureRate?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  kind?: Resolver<Maybe<ResolversTypes['TransactionKind']>, ParentType, ContextType>;
  max?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  merchant?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes['Outcome']>, ParentType, ContextType>;
  p50?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  p95?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  partner?: Resolver<Maybe<ResolversTypes['Partner']>, ParentType, ContextType>;
  paymentMethod?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  period?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  product?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  settledP50Ms?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  settledP95Ms?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type AuditEntryResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AuditEntry'] = ResolversParentTypes['AuditEntry']> = {
  action?: Resolver<ResolversTypes['AuditAction'], ParentType, ContextType>;
  actor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  correlator?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  details?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  target?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AuditLogConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AuditLogConnection'] = ResolversParentTypes['AuditLogConnection']> = {
  edges?: Resolver<Array<ResolversTypes['AuditLogEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['AuditEntry']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type AuditLogEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AuditLogEdge'] = ResolversParentTypes['AuditLogEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['AuditEntry'], ParentType, ContextType>;
};

export type CharacteristicResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Characteristic'] = ResolversParentTypes['Characteristic']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  valueType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ClientResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Client'] = ResolversParentTypes['Client']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
};

export type ClientLimitsResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ClientLimits'] = ResolversParentTypes['ClientLimits']> = {
  client?: Resolver<ResolversTypes['Partner'], ParentType, ContextType>;
  currencies?: Resolver<Array<ResolversTypes['Currency']>, ParentType, ContextType>;
  maxAmount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  maxPoints?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  monthlyAmount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  monthlyPoints?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  monthlyUse?: Resolver<Maybe<Array<ResolversTypes['MonthlyUse']>>, ParentType, ContextType, Partial<ClientLimitsMonthlyUseArgs>>;
  quotas?: Resolver<Array<ResolversTypes['ClientQuota']>, ParentType, ContextType>;
};

export type ClientQuotaResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ClientQuota'] = ResolversParentTypes['ClientQuota']> = {
  left?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  limit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['QuotaName'], ParentType, ContextType>;
};

export type ClientRequestResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ClientRequest'] = ResolversParentTypes['ClientRequest']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  client?: Resolver<Maybe<ResolversTypes['Partner']>, ParentType, ContextType>;
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  correlator?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  durationMs?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  field?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  operation?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  transaction?: Resolver<Maybe<ResolversTypes['Transaction']>, ParentType, ContextType>;
  via?: Resolver<ResolversTypes['RequestWay'], ParentType, ContextType>;
  weight?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ClientRequestConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ClientRequestConnection'] = ResolversParentTypes['ClientRequestConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ClientRequestEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['ClientRequest']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ClientRequestEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ClientRequestEdge'] = ResolversParentTypes['ClientRequestEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ClientRequest'], ParentType, ContextType>;
};

export type CreditCardDetailsResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CreditCardDetails'] = ResolversParentTypes['CreditCardDetails']> = {
  authorizationCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cardHolderName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cardNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cardType?: Resolver<Maybe<ResolversTypes['CardType']>, ParentType, ContextType>;
  expiryMonth?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  expiryYear?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export interface CurrencyScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Currency'], any> {
  name: 'Currency';
}

export type CustomerResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Customer'] = ResolversParentTypes['Customer'], FederationReferenceType extends FederationReferenceTypes['Customer'] = FederationReferenceTypes['Customer']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Customer']> | FederationReferenceType, FederationReferenceType, ContextType>;
  customerAccountNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  summary?: Resolver<Maybe<Array<ResolversTypes['ActivitySummary']>>, ParentType, ContextType, RequireFields<CustomerSummaryArgs, 'by'>>;
  timeline?: Resolver<Maybe<ResolversTypes['TimelineConnection']>, ParentType, ContextType, Partial<CustomerTimelineArgs>>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface DecimalScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Decimal'], any> {
  name: 'Decimal';
}

export type EligibilityResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Eligibility'] = ResolversParentTypes['Eligibility']> = {
  eligible?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reasons?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type InterventionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Intervention'] = ResolversParentTypes['Intervention']> = {
  action?: Resolver<ResolversTypes['InterventionAction'], ParentType, ContextType>;
  by?: Resolver<ResolversTypes['Partner'], ParentType, ContextType>;
  carriedOutAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  correlator?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  refusal?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  requestedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type JourneyResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Journey'] = ResolversParentTypes['Journey']> = {
  deliveries?: Resolver<Array<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  events?: Resolver<Array<ResolversTypes['TransactionEvent']>, ParentType, ContextType>;
  hasMore?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  request?: Resolver<Maybe<ResolversTypes['ClientRequest']>, ParentType, ContextType>;
  requests?: Resolver<Array<ResolversTypes['ClientRequest']>, ParentType, ContextType>;
  steps?: Resolver<Array<ResolversTypes['JourneyStep']>, ParentType, ContextType>;
  transaction?: Resolver<Maybe<ResolversTypes['Transaction']>, ParentType, ContextType>;
  transactions?: Resolver<Array<ResolversTypes['Transaction']>, ParentType, ContextType>;
};

export type JourneyStepResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['JourneyStep'] = ResolversParentTypes['JourneyStep']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  durationMs?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['JourneyStepKind'], ParentType, ContextType>;
  sincePreviousMs?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  transactionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type MessageResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Message'] = ResolversParentTypes['Message']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  otlTransactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MoneyResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money']> = {
  currency?: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export type MonthlyUseResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MonthlyUse'] = ResolversParentTypes['MonthlyUse']> = {
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['TransactionKind'], ParentType, ContextType>;
  left?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  limit?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  used?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  cancelTransaction?: Resolver<Maybe<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<MutationCancelTransactionArgs, 'id' | 'reason'>>;
  redeliverWebhook?: Resolver<Maybe<ResolversTypes['WebhookDelivery']>, ParentType, ContextType, RequireFields<MutationRedeliverWebhookArgs, 'deliveryId'>>;
  redeliverWebhooks?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType, Partial<MutationRedeliverWebhooksArgs>>;
  reverseTransaction?: Resolver<Maybe<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<MutationReverseTransactionArgs, 'id' | 'reason'>>;
  rotateWebhookSecret?: Resolver<Maybe<ResolversTypes['RotatedWebhookSecret']>, ParentType, ContextType, RequireFields<MutationRotateWebhookSecretArgs, 'overlapHours'>>;
  sendTestEvent?: Resolver<Maybe<ResolversTypes['WebhookAttempt']>, ParentType, ContextType, RequireFields<MutationSendTestEventArgs, 'kind' | 'notificationUrl'>>;
};

export type PageInfoResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PartnerResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Partner'] = ResolversParentTypes['Partner']> = {
  active?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<Maybe<ResolversTypes['Role']>, ParentType, ContextType>;
};

export type PartnerConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PartnerConnection'] = ResolversParentTypes['PartnerConnection']> = {
  edges?: Resolver<Array<ResolversTypes['PartnerEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Partner']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type PartnerEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PartnerEdge'] = ResolversParentTypes['PartnerEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Partner'], ParentType, ContextType>;
};

export type PaymentResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Payment'] = ResolversParentTypes['Payment']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  paymentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export interface PhoneNumberScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['PhoneNumber'], any> {
  name: 'PhoneNumber';
}

export type QueryResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  accessRecords?: Resolver<Maybe<ResolversTypes['AccessRecordConnection']>, ParentType, ContextType, Partial<QueryAccessRecordsArgs>>;
  auditLog?: Resolver<Maybe<ResolversTypes['AuditLogConnection']>, ParentType, ContextType, Partial<QueryAuditLogArgs>>;
  clientLimits?: Resolver<Maybe<Array<ResolversTypes['ClientLimits']>>, ParentType, ContextType, Partial<QueryClientLimitsArgs>>;
  events?: Resolver<Maybe<ResolversTypes['TransactionEventConnection']>, ParentType, ContextType, Partial<QueryEventsArgs>>;
  journey?: Resolver<Maybe<ResolversTypes['Journey']>, ParentType, ContextType, Partial<QueryJourneyArgs>>;
  latestEventCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  me?: Resolver<Maybe<ResolversTypes['Client']>, ParentType, ContextType>;
  partners?: Resolver<Maybe<ResolversTypes['PartnerConnection']>, ParentType, ContextType, Partial<QueryPartnersArgs>>;
  requestSummary?: Resolver<Maybe<Array<ResolversTypes['RequestSum']>>, ParentType, ContextType, RequireFields<QueryRequestSummaryArgs, 'by'>>;
  requests?: Resolver<Maybe<ResolversTypes['ClientRequestConnection']>, ParentType, ContextType, Partial<QueryRequestsArgs>>;
  summary?: Resolver<Maybe<Array<ResolversTypes['ActivitySummary']>>, ParentType, ContextType, RequireFields<QuerySummaryArgs, 'by'>>;
  timeline?: Resolver<Maybe<ResolversTypes['TimelineConnection']>, ParentType, ContextType, Partial<QueryTimelineArgs>>;
  transaction?: Resolver<Maybe<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<QueryTransactionArgs, 'id'>>;
  webhookDeliveries?: Resolver<Maybe<ResolversTypes['WebhookDeliveryConnection']>, ParentType, ContextType, Partial<QueryWebhookDeliveriesArgs>>;
  webhookEndpoints?: Resolver<Maybe<Array<ResolversTypes['WebhookEndpoint']>>, ParentType, ContextType, Partial<QueryWebhookEndpointsArgs>>;
};

export type RechargeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Recharge'] = ResolversParentTypes['Recharge']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rechargeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RedemptionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Redemption'] = ResolversParentTypes['Redemption']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  redemptionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RequestSumResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RequestSum'] = ResolversParentTypes['RequestSum']> = {
  client?: Resolver<Maybe<ResolversTypes['Partner']>, ParentType, ContextType>;
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  field?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  operation?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  period?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  via?: Resolver<Maybe<ResolversTypes['RequestWay']>, ParentType, ContextType>;
};

export type RewardResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Reward'] = ResolversParentTypes['Reward']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RotatedWebhookSecretResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RotatedWebhookSecret'] = ResolversParentTypes['RotatedWebhookSecret']> = {
  previousEndsAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SubscriberResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscriber'] = ResolversParentTypes['Subscriber'], FederationReferenceType extends FederationReferenceTypes['Subscriber'] = FederationReferenceTypes['Subscriber']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Subscriber']> | FederationReferenceType, FederationReferenceType, ContextType>;
  mobileNumber?: Resolver<ResolversTypes['PhoneNumber'], ParentType, ContextType>;
  summary?: Resolver<Maybe<Array<ResolversTypes['ActivitySummary']>>, ParentType, ContextType, RequireFields<SubscriberSummaryArgs, 'by'>>;
  timeline?: Resolver<Maybe<ResolversTypes['TimelineConnection']>, ParentType, ContextType, Partial<SubscriberTimelineArgs>>;
};

export type SubscriptionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  transactionEvents?: SubscriptionResolver<ResolversTypes['TransactionEvent'], "transactionEvents", ParentType, ContextType, Partial<SubscriptionTransactionEventsArgs>>;
};

export type TimelineConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['TimelineConnection'] = ResolversParentTypes['TimelineConnection']> = {
  edges?: Resolver<Array<ResolversTypes['TimelineEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['TimelineEntry']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type TimelineEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['TimelineEdge'] = ResolversParentTypes['TimelineEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['TimelineEntry'], ParentType, ContextType>;
};

export type TimelineEntryResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['TimelineEntry'] = ResolversParentTypes['TimelineEntry']> = {
  amount?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['TransactionKind'], ParentType, ContextType>;
  occurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['Outcome'], ParentType, ContextType>;
  points?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  transaction?: Resolver<Maybe<ResolversTypes['Transaction']>, ParentType, ContextType>;
};

export type TransactionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Transaction'] = ResolversParentTypes['Transaction']> = {
  __resolveType: TypeResolveFn<'Message' | 'Payment' | 'Recharge' | 'Redemption' | 'Reward', ParentType, ContextType>;
};

export type TransactionEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['TransactionEvent'] = ResolversParentTypes['TransactionEvent']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  eventTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  eventType?: Resolver<ResolversTypes['EventType'], ParentType, ContextType>;
  eventid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['TransactionKind'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['EventStatus'], ParentType, ContextType>;
  transaction?: Resolver<Maybe<ResolversTypes['Transaction']>, ParentType, ContextType>;
};

export type TransactionEventConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['TransactionEventConnection'] = ResolversParentTypes['TransactionEventConnection']> = {
  edges?: Resolver<Array<ResolversTypes['TransactionEventEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['TransactionEvent']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type TransactionEventEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['TransactionEventEdge'] = ResolversParentTypes['TransactionEventEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['TransactionEvent'], ParentType, ContextType>;
};

export type TransactionKindResolvers = EnumResolverSignature<{ MESSAGE?: any, PAYMENT?: any, RECHARGE?: any, REDEMPTION?: any, REWARD?: any }, ResolversTypes['TransactionKind']>;

export type WebhookResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Webhook'] = ResolversParentTypes['Webhook']> = {
  notificationUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type WebhookAttemptResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['WebhookAttempt'] = ResolversParentTypes['WebhookAttempt']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  durationMs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type WebhookDeliveryResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['WebhookDelivery'] = ResolversParentTypes['WebhookDelivery']> = {
  attemptLog?: Resolver<Array<ResolversTypes['WebhookAttempt']>, ParentType, ContextType>;
  attempts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  client?: Resolver<ResolversTypes['Partner'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  deliveredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  eventid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['TransactionKind'], ParentType, ContextType>;
  lastError?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lastStatus?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  nextAttemptAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  notificationUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WebhookDeliveryStatus'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type WebhookDeliveryConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['WebhookDeliveryConnection'] = ResolversParentTypes['WebhookDeliveryConnection']> = {
  edges?: Resolver<Array<ResolversTypes['WebhookDeliveryEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type WebhookDeliveryEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['WebhookDeliveryEdge'] = ResolversParentTypes['WebhookDeliveryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType>;
};

export type WebhookEndpointResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['WebhookEndpoint'] = ResolversParentTypes['WebhookEndpoint']> = {
  client?: Resolver<ResolversTypes['Partner'], ParentType, ContextType>;
  dead?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  health?: Resolver<ResolversTypes['EndpointHealth'], ParentType, ContextType>;
  healthSince?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastAttemptAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastError?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lastStatus?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  nextAttemptAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  origin?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retrying?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type Resolvers<ContextType = GraphContext> = {
  AccessRecord?: AccessRecordResolvers<ContextType>;
  AccessRecordConnection?: AccessRecordConnectionResolvers<ContextType>;
  AccessRecordEdge?: AccessRecordEdgeResolvers<ContextType>;
  ActivitySummary?: ActivitySummaryResolvers<ContextType>;
  AuditEntry?: AuditEntryResolvers<ContextType>;
  AuditLogConnection?: AuditLogConnectionResolvers<ContextType>;
  AuditLogEdge?: AuditLogEdgeResolvers<ContextType>;
  Characteristic?: CharacteristicResolvers<ContextType>;
  Client?: ClientResolvers<ContextType>;
  ClientLimits?: ClientLimitsResolvers<ContextType>;
  ClientQuota?: ClientQuotaResolvers<ContextType>;
  ClientRequest?: ClientRequestResolvers<ContextType>;
  ClientRequestConnection?: ClientRequestConnectionResolvers<ContextType>;
  ClientRequestEdge?: ClientRequestEdgeResolvers<ContextType>;
  CreditCardDetails?: CreditCardDetailsResolvers<ContextType>;
  Currency?: GraphQLScalarType;
  Customer?: CustomerResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  Eligibility?: EligibilityResolvers<ContextType>;
  Intervention?: InterventionResolvers<ContextType>;
  Journey?: JourneyResolvers<ContextType>;
  JourneyStep?: JourneyStepResolvers<ContextType>;
  Message?: MessageResolvers<ContextType>;
  Money?: MoneyResolvers<ContextType>;
  MonthlyUse?: MonthlyUseResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Partner?: PartnerResolvers<ContextType>;
  PartnerConnection?: PartnerConnectionResolvers<ContextType>;
  PartnerEdge?: PartnerEdgeResolvers<ContextType>;
  Payment?: PaymentResolvers<ContextType>;
  PhoneNumber?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  Recharge?: RechargeResolvers<ContextType>;
  Redemption?: RedemptionResolvers<ContextType>;
  RequestSum?: RequestSumResolvers<ContextType>;
  Reward?: RewardResolvers<ContextType>;
  RotatedWebhookSecret?: RotatedWebhookSecretResolvers<ContextType>;
  Subscriber?: SubscriberResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  TimelineConnection?: TimelineConnectionResolvers<ContextType>;
  TimelineEdge?: TimelineEdgeResolvers<ContextType>;
  TimelineEntry?: TimelineEntryResolvers<ContextType>;
  Transaction?: TransactionResolvers<ContextType>;
  TransactionEvent?: TransactionEventResolvers<ContextType>;
  TransactionEventConnection?: TransactionEventConnectionResolvers<ContextType>;
  TransactionEventEdge?: TransactionEventEdgeResolvers<ContextType>;
  TransactionKind?: TransactionKindResolvers;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookAttempt?: WebhookAttemptResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  WebhookDeliveryConnection?: WebhookDeliveryConnectionResolvers<ContextType>;
  WebhookDeliveryEdge?: WebhookDeliveryEdgeResolvers<ContextType>;
  WebhookEndpoint?: WebhookEndpointResolvers<ContextType>;
};
