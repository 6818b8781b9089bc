/** Generated from schema/ by `npm run codegen`; do not edit. */
import type { Decimal } from '../shared/values/decimal.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { EventConnection } from '../shared/delivery/event-connection.ts';
import type { EventRow } from '../shared/delivery/event.ts';
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

/** What events are narrowed to; fields that are given must all hold. */
export type EventFilter = {
  /** Only of this customer account. */
  customerAccountNumber?: InputMaybe<Scalars['String']['input']>;
  /** Only of these types. */
  eventTypes?: InputMaybe<Array<EventType>>;
  /** Only of the transaction with this id, of whichever kind. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** Only of these kinds. */
  kinds?: InputMaybe<Array<TransactionKind>>;
  /** Only of this mobile number. */
  mobileNumber?: InputMaybe<Scalars['PhoneNumber']['input']>;
};

/** Whether what an event is about succeeded, in the contract's words. */
export type EventStatus =
  /** It was refused or failed; the description says why. */
  | 'failed'
  /** It was carried out. */
  | 'succeeded';

/** What has happened, in the contract's words. */
export type EventType =
  /** The transaction was carried out. */
  | 'PAYMENT_COMPLETED'
  /** The transaction was refused or failed. */
  | 'PAYMENT_FAILED';

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
  /** The events you may see, newest first: what happened, and the cursors from which subscriptions can resume. */
  events: TransactionEventConnection;
  /** The client that asks. */
  me: Client;
  /** The transaction with this id, of whichever kind; null when there is none that you may see. */
  transaction?: Maybe<Transaction>;
};


export type QueryEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};


export type QueryTransactionArgs = {
  id: Scalars['ID']['input'];
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

export type Subscription = {
  __typename?: 'Subscription';
  /** Transactions of any kind that reach a final status, as they do; of those you may see. */
  transactionEvents: TransactionEvent;
};


export type SubscriptionTransactionEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilter>;
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
  /** What has happened. */
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
  EventFilter: EventFilter;
  EventStatus: EventStatus;
  EventType: EventType;
  Message: ResolverTypeWrapper<Message>;
  Money: ResolverTypeWrapper<Money>;
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
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Transaction: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Transaction']>;
  TransactionEvent: ResolverTypeWrapper<EventRow>;
  TransactionEventConnection: ResolverTypeWrapper<EventConnection>;
  TransactionEventEdge: ResolverTypeWrapper<Omit<TransactionEventEdge, 'node'> & { node: ResolversTypes['TransactionEvent'] }>;
  TransactionFilter: TransactionFilter;
  TransactionKind: TransactionKind;
  TransactionOrder: TransactionOrder;
  Webhook: ResolverTypeWrapper<Webhook>;
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
  EventFilter: EventFilter;
  Message: Message;
  Money: Money;
  PageInfo: PageInfo;
  Partner: Partner;
  Payment: Payment;
  PhoneNumber: Scalars['PhoneNumber']['output'];
  Query: Record<PropertyKey, never>;
  Recharge: Recharge;
  Redemption: Redemption;
  Reward: Reward;
  Subscription: Record<PropertyKey, never>;
  Transaction: ResolversInterfaceTypes<ResolversParentTypes>['Transaction'];
  TransactionEvent: EventRow;
  TransactionEventConnection: EventConnection;
  TransactionEventEdge: Omit<TransactionEventEdge, 'node'> & { node: ResolversParentTypes['TransactionEvent'] };
  TransactionFilter: TransactionFilter;
  Webhook: Webhook;
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
  events?: Resolver<ResolversTypes['TransactionEventConnection'], ParentType, ContextType, Partial<QueryEventsArgs>>;
  me?: Resolver<ResolversTypes['Client'], ParentType, ContextType>;
  transaction?: Resolver<Maybe<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<QueryTransactionArgs, 'id'>>;
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

export type SubscriptionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  transactionEvents?: SubscriptionResolver<ResolversTypes['TransactionEvent'], "transactionEvents", ParentType, ContextType, Partial<SubscriptionTransactionEventsArgs>>;
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

export type WebhookResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Webhook'] = ResolversParentTypes['Webhook']> = {
  notificationUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  PageInfo?: PageInfoResolvers<ContextType>;
  Partner?: PartnerResolvers<ContextType>;
  Payment?: PaymentResolvers<ContextType>;
  PhoneNumber?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  Recharge?: RechargeResolvers<ContextType>;
  Redemption?: RedemptionResolvers<ContextType>;
  Reward?: RewardResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Transaction?: TransactionResolvers<ContextType>;
  TransactionEvent?: TransactionEventResolvers<ContextType>;
  TransactionEventConnection?: TransactionEventConnectionResolvers<ContextType>;
  TransactionEventEdge?: TransactionEventEdgeResolvers<ContextType>;
  Webhook?: WebhookResolvers<ContextType>;
};

