/** Generated from schema/ by `npm run codegen`; do not edit. */
import type { Decimal } from '../../core/values/money.ts';
import type { GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { SelectedRow } from '../../core/transactions/columns.ts';
import type { TransactionPage } from '../../core/graph/connections.ts';
import type { EventRow } from '../../core/events/event.ts';
import type { DeliveryRow } from '../../core/webhooks/deliveries.ts';
import type { InterventionRow } from '../../core/transactions/settle/intervene.ts';
import type { BatchRow, BatchProgress } from './batches/store.ts';
import type { SubscriberEntity, CustomerEntity } from '../../core/graph/directory-fields.ts';
import type { GraphContext } from '../../core/graph/loaders.ts';
import type { Maybe, InputMaybe, Omit, RequireFields, EnumResolverSignature, Scalars, CardType, Characteristic, CharacteristicInput, CreditCardDetails, CreditCardDetailsInput, Eligibility, EventStatus, EventType, Intervention, InterventionAction, LineScope, Money, Outcome, PageInfo, Partner, PaymentMethod, Role, TransactionFilter, TransactionKind, TransactionOrder, Webhook, WebhookAttempt, WebhookDelivery, WebhookDeliveryStatus, WebhookInput, ResolverTypeWrapper, ReferenceResolver, GraphQLRecursivePick, Resolver, SubscriptionResolver, TypeResolveFn, IsTypeOfResolverFn } from '../../core/graph/common.generated.ts';

/** An SMS to send. */
export type CreateSendSingleSmsInput = {
  /** Identifies the request, 1 to 20 characters: the same value again is refused instead of sent twice. */
  clientCorrelatorId: Scalars['String']['input'];
  /** Ask for a delivery report (default false). Not implemented yet, so it has no effect. */
  enableDeliveryReport?: InputMaybe<Scalars['Boolean']['input']>;
  /** After this time delivery is no longer attempted; not in the past. Without it: 24 hours after sending. */
  expiryTime?: InputMaybe<Scalars['DateTime']['input']>;
  /** True to show the text on the screen at once (default false). */
  flashMessage?: InputMaybe<Scalars['Boolean']['input']>;
  /** Ignored: the service makes its own id. */
  messageId?: InputMaybe<Scalars['String']['input']>;
  /** 1 to 10, 1 is the most urgent (default 10). It may be ignored. */
  priority?: InputMaybe<Scalars['Int']['input']>;
  /** 3 to 11 digits with country code and without plus, or a short code. */
  recipient: Scalars['String']['input'];
  /** The short code or name that the recipient sees, 1 to 11 characters. */
  sender: Scalars['String']['input'];
  /** The text, 1 to 1000 characters. */
  smsText: Scalars['String']['input'];
  /** Where delivery reports are to be sent one day; it is not called yet. */
  webhook?: InputMaybe<WebhookInput>;
};

/** The customer account that a mobile number belongs to. */
export type Customer = {
  __typename?: 'Customer';
  /** The account number. */
  customerAccountNumber: Scalars['String']['output'];
};

/** A single SMS. */
export type Message = Transaction & {
  __typename?: 'Message';
  /** Always null: a message moves no money. */
  amount?: Maybe<Money>;
  /** The client's id of the request. */
  clientCorrelatorId?: Maybe<Scalars['String']['output']>;
  /** When it reached its final status. */
  completedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The `x-correlator` of the request that posted it; null for one from before it was kept. */
  correlator?: Maybe<Scalars['String']['output']>;
  /** When the service accepted it. */
  createdAt: Scalars['DateTime']['output'];
  /** The account of the recipient, when it is one of the operator's numbers. */
  customer?: Maybe<Customer>;
  /** Whether a delivery report was asked for; not implemented yet. */
  enableDeliveryReport: Scalars['Boolean']['output'];
  /** After this time delivery is not attempted any more: 24 hours after sending unless posted otherwise. */
  expiryTime: Scalars['DateTime']['output'];
  /** Whether the text is shown on the screen at once. */
  flashMessage: Scalars['Boolean']['output'];
  /** The same as `otlTransactionId`. */
  id: Scalars['ID']['output'];
  /** Interventions of the operator's portal, the oldest first. For portals and analysts. */
  interventions?: Maybe<Array<Intervention>>;
  /** MESSAGE. */
  kind: TransactionKind;
  /** The id that the service assigned. */
  otlTransactionId: Scalars['ID']['output'];
  /** Outcome so far. */
  outcome: Outcome;
  /** Always null: a message moves no points. */
  points?: Maybe<Scalars['Decimal']['output']>;
  /** The client that posted it. */
  postedBy?: Maybe<Partner>;
  /** 1 to 10, 1 is the most urgent. */
  priority: Scalars['Int']['output'];
  /** Why it ended as it did, in one sentence; null while it is pending. */
  reason?: Maybe<Scalars['String']['output']>;
  /** Recipient, as posted: a phone number in digits, or a short code. */
  recipient: Scalars['String']['output'];
  /** Always null: a message has no reference. */
  referenceCode?: Maybe<Scalars['String']['output']>;
  /** The short code or name that the recipient sees. */
  sender: Scalars['String']['output'];
  /** How many messages the request held: 1. */
  smsCount: Scalars['Int']['output'];
  /** In how many parts the text travels; each may cost one credit. */
  smsParts: Scalars['Int']['output'];
  /** The text. */
  smsText: Scalars['String']['output'];
  /** The recipient, when it is one of the operator's numbers. */
  subscriber?: Maybe<Subscriber>;
  /** `accepted`, `sent`, `expired`, `failed` or `error`. */
  transactionOperationStatus: Scalars['String']['output'];
  /** Where delivery reports are to be sent one day; it is not called yet. */
  webhook?: Maybe<Webhook>;
  /** Always empty: the webhook of an SMS is not called. */
  webhookDeliveries: Array<WebhookDelivery>;
};

/** A page of messages. */
export type MessageConnection = {
  __typename?: 'MessageConnection';
  /** Messages with their cursors. */
  edges: Array<MessageEdge>;
  /** The messages alone. */
  nodes: Array<Message>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are on all pages. */
  totalCount: Scalars['Int']['output'];
};

/** A message in a connection. */
export type MessageEdge = {
  __typename?: 'MessageEdge';
  /** Where it stands; pass it as `after` or `before`. */
  cursor: Scalars['String']['output'];
  /** The message. */
  node: Message;
};

/** A message reached a final status: field by field what its webhook gets. */
export type MessageEvent = {
  __typename?: 'MessageEvent';
  /** Where it stands in the event log; pass it as `after` to resume behind it. */
  cursor: Scalars['String']['output'];
  /** Subject of the event. */
  eventDetail: MessageEventDetail;
  /** When it happened. */
  eventTime: Scalars['DateTime']['output'];
  /** Type of the event. */
  eventType: EventType;
  /** The id of the event. */
  eventid: Scalars['ID']['output'];
  /** The message itself, as it is now. */
  message?: Maybe<Message>;
};

/** Subject of an event of a message. */
export type MessageEventDetail = {
  __typename?: 'MessageEventDetail';
  /** The client's id of the request. */
  clientCorrelatorId?: Maybe<Scalars['String']['output']>;
  /** One sentence; on failure the reason. */
  description: Scalars['String']['output'];
  /** The id of the message. */
  otlTransactionId: Scalars['ID']['output'];
  /** When it was effectively performed. */
  paymentDate?: Maybe<Scalars['DateTime']['output']>;
  /** Whether it succeeded. */
  status: EventStatus;
};

/** Conditions that narrow events of messages; fields that are given must all hold. */
export type MessageEventFilter = {
  /** Only of this customer account. */
  customerAccountNumber?: InputMaybe<Scalars['String']['input']>;
  /** Only of these types. */
  eventTypes?: InputMaybe<Array<EventType>>;
  /** Only those that happened at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of this mobile number. */
  mobileNumber?: InputMaybe<Scalars['PhoneNumber']['input']>;
  /** Only of this message. */
  otlTransactionId?: InputMaybe<Scalars['ID']['input']>;
  /** Only those that happened at or before this instant; a date is the end of that day. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

export type Mutation = {
  __typename?: 'Mutation';
  /** Sends one SMS, as `POST /v1/unified-messaging/send-single`: same fields, same rules, same errors. */
  sendSms?: Maybe<Message>;
  /**
   * Sends one text to many recipients: each gets a message of its own, accepted or refused alone, and a result in the
   * place of the recipient. A fault in what all share (sender, text, times, webhook) refuses the whole batch, and
   * nothing is sent. After a lost answer send the same batch again: what was accepted is then refused by its
   * `clientCorrelatorId`, with its id in the error's `existingId`, and only the rest is sent (nothing, where what all
   * share is refused by now).
   */
  sendSmsBatch?: Maybe<Array<SendSmsResult>>;
};

export type MutationSendSmsArgs = {
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  input: CreateSendSingleSmsInput;
};

export type MutationSendSmsBatchArgs = {
  input: SendSmsBatchInput;
};

export type Query = {
  __typename?: 'Query';
  /**
   * Where the event log stands: read it together with some state, then subscribe `after` it, and nothing that happens in
   * between is missed.
   */
  latestEventCursor?: Maybe<Scalars['String']['output']>;
  /** The transaction information of a message: where it stands, and all it was sent with; null when there is none that you may see. */
  message?: Maybe<Message>;
  /** The messages you may see, newest first. */
  messages?: Maybe<MessageConnection>;
  /** State of a batch of SMS; null when there is none that you may see. */
  smsBatch?: Maybe<SmsBatch>;
};

export type QueryMessageArgs = {
  otlTransactionId: Scalars['ID']['input'];
};

export type QueryMessagesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TransactionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

export type QuerySmsBatchArgs = {
  batchId: Scalars['ID']['input'];
};

/** One text to send to many recipients. */
export type SendSmsBatchInput = {
  /**
   * Identifies the batch. The n-th recipient's message gets the `clientCorrelatorId` `<this>-<n>`, counted from 1
   * (`promo-17-1`, `promo-17-2`, …). The longest of these must not be longer than 20 characters: 18 remain for a batch
   * of up to 9 recipients, 15 for one of 1000.
   */
  clientCorrelatorId: Scalars['String']['input'];
  /** Ask for a delivery report (default false). Not implemented yet, so it has no effect. */
  enableDeliveryReport?: InputMaybe<Scalars['Boolean']['input']>;
  /** After this time delivery is no longer attempted; not in the past. Without it: 24 hours after sending. */
  expiryTime?: InputMaybe<Scalars['DateTime']['input']>;
  /** True to show the text on the screen at once (default false). */
  flashMessage?: InputMaybe<Scalars['Boolean']['input']>;
  /** 1 to 10, 1 is the most urgent (default 10). It may be ignored. */
  priority?: InputMaybe<Scalars['Int']['input']>;
  /** 1 to 1000 recipients, each as in `sendSms`. One that repeats an earlier one gets an error instead of a second message. */
  recipients: Array<Scalars['String']['input']>;
  /** The short code or name that the recipients see, 1 to 11 characters. */
  sender: Scalars['String']['input'];
  /** The text, 1 to 1000 characters. */
  smsText: Scalars['String']['input'];
  /** Where delivery reports are to be sent one day; it is not called yet. */
  webhook?: InputMaybe<WebhookInput>;
};

/** Why a recipient of a batch was refused. */
export type SendSmsError = {
  __typename?: 'SendSmsError';
  /** The code, as in `extensions.code` of an error. */
  code: Scalars['String']['output'];
  /** The id of the message that was accepted before under the same correlator, if that is why. */
  existingId?: Maybe<Scalars['ID']['output']>;
  /** Where in the input (`recipients[3]`, `clientCorrelatorId`); null where no single field is at fault. */
  field?: Maybe<Scalars['String']['output']>;
  /** Description of the fault, for a person to read. */
  message: Scalars['String']['output'];
  /** Reason of the fault, by a name that stays, as in `extensions.reason` of an error. */
  reason: Scalars['String']['output'];
};

/** Result for one recipient of a batch: a message, or an error. */
export type SendSmsResult = {
  __typename?: 'SendSmsResult';
  /** The batch, by which its progress is followed; the same in all results. Null for one of a time before batches had ids. */
  batchId?: Maybe<Scalars['ID']['output']>;
  /** Why it was refused; null when it was accepted. */
  error?: Maybe<SendSmsError>;
  /** The message; null when it was refused. */
  message?: Maybe<Message>;
  /** The recipient as posted. */
  recipient: Scalars['String']['output'];
};

/** A batch of SMS, and what has become of it so far. */
export type SmsBatch = {
  __typename?: 'SmsBatch';
  /** How many have a message: those that are pending, sent and failed. */
  accepted: Scalars['Int']['output'];
  /** The client's id of the batch; the n-th recipient's message has this with `-<n>` behind it. */
  clientCorrelatorId: Scalars['String']['output'];
  /** Whether nothing of it is left to happen. */
  complete: Scalars['Boolean']['output'];
  /** When it was first sent. */
  createdAt: Scalars['DateTime']['output'];
  /** How many messages failed or expired. */
  failed: Scalars['Int']['output'];
  /** Its id, the same however often the batch is sent again. */
  id: Scalars['ID']['output'];
  /** How many messages have not come to an end yet. */
  pending: Scalars['Int']['output'];
  /** How many recipients it names. */
  recipients: Scalars['Int']['output'];
  /** How many recipients were refused; null while the batch is being posted. */
  refused?: Maybe<Scalars['Int']['output']>;
  /** How many messages were sent. */
  sent: Scalars['Int']['output'];
};

/** That a batch of SMS has gone on. */
export type SmsBatchProgress = {
  __typename?: 'SmsBatchProgress';
  /** The batch as it is now. */
  batch: SmsBatch;
  /** Where it stands in the event log; pass it as `after` to resume behind it. */
  cursor: Scalars['String']['output'];
};

/** A mobile number of the operator, and the messages sent to it. */
export type Subscriber = {
  __typename?: 'Subscriber';
  /** The messages sent to this number, newest first. */
  messages?: Maybe<MessageConnection>;
  /** The number. */
  mobileNumber: Scalars['PhoneNumber']['output'];
};

/** A mobile number of the operator, and the messages sent to it. */
export type SubscriberMessagesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TransactionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

export type Subscription = {
  __typename?: 'Subscription';
  /** Messages that reach a final status, as they do; of those you may see. */
  messageEvents: MessageEvent;
  /**
   * State of a batch of SMS, each time that messages of it have come to an end, at most four times a second; it
   * goes on after the last one. Read `smsBatch` first, with `latestEventCursor`, and subscribe `after` that.
   */
  smsBatchProgress: SmsBatchProgress;
};

export type SubscriptionMessageEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<MessageEventFilter>;
};

export type SubscriptionSmsBatchProgressArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  batchId: Scalars['ID']['input'];
};

/** A transaction of any kind. What only one kind has stands in its own type. */
export type Transaction = {
  /** The money it moves, if it moves any. */
  amount?: Maybe<Money>;
  /** The client's id of the request, which makes a repeat recognisable. */
  clientCorrelatorId?: Maybe<Scalars['String']['output']>;
  /** When it reached its final status; null while it is pending. What was taken back keeps the time when it was carried out. */
  completedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The `x-correlator` of the request that posted it; null for one from before it was kept. */
  correlator?: Maybe<Scalars['String']['output']>;
  /** When it was created. */
  createdAt: Scalars['DateTime']['output'];
  /** The customer account it concerns. */
  customer?: Maybe<Customer>;
  /** The contract's own id (`paymentId`, `rechargeId`, …). */
  id: Scalars['ID']['output'];
  /** Interventions of the operator's portal, the oldest first; empty for most. For portals and analysts; a partner reads the `reason`. */
  interventions?: Maybe<Array<Intervention>>;
  /** Kind of the transaction. */
  kind: TransactionKind;
  /** Outcome so far. */
  outcome: Outcome;
  /** The points it moves, if it moves any. */
  points?: Maybe<Scalars['Decimal']['output']>;
  /** The client that posted it. For portals and analysts; a partner sees only its own. */
  postedBy?: Maybe<Partner>;
  /** Why it ended as it did, in one sentence; null while it is pending. */
  reason?: Maybe<Scalars['String']['output']>;
  /** The merchant's reference, for disputes. */
  referenceCode?: Maybe<Scalars['String']['output']>;
  /** The mobile number it concerns, if it names one of the operator's. */
  subscriber?: Maybe<Subscriber>;
  /** The status in the service's own words, as on REST. */
  transactionOperationStatus: Scalars['String']['output'];
  /** Its events on their way to its webhook, in the order of the events; empty when it has none. */
  webhookDeliveries: Array<WebhookDelivery>;
};

/** Mapping of federation types */
export type FederationTypes = {
  Message: Message;
  Subscriber: Subscriber;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Message:
    ( { __typename: 'Message' }
    & GraphQLRecursivePick<FederationTypes['Message'], {"otlTransactionId":true}> );
  Subscriber:
    ( { __typename: 'Subscriber' }
    & GraphQLRecursivePick<FederationTypes['Subscriber'], {"mobileNumber":true}> );
};

/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Transaction: ( SelectedRow );
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  CardType: CardType;
  Characteristic: ResolverTypeWrapper<Characteristic>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  CharacteristicInput: CharacteristicInput;
  CreateSendSingleSmsInput: CreateSendSingleSmsInput;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  CreditCardDetails: ResolverTypeWrapper<CreditCardDetails>;
  CreditCardDetailsInput: CreditCardDetailsInput;
  Currency: ResolverTypeWrapper<Scalars['Currency']['output']>;
  Customer: ResolverTypeWrapper<CustomerEntity>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  Eligibility: ResolverTypeWrapper<Eligibility>;
  EventStatus: EventStatus;
  EventType: EventType;
  Intervention: ResolverTypeWrapper<InterventionRow>;
  InterventionAction: InterventionAction;
  LineScope: LineScope;
  Message: ResolverTypeWrapper<SelectedRow>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  MessageConnection: ResolverTypeWrapper<TransactionPage>;
  MessageEdge: ResolverTypeWrapper<Omit<MessageEdge, 'node'> & { node: ResolversTypes['Message'] }>;
  MessageEvent: ResolverTypeWrapper<EventRow>;
  MessageEventDetail: ResolverTypeWrapper<EventRow>;
  MessageEventFilter: MessageEventFilter;
  Money: ResolverTypeWrapper<Money>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Outcome: Outcome;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Partner: ResolverTypeWrapper<Partner>;
  PaymentMethod: PaymentMethod;
  PhoneNumber: ResolverTypeWrapper<Scalars['PhoneNumber']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Role: Role;
  SendSmsBatchInput: SendSmsBatchInput;
  SendSmsError: ResolverTypeWrapper<SendSmsError>;
  SendSmsResult: ResolverTypeWrapper<Omit<SendSmsResult, 'message'> & { message?: Maybe<ResolversTypes['Message']> }>;
  SmsBatch: ResolverTypeWrapper<BatchRow>;
  SmsBatchProgress: ResolverTypeWrapper<BatchProgress>;
  Subscriber: ResolverTypeWrapper<SubscriberEntity>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Transaction: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Transaction']>;
  TransactionFilter: TransactionFilter;
  TransactionKind: ResolverTypeWrapper<string>;
  TransactionOrder: TransactionOrder;
  Webhook: ResolverTypeWrapper<Webhook>;
  WebhookAttempt: ResolverTypeWrapper<WebhookAttempt>;
  WebhookDelivery: ResolverTypeWrapper<DeliveryRow>;
  WebhookDeliveryStatus: WebhookDeliveryStatus;
  WebhookInput: WebhookInput;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Characteristic: Characteristic;
  String: Scalars['String']['output'];
  CharacteristicInput: CharacteristicInput;
  CreateSendSingleSmsInput: CreateSendSingleSmsInput;
  Boolean: Scalars['Boolean']['output'];
  CreditCardDetails: CreditCardDetails;
  CreditCardDetailsInput: CreditCardDetailsInput;
  Currency: Scalars['Currency']['output'];
  Customer: CustomerEntity;
  DateTime: Scalars['DateTime']['output'];
  Decimal: Scalars['Decimal']['output'];
  Eligibility: Eligibility;
  Intervention: InterventionRow;
  Message: SelectedRow;
  ID: Scalars['ID']['output'];
  MessageConnection: TransactionPage;
  MessageEdge: Omit<MessageEdge, 'node'> & { node: ResolversParentTypes['Message'] };
  MessageEvent: EventRow;
  MessageEventDetail: EventRow;
  MessageEventFilter: MessageEventFilter;
  Money: Money;
  Mutation: Record<PropertyKey, never>;
  PageInfo: PageInfo;
  Partner: Partner;
  PhoneNumber: Scalars['PhoneNumber']['output'];
  Query: Record<PropertyKey, never>;
  SendSmsBatchInput: SendSmsBatchInput;
  SendSmsError: SendSmsError;
  SendSmsResult: Omit<SendSmsResult, 'message'> & { message?: Maybe<ResolversParentTypes['Message']> };
  SmsBatch: BatchRow;
  SmsBatchProgress: BatchProgress;
  Subscriber: SubscriberEntity;
  Subscription: Record<PropertyKey, never>;
  Transaction: ResolversInterfaceTypes<ResolversParentTypes>['Transaction'];
  TransactionFilter: TransactionFilter;
  Webhook: Webhook;
  WebhookAttempt: WebhookAttempt;
  WebhookDelivery: DeliveryRow;
  WebhookInput: WebhookInput;
  Int: Scalars['Int']['output'];
};

export type CharacteristicResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Characteristic'] = ResolversParentTypes['Characteristic']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  valueType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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

export type CustomerResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Customer'] = ResolversParentTypes['Customer']> = {
  customerAccountNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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

export type MessageResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Message'] = ResolversParentTypes['Message'], FederationReferenceType extends FederationReferenceTypes['Message'] = FederationReferenceTypes['Message']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Message']> | FederationReferenceType, FederationReferenceType, ContextType>;
  amount?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  clientCorrelatorId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  completedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  correlator?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  customer?: Resolver<Maybe<ResolversTypes['Customer']>, ParentType, ContextType>;
  enableDeliveryReport?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  expiryTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  flashMessage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  interventions?: Resolver<Maybe<Array<ResolversTypes['Intervention']>>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['TransactionKind'], ParentType, ContextType>;
  otlTransactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['Outcome'], ParentType, ContextType>;
  points?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  postedBy?: Resolver<Maybe<ResolversTypes['Partner']>, ParentType, ContextType>;
  priority?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  recipient?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  referenceCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sender?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  smsCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  smsParts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  smsText?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subscriber?: Resolver<Maybe<ResolversTypes['Subscriber']>, ParentType, ContextType>;
  transactionOperationStatus?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType>;
  webhookDeliveries?: Resolver<Array<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MessageConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MessageConnection'] = ResolversParentTypes['MessageConnection']> = {
  edges?: Resolver<Array<ResolversTypes['MessageEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Message']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type MessageEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MessageEdge'] = ResolversParentTypes['MessageEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Message'], ParentType, ContextType>;
};

export type MessageEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MessageEvent'] = ResolversParentTypes['MessageEvent']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  eventDetail?: Resolver<ResolversTypes['MessageEventDetail'], ParentType, ContextType>;
  eventTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  eventType?: Resolver<ResolversTypes['EventType'], ParentType, ContextType>;
  eventid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['Message']>, ParentType, ContextType>;
};

export type MessageEventDetailResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MessageEventDetail'] = ResolversParentTypes['MessageEventDetail']> = {
  clientCorrelatorId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  otlTransactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  paymentDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['EventStatus'], ParentType, ContextType>;
};

export type MoneyResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money']> = {
  currency?: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  sendSms?: Resolver<Maybe<ResolversTypes['Message']>, ParentType, ContextType, RequireFields<MutationSendSmsArgs, 'input'>>;
  sendSmsBatch?: Resolver<Maybe<Array<ResolversTypes['SendSmsResult']>>, ParentType, ContextType, RequireFields<MutationSendSmsBatchArgs, 'input'>>;
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

export interface PhoneNumberScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['PhoneNumber'], any> {
  name: 'PhoneNumber';
}

export type QueryResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  latestEventCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['Message']>, ParentType, ContextType, RequireFields<QueryMessageArgs, 'otlTransactionId'>>;
  messages?: Resolver<Maybe<ResolversTypes['MessageConnection']>, ParentType, ContextType, Partial<QueryMessagesArgs>>;
  smsBatch?: Resolver<Maybe<ResolversTypes['SmsBatch']>, ParentType, ContextType, RequireFields<QuerySmsBatchArgs, 'batchId'>>;
};

export type SendSmsErrorResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SendSmsError'] = ResolversParentTypes['SendSmsError']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  existingId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  field?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SendSmsResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SendSmsResult'] = ResolversParentTypes['SendSmsResult']> = {
  batchId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['SendSmsError']>, ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['Message']>, ParentType, ContextType>;
  recipient?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SmsBatchResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SmsBatch'] = ResolversParentTypes['SmsBatch']> = {
  accepted?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  clientCorrelatorId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  pending?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  recipients?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  refused?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  sent?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type SmsBatchProgressResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SmsBatchProgress'] = ResolversParentTypes['SmsBatchProgress']> = {
  batch?: Resolver<ResolversTypes['SmsBatch'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SubscriberResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscriber'] = ResolversParentTypes['Subscriber'], FederationReferenceType extends FederationReferenceTypes['Subscriber'] = FederationReferenceTypes['Subscriber']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Subscriber']> | FederationReferenceType, FederationReferenceType, ContextType>;
  messages?: Resolver<Maybe<ResolversTypes['MessageConnection']>, ParentType, ContextType, Partial<SubscriberMessagesArgs>>;
  mobileNumber?: Resolver<ResolversTypes['PhoneNumber'], ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  messageEvents?: SubscriptionResolver<ResolversTypes['MessageEvent'], "messageEvents", ParentType, ContextType, Partial<SubscriptionMessageEventsArgs>>;
  smsBatchProgress?: SubscriptionResolver<ResolversTypes['SmsBatchProgress'], "smsBatchProgress", ParentType, ContextType, RequireFields<SubscriptionSmsBatchProgressArgs, 'batchId'>>;
};

export type TransactionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Transaction'] = ResolversParentTypes['Transaction']> = {
  __resolveType: TypeResolveFn<'Message', ParentType, ContextType>;
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

export type Resolvers<ContextType = GraphContext> = {
  Characteristic?: CharacteristicResolvers<ContextType>;
  CreditCardDetails?: CreditCardDetailsResolvers<ContextType>;
  Currency?: GraphQLScalarType;
  Customer?: CustomerResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  Eligibility?: EligibilityResolvers<ContextType>;
  Intervention?: InterventionResolvers<ContextType>;
  Message?: MessageResolvers<ContextType>;
  MessageConnection?: MessageConnectionResolvers<ContextType>;
  MessageEdge?: MessageEdgeResolvers<ContextType>;
  MessageEvent?: MessageEventResolvers<ContextType>;
  MessageEventDetail?: MessageEventDetailResolvers<ContextType>;
  Money?: MoneyResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Partner?: PartnerResolvers<ContextType>;
  PhoneNumber?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  SendSmsError?: SendSmsErrorResolvers<ContextType>;
  SendSmsResult?: SendSmsResultResolvers<ContextType>;
  SmsBatch?: SmsBatchResolvers<ContextType>;
  SmsBatchProgress?: SmsBatchProgressResolvers<ContextType>;
  Subscriber?: SubscriberResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Transaction?: TransactionResolvers<ContextType>;
  TransactionKind?: TransactionKindResolvers;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookAttempt?: WebhookAttemptResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
};
