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
import type { TimelinePage } from './timeline/read.ts';
import type { SelectedEntry } from './timeline/entry.ts';
import type { SummaryRow } from './summary/read.ts';
import type { GraphContext } from '../../core/graph/loaders.ts';
import type { Maybe, InputMaybe, Omit, RequireFields, EnumResolverSignature, Scalars, CardType, Characteristic, CharacteristicInput, CreditCardDetails, CreditCardDetailsInput, Eligibility, EventStatus, EventType, Intervention, InterventionAction, LineScope, Money, Outcome, PageInfo, Partner, PaymentMethod, Role, TransactionFilter, TransactionKind, TransactionOrder, Webhook, WebhookAttempt, WebhookDelivery, WebhookDeliveryStatus, WebhookInput, ResolverTypeWrapper, ReferenceResolver, GraphQLRecursivePick, Resolver, SubscriptionResolver, TypeResolveFn, IsTypeOfResolverFn } from '../../core/graph/common.generated.ts';

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
  /** Set when grouped by CHANNEL; null for transactions without one. */
  channel?: Maybe<Scalars['String']['output']>;
  /** How many were carried out. */
  completed: Scalars['Int']['output'];
  /** How many transactions, whatever they came to. */
  count: Scalars['Int']['output'];
  /** Set when grouped by CURRENCY; null for transactions without money. */
  currency?: Maybe<Scalars['Currency']['output']>;
  /** How many were refused or failed. */
  failed: Scalars['Int']['output'];
  /** `failed` as a part of `count`, from 0 to 1. */
  failureRate: Scalars['Float']['output'];
  /** Set when grouped by KIND. */
  kind?: Maybe<TransactionKind>;
  /** Set when grouped by MERCHANT; null for transactions without one. */
  merchant?: Maybe<Scalars['String']['output']>;
  /** Set when grouped by OUTCOME. */
  outcome?: Maybe<Outcome>;
  /** Set when grouped by PARTNER. */
  partner?: Maybe<Partner>;
  /**
   * The first day of the period, `YYYY-MM-DD`; that day, its week or its month, also where `from` lies within it. By ALL
   * the day of `from`; without `from` the first day that anything of the summary is of.
   */
  period: Scalars['String']['output'];
  /** The exact sum of the points that were moved, by what was carried out. Null where no transaction is about points. */
  points?: Maybe<Scalars['Decimal']['output']>;
  /** Set when grouped by REASON; null for transactions that are pending. */
  reason?: Maybe<Scalars['String']['output']>;
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
  first?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  groupBy?: InputMaybe<Array<SummaryGroup>>;
  kinds?: InputMaybe<Array<TransactionKind>>;
  merchant?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<SummaryOrder>;
  postedBy?: InputMaybe<Scalars['String']['input']>;
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

export type Message = Transaction & {
  __typename?: 'Message';
  /** The same as `otlTransactionId`. */
  id: Scalars['ID']['output'];
  /** Its id. */
  otlTransactionId: Scalars['ID']['output'];
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
  /** The events you may see, newest first: what happened, and the cursors from which subscriptions can resume. */
  events?: Maybe<TransactionEventConnection>;
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
};

export type QueryEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

export type QueryPartnersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

export type QuerySummaryArgs = {
  by?: SummaryPeriod;
  first?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  groupBy?: InputMaybe<Array<SummaryGroup>>;
  kinds?: InputMaybe<Array<TransactionKind>>;
  merchant?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<SummaryOrder>;
  postedBy?: InputMaybe<Scalars['String']['input']>;
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
  first?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  groupBy?: InputMaybe<Array<SummaryGroup>>;
  include?: InputMaybe<LineScope>;
  kinds?: InputMaybe<Array<TransactionKind>>;
  merchant?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<SummaryOrder>;
  postedBy?: InputMaybe<Scalars['String']['input']>;
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
  /** The channel that the client named, as it wrote it (cut at 100 characters). */
  | 'CHANNEL'
  /** The currency. */
  | 'CURRENCY'
  /** The kind of transaction. */
  | 'KIND'
  /** The merchant that the client named, as it wrote it (cut at 100 characters). */
  | 'MERCHANT'
  /** Outcome so far. */
  | 'OUTCOME'
  /** The client that posted. */
  | 'PARTNER'
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
  /** A calendar month. */
  | 'MONTH'
  /** A week from Monday to Sunday (ISO 8601). */
  | 'WEEK';

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
  /** Only what was posted by a request with exactly this `x-correlator`. */
  correlator?: InputMaybe<Scalars['String']['input']>;
  /** Only created at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of these kinds. */
  kinds?: InputMaybe<Array<TransactionKind>>;
  /** Only money of at most this amount, in whichever currency; what moves no money is left out. */
  maxAmount?: InputMaybe<Scalars['Decimal']['input']>;
  /** Only what names this merchant, as a summary grouped by MERCHANT shows it. */
  merchant?: InputMaybe<Scalars['String']['input']>;
  /** Only money of at least this amount, in whichever currency; what moves no money is left out. */
  minAmount?: InputMaybe<Scalars['Decimal']['input']>;
  /** Only with one of these outcomes. */
  outcomes?: InputMaybe<Array<Outcome>>;
  /** Only posted by this client. For portals and analysts; a partner sees only its own anyway. */
  postedBy?: InputMaybe<Scalars['String']['input']>;
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
  ActivitySummary: ResolverTypeWrapper<SummaryRow>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  CardType: CardType;
  Characteristic: ResolverTypeWrapper<Characteristic>;
  CharacteristicInput: CharacteristicInput;
  Client: ResolverTypeWrapper<Client>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  CreditCardDetails: ResolverTypeWrapper<CreditCardDetails>;
  CreditCardDetailsInput: CreditCardDetailsInput;
  Currency: ResolverTypeWrapper<Scalars['Currency']['output']>;
  Customer: ResolverTypeWrapper<CustomerEntity>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  Eligibility: ResolverTypeWrapper<Eligibility>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  EventFilter: EventFilter;
  EventStatus: EventStatus;
  EventType: EventType;
  Intervention: ResolverTypeWrapper<InterventionRow>;
  InterventionAction: InterventionAction;
  LineScope: LineScope;
  Message: ResolverTypeWrapper<Message>;
  Money: ResolverTypeWrapper<Money>;
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
  Recharge: ResolverTypeWrapper<Recharge>;
  RedeliverWebhooksFilter: RedeliverWebhooksFilter;
  Redemption: ResolverTypeWrapper<Redemption>;
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
  WebhookInput: WebhookInput;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  ActivitySummary: SummaryRow;
  String: Scalars['String']['output'];
  Int: Scalars['Int']['output'];
  Float: Scalars['Float']['output'];
  Characteristic: Characteristic;
  CharacteristicInput: CharacteristicInput;
  Client: Client;
  ID: Scalars['ID']['output'];
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
  Message: Message;
  Money: Money;
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
  WebhookInput: WebhookInput;
};

export type ActivitySummaryResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ActivitySummary'] = ResolversParentTypes['ActivitySummary']> = {
  amount?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  amounts?: Resolver<Array<ResolversTypes['Money']>, ParentType, ContextType>;
  channel?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  completed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failureRate?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  kind?: Resolver<Maybe<ResolversTypes['TransactionKind']>, ParentType, ContextType>;
  merchant?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes['Outcome']>, ParentType, ContextType>;
  partner?: Resolver<Maybe<ResolversTypes['Partner']>, ParentType, ContextType>;
  period?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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

export type MessageResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Message'] = ResolversParentTypes['Message']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  otlTransactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MoneyResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money']> = {
  currency?: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
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
  events?: Resolver<Maybe<ResolversTypes['TransactionEventConnection']>, ParentType, ContextType, Partial<QueryEventsArgs>>;
  latestEventCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  me?: Resolver<Maybe<ResolversTypes['Client']>, ParentType, ContextType>;
  partners?: Resolver<Maybe<ResolversTypes['PartnerConnection']>, ParentType, ContextType, Partial<QueryPartnersArgs>>;
  summary?: Resolver<Maybe<Array<ResolversTypes['ActivitySummary']>>, ParentType, ContextType, RequireFields<QuerySummaryArgs, 'by'>>;
  timeline?: Resolver<Maybe<ResolversTypes['TimelineConnection']>, ParentType, ContextType, Partial<QueryTimelineArgs>>;
  transaction?: Resolver<Maybe<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<QueryTransactionArgs, 'id'>>;
  webhookDeliveries?: Resolver<Maybe<ResolversTypes['WebhookDeliveryConnection']>, ParentType, ContextType, Partial<QueryWebhookDeliveriesArgs>>;
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

export type Resolvers<ContextType = GraphContext> = {
  ActivitySummary?: ActivitySummaryResolvers<ContextType>;
  Characteristic?: CharacteristicResolvers<ContextType>;
  Client?: ClientResolvers<ContextType>;
  CreditCardDetails?: CreditCardDetailsResolvers<ContextType>;
  Currency?: GraphQLScalarType;
  Customer?: CustomerResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  Eligibility?: EligibilityResolvers<ContextType>;
  Intervention?: InterventionResolvers<ContextType>;
  Message?: MessageResolvers<ContextType>;
  Money?: MoneyResolvers<ContextType>;
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
};
