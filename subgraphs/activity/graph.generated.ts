/** Generated from schema/ by `npm run codegen`; do not edit. */
import type { Decimal } from '../shared/values/decimal.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { DeliveryRow } from '../shared/delivery/deliveries.ts';
import type { DeliveryConnection } from '../shared/delivery/list.ts';
import type { GraphContext } from '../shared/graph/loaders.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** An ISO 4217 currency code, e.g. `OMR`. */
  Currency: { input: string; output: string; }
  /** An instant with its offset, e.g. `2026-11-20T06:15:00.123Z` (RFC 3339). */
  DateTime: { input: Date; output: Date; }
  /** An exact decimal number for money and points. Written as a JSON number that round-trips; read from a number or a string. */
  Decimal: { input: Decimal; output: Decimal; }
  /** A phone number in E.164 form with a plus, e.g. `+96891000001`. */
  PhoneNumber: { input: string; output: string; }
  _FieldSet: { input: unknown; output: unknown; }
};

/** Brands of cards. */
export type CardType =
  /** American Express. */
  | 'AmericanExpress'
  /** Discover. */
  | 'Discover'
  /** Mastercard. */
  | 'MasterCard'
  /** Visa. */
  | 'Visa';

/** One further property, by name. */
export type Characteristic = {
  __typename?: 'Characteristic';
  /** The name of the property. */
  name: Scalars['String']['output'];
  /** The value, as text. */
  value: Scalars['String']['output'];
  /** The data type of the value. */
  valueType?: Maybe<Scalars['String']['output']>;
};

/** One further property, by name. */
export type CharacteristicInput = {
  /** The name of the property. */
  name: Scalars['String']['input'];
  /** The value, as text. */
  value: Scalars['String']['input'];
  /** The data type of the value. */
  valueType?: InputMaybe<Scalars['String']['input']>;
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

/** The card a customer paid with. The security code is never kept. */
export type CreditCardDetails = {
  __typename?: 'CreditCardDetails';
  /** The authorization code of the card transaction. */
  authorizationCode?: Maybe<Scalars['String']['output']>;
  /** The name on the card. */
  cardHolderName?: Maybe<Scalars['String']['output']>;
  /** The card number, masked (`411111******1111`). */
  cardNumber?: Maybe<Scalars['String']['output']>;
  /** Visa, MasterCard, AmericanExpress or Discover. */
  cardType?: Maybe<CardType>;
  /** Month of expiry, 1 to 12. */
  expiryMonth?: Maybe<Scalars['Int']['output']>;
  /** Year of expiry. */
  expiryYear?: Maybe<Scalars['Int']['output']>;
};

/** The card a customer paid with. */
export type CreditCardDetailsInput = {
  /** The authorization code of the card transaction. */
  authorizationCode: Scalars['String']['input'];
  /** The name on the card. */
  cardHolderName?: InputMaybe<Scalars['String']['input']>;
  /** The card number; kept masked. */
  cardNumber?: InputMaybe<Scalars['String']['input']>;
  /** Visa, MasterCard, AmericanExpress or Discover. */
  cardType?: InputMaybe<CardType>;
  /** The card's security code; used for nothing and kept nowhere. */
  cvv?: InputMaybe<Scalars['String']['input']>;
  /** Month of expiry, 1 to 12. */
  expiryMonth?: InputMaybe<Scalars['Int']['input']>;
  /** Year of expiry. */
  expiryYear?: InputMaybe<Scalars['Int']['input']>;
};

/** Whether something could be posted now, and why not. */
export type Eligibility = {
  __typename?: 'Eligibility';
  /** Whether it could. */
  eligible: Scalars['Boolean']['output'];
  /** Why not; empty when it could. */
  reasons: Array<Scalars['String']['output']>;
};

/** A single SMS. */
export type Message = Transaction & {
  __typename?: 'Message';
  /** The same as `otlTransactionId`. */
  id: Scalars['ID']['output'];
  /** Its id. */
  otlTransactionId: Scalars['ID']['output'];
};

/** An amount of money. */
export type Money = {
  __typename?: 'Money';
  /** In which currency. */
  currency: Scalars['Currency']['output'];
  /** How much, with no more decimals than the currency has. */
  value: Scalars['Decimal']['output'];
};

export type Mutation = {
  __typename?: 'Mutation';
  /** Sends a webhook again: a dead one begins its attempts anew, one that waits is due at once. For portals. */
  redeliverWebhook?: Maybe<WebhookDelivery>;
};


export type MutationRedeliverWebhookArgs = {
  deliveryId: Scalars['ID']['input'];
};

/** What a transaction has come to, in one vocabulary for all kinds; `transactionOperationStatus` has the service's own word. */
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

/** Where a page of a connection stands (Relay cursor connections). */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** The last cursor of this page; pass it as `after` for the next one. */
  endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more after this page. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Whether there are more before this page. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** The first cursor of this page. */
  startCursor?: Maybe<Scalars['String']['output']>;
};

/** A client that posts transactions. */
export type Partner = {
  __typename?: 'Partner';
  /** The client id. */
  id: Scalars['ID']['output'];
  /** The name it is known by; the id if it has none. */
  name: Scalars['String']['output'];
};

/** A payment of a customer's bill. */
export type Payment = Transaction & {
  __typename?: 'Payment';
  /** The same as `paymentId`. */
  id: Scalars['ID']['output'];
  /** Its id. */
  paymentId: Scalars['ID']['output'];
};

/** How a customer paid. */
export type PaymentMethod =
  /** In cash. */
  | 'cash'
  /** By credit card. */
  | 'credit_card'
  /** By debit card. */
  | 'debit_card';

export type Query = {
  __typename?: 'Query';
  /** The client that asks. */
  me: Client;
  /** The transaction with this id, of whichever kind; null when there is none that you may see. */
  transaction?: Maybe<Transaction>;
  /** Events on their way to webhooks, as far as you may see them, newest first. */
  webhookDeliveries: WebhookDeliveryConnection;
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

/** A recharge of a prepaid number. */
export type Recharge = Transaction & {
  __typename?: 'Recharge';
  /** The same as `rechargeId`. */
  id: Scalars['ID']['output'];
  /** Its id. */
  rechargeId: Scalars['ID']['output'];
};

/** A redemption of loyalty points. */
export type Redemption = Transaction & {
  __typename?: 'Redemption';
  /** The same as `redemptionId`. */
  id: Scalars['ID']['output'];
  /** Its id. */
  redemptionId: Scalars['ID']['output'];
};

/** A reward of loyalty points. */
export type Reward = Transaction & {
  __typename?: 'Reward';
  /** The same as `rewardId`. */
  id: Scalars['ID']['output'];
  /** Its id. */
  rewardId: Scalars['ID']['output'];
};

/** The roles of clients. */
export type Role =
  /** Reads everything, changes nothing, sees no webhook address. */
  | 'analyst'
  /** Posts transactions and sees its own. */
  | 'partner'
  /** Reads everything, and may redeliver webhooks. */
  | 'portal';

/** A transaction of any kind, resolved by the subgraph that owns it. */
export type Transaction = {
  /** The contract's own id. */
  id: Scalars['ID']['output'];
};

/** What a connection of transactions is narrowed to; fields that are given must all hold. */
export type TransactionFilter = {
  /** Only the one with this correlator (per client). */
  clientCorrelatorId?: InputMaybe<Scalars['String']['input']>;
  /** Only of this customer account. */
  customerAccountNumber?: InputMaybe<Scalars['String']['input']>;
  /** Only those created at or after this instant. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of this mobile number. */
  mobileNumber?: InputMaybe<Scalars['PhoneNumber']['input']>;
  /** Only those with one of these outcomes. */
  outcomes?: InputMaybe<Array<Outcome>>;
  /** Only those with this reference. */
  referenceCode?: InputMaybe<Scalars['String']['input']>;
  /** Only those created at or before this instant. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** The five kinds of transaction. */
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
  /** The newest first (the default). */
  | 'NEWEST_FIRST'
  /** The oldest first. */
  | 'OLDEST_FIRST';

/** Where events of a transaction are sent. Not shown to analysts; the token is shown to nobody. */
export type Webhook = {
  __typename?: 'Webhook';
  /** The base of the callback address: events go to `<notificationUrl>/eventNotifications`. */
  notificationUrl: Scalars['String']['output'];
};

/** An event on its way to the webhook of its transaction. */
export type WebhookDelivery = {
  __typename?: 'WebhookDelivery';
  /** How many times it was attempted, since the last redelivery if there was one. */
  attempts: Scalars['Int']['output'];
  /** When the event occurred. */
  createdAt: Scalars['DateTime']['output'];
  /** When the receiver confirmed it. */
  deliveredAt?: Maybe<Scalars['DateTime']['output']>;
  /** The id of the event, the same over all attempts (`webhook-id`). */
  eventid: Scalars['ID']['output'];
  /** Its id; sent along as `x-correlator`. */
  id: Scalars['ID']['output'];
  /** The kind of that transaction. */
  kind: TransactionKind;
  /** Why the last attempt failed, at most 1 KiB: what the receiver answered, or why there was no answer. */
  lastError?: Maybe<Scalars['String']['output']>;
  /** The HTTP status of the receiver's last answer; null when there was no answer. */
  lastStatus?: Maybe<Scalars['Int']['output']>;
  /** When it is attempted next, at the earliest; null when there is no further attempt. */
  nextAttemptAt?: Maybe<Scalars['DateTime']['output']>;
  /** The base of the callback address. Not shown to analysts. */
  notificationUrl?: Maybe<Scalars['String']['output']>;
  /** What has become of it. */
  status: WebhookDeliveryStatus;
  /** The transaction that the event is about. */
  transactionId: Scalars['ID']['output'];
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

/** What deliveries are narrowed to; fields that are given must all hold. */
export type WebhookDeliveryFilter = {
  /** Only of this client's transactions. */
  clientId?: InputMaybe<Scalars['String']['input']>;
  /** Only of events at or after this instant. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of transactions of this kind. */
  kind?: InputMaybe<TransactionKind>;
  /** Only with this status. */
  status?: InputMaybe<WebhookDeliveryStatus>;
  /** Only of events at or before this instant. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of this transaction. */
  transactionId?: InputMaybe<Scalars['ID']['input']>;
};

/** What has become of an event on its way to a webhook. */
export type WebhookDeliveryStatus =
  /** Given up: after eight attempts, or because the receiver said 410. It can be redelivered. */
  | 'DEAD'
  /** The receiver has answered with success. */
  | 'DELIVERED'
  /** To be sent, or to be sent again. */
  | 'PENDING';

/** Where to send events of a transaction. */
export type WebhookInput = {
  /** The bearer token for the callback; kept encrypted, never returned. */
  notificationAuthToken?: InputMaybe<Scalars['String']['input']>;
  /** The base of the callback address: events go to `<notificationUrl>/eventNotifications`. */
  notificationUrl: Scalars['String']['input'];
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;




/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Transaction:
    | ( Message )
    | ( Payment )
    | ( Recharge )
    | ( Redemption )
    | ( Reward )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  CardType: CardType;
  Characteristic: ResolverTypeWrapper<Characteristic>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  CharacteristicInput: CharacteristicInput;
  Client: ResolverTypeWrapper<Client>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  CreditCardDetails: ResolverTypeWrapper<CreditCardDetails>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  CreditCardDetailsInput: CreditCardDetailsInput;
  Currency: ResolverTypeWrapper<Scalars['Currency']['output']>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  Eligibility: ResolverTypeWrapper<Eligibility>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Message: ResolverTypeWrapper<Message>;
  Money: ResolverTypeWrapper<Money>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Outcome: Outcome;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Partner: ResolverTypeWrapper<Partner>;
  Payment: ResolverTypeWrapper<Payment>;
  PaymentMethod: PaymentMethod;
  PhoneNumber: ResolverTypeWrapper<Scalars['PhoneNumber']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Recharge: ResolverTypeWrapper<Recharge>;
  Redemption: ResolverTypeWrapper<Redemption>;
  Reward: ResolverTypeWrapper<Reward>;
  Role: Role;
  Transaction: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Transaction']>;
  TransactionFilter: TransactionFilter;
  TransactionKind: TransactionKind;
  TransactionOrder: TransactionOrder;
  Webhook: ResolverTypeWrapper<Webhook>;
  WebhookDelivery: ResolverTypeWrapper<DeliveryRow>;
  WebhookDeliveryConnection: ResolverTypeWrapper<DeliveryConnection>;
  WebhookDeliveryEdge: ResolverTypeWrapper<Omit<WebhookDeliveryEdge, 'node'> & { node: ResolversTypes['WebhookDelivery'] }>;
  WebhookDeliveryFilter: WebhookDeliveryFilter;
  WebhookDeliveryStatus: WebhookDeliveryStatus;
  WebhookInput: WebhookInput;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Characteristic: Characteristic;
  String: Scalars['String']['output'];
  CharacteristicInput: CharacteristicInput;
  Client: Client;
  ID: Scalars['ID']['output'];
  CreditCardDetails: CreditCardDetails;
  Int: Scalars['Int']['output'];
  CreditCardDetailsInput: CreditCardDetailsInput;
  Currency: Scalars['Currency']['output'];
  DateTime: Scalars['DateTime']['output'];
  Decimal: Scalars['Decimal']['output'];
  Eligibility: Eligibility;
  Boolean: Scalars['Boolean']['output'];
  Message: Message;
  Money: Money;
  Mutation: Record<PropertyKey, never>;
  PageInfo: PageInfo;
  Partner: Partner;
  Payment: Payment;
  PhoneNumber: Scalars['PhoneNumber']['output'];
  Query: Record<PropertyKey, never>;
  Recharge: Recharge;
  Redemption: Redemption;
  Reward: Reward;
  Transaction: ResolversInterfaceTypes<ResolversParentTypes>['Transaction'];
  TransactionFilter: TransactionFilter;
  Webhook: Webhook;
  WebhookDelivery: DeliveryRow;
  WebhookDeliveryConnection: DeliveryConnection;
  WebhookDeliveryEdge: Omit<WebhookDeliveryEdge, 'node'> & { node: ResolversParentTypes['WebhookDelivery'] };
  WebhookDeliveryFilter: WebhookDeliveryFilter;
  WebhookInput: WebhookInput;
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

export type MessageResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Message'] = ResolversParentTypes['Message']> = {
  otlTransactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MoneyResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money']> = {
  currency?: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  redeliverWebhook?: Resolver<Maybe<ResolversTypes['WebhookDelivery']>, ParentType, ContextType, RequireFields<MutationRedeliverWebhookArgs, 'deliveryId'>>;
};

export type PageInfoResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PartnerResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Partner'] = ResolversParentTypes['Partner']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PaymentResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Payment'] = ResolversParentTypes['Payment']> = {
  paymentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export interface PhoneNumberScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['PhoneNumber'], any> {
  name: 'PhoneNumber';
}

export type QueryResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  me?: Resolver<ResolversTypes['Client'], ParentType, ContextType>;
  transaction?: Resolver<Maybe<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<QueryTransactionArgs, 'id'>>;
  webhookDeliveries?: Resolver<ResolversTypes['WebhookDeliveryConnection'], ParentType, ContextType, Partial<QueryWebhookDeliveriesArgs>>;
};

export type RechargeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Recharge'] = ResolversParentTypes['Recharge']> = {
  rechargeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RedemptionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Redemption'] = ResolversParentTypes['Redemption']> = {
  redemptionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RewardResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Reward'] = ResolversParentTypes['Reward']> = {
  rewardId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type TransactionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Transaction'] = ResolversParentTypes['Transaction']> = {
  __resolveType: TypeResolveFn<'Message' | 'Payment' | 'Recharge' | 'Redemption' | 'Reward', ParentType, ContextType>;
};

export type WebhookResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Webhook'] = ResolversParentTypes['Webhook']> = {
  notificationUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type WebhookDeliveryResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['WebhookDelivery'] = ResolversParentTypes['WebhookDelivery']> = {
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
  Characteristic?: CharacteristicResolvers<ContextType>;
  Client?: ClientResolvers<ContextType>;
  CreditCardDetails?: CreditCardDetailsResolvers<ContextType>;
  Currency?: GraphQLScalarType;
  DateTime?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  Eligibility?: EligibilityResolvers<ContextType>;
  Message?: MessageResolvers<ContextType>;
  Money?: MoneyResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Partner?: PartnerResolvers<ContextType>;
  Payment?: PaymentResolvers<ContextType>;
  PhoneNumber?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  Recharge?: RechargeResolvers<ContextType>;
  Redemption?: RedemptionResolvers<ContextType>;
  Reward?: RewardResolvers<ContextType>;
  Transaction?: TransactionResolvers<ContextType>;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  WebhookDeliveryConnection?: WebhookDeliveryConnectionResolvers<ContextType>;
  WebhookDeliveryEdge?: WebhookDeliveryEdgeResolvers<ContextType>;
};

