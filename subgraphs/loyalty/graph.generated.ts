/** Generated from schema/ by `npm run codegen`; do not edit. */
import type { Decimal } from '../../core/values/money.ts';
import type { GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { RewardTransaction as RestRewardTransaction, RewardInformation as RestRewardInformation, RewardMetaData as RestRewardMetaData, Characteristic as RestCharacteristic } from './rest.generated.ts';
import type { SelectedRow } from '../../core/transactions/columns.ts';
import type { TransactionPage } from '../../core/graph/connections.ts';
import type { EventRow } from '../../core/events/event.ts';
import type { DeliveryRow } from '../../core/webhooks/deliveries.ts';
import type { InterventionRow } from '../../core/transactions/settle/intervene.ts';
import type { SubscriberEntity, CustomerEntity } from '../../core/graph/directory-fields.ts';
import type { GraphContext } from '../../core/graph/loaders.ts';
import type { Maybe, InputMaybe, Omit, RequireFields, EnumResolverSignature, Scalars, CardType, Characteristic, CharacteristicInput, CreditCardDetails, CreditCardDetailsInput, Eligibility, EventStatus, EventType, Intervention, InterventionAction, LineScope, Money, Outcome, PageInfo, Partner, PaymentMethod, Role, TransactionFilter, TransactionKind, TransactionOrder, Webhook, WebhookAttempt, WebhookDelivery, WebhookDeliveryStatus, WebhookInput, ResolverTypeWrapper, ReferenceResolver, GraphQLRecursivePick, Resolver, SubscriptionResolver, TypeResolveFn, IsTypeOfResolverFn } from '../../core/graph/common.generated.ts';

/** A reward to post. */
export type CreateRewardInput = {
  /** The reward. */
  rewardTransaction: RewardTransactionInput;
  /** Where to send its events. */
  webhook?: InputMaybe<WebhookInput>;
};

/** The customer account behind a mobile number. */
export type Customer = {
  __typename?: 'Customer';
  /** The account number. */
  customerAccountNumber: Scalars['String']['output'];
};

export type Mutation = {
  __typename?: 'Mutation';
  /** Adds points to a mobile number, as `POST /loyalty/v1/reward-points`: same fields, same rules, same errors. */
  createReward?: Maybe<Reward>;
};

export type MutationCreateRewardArgs = {
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  input: CreateRewardInput;
};

export type Query = {
  __typename?: 'Query';
  /**
   * Where the event log stands: read it together with some state, then subscribe `after` it, and nothing that happens in
   * between is missed.
   */
  latestEventCursor?: Maybe<Scalars['String']['output']>;
  /** The reward with this id; null when there is none that you may see. */
  reward?: Maybe<Reward>;
  /** The rewards you may see, newest first. */
  rewards?: Maybe<RewardConnection>;
};

export type QueryRewardArgs = {
  rewardId: Scalars['ID']['input'];
};

export type QueryRewardsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TransactionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

/** Points that were credited to a mobile number. */
export type Reward = Transaction & {
  __typename?: 'Reward';
  /** Always null: a reward moves no money. */
  amount?: Maybe<Money>;
  /** The client's id of the request. */
  clientCorrelatorId?: Maybe<Scalars['String']['output']>;
  /** When it reached its final status. */
  completedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The `x-correlator` of the request that posted it; null for one from before it was kept. */
  correlator?: Maybe<Scalars['String']['output']>;
  /** The same as `rewardCreationDate`. */
  createdAt: Scalars['DateTime']['output'];
  /** The account of that number when it was posted. */
  customer?: Maybe<Customer>;
  /** The same as `rewardId`. */
  id: Scalars['ID']['output'];
  /** Interventions of the operator's portal, the oldest first. For portals and analysts. */
  interventions?: Maybe<Array<Intervention>>;
  /** REWARD. */
  kind: TransactionKind;
  /** Outcome so far. */
  outcome: Outcome;
  /** The points added. */
  points?: Maybe<Scalars['Decimal']['output']>;
  /** The client that posted it. */
  postedBy?: Maybe<Partner>;
  /** Why it ended as it did, in one sentence; null while it is pending. */
  reason?: Maybe<Scalars['String']['output']>;
  /** The merchant's reference. */
  referenceCode?: Maybe<Scalars['String']['output']>;
  /** When the service stored it. */
  rewardCreationDate: Scalars['DateTime']['output'];
  /** When the reward was effectively performed; null until it succeeds. */
  rewardDate?: Maybe<Scalars['DateTime']['output']>;
  /** The id that the service assigned. */
  rewardId: Scalars['ID']['output'];
  /** The reward as it was posted. */
  rewardTransaction: RewardTransaction;
  /** The mobile number that it is for. */
  subscriber?: Maybe<Subscriber>;
  /** `processing`, `pending`, `success`, `failed`, `cancelled`, `invalid`, `expired`, `declined` or `reversed`. */
  transactionOperationStatus: Scalars['String']['output'];
  /** Where its events go. */
  webhook?: Maybe<Webhook>;
  /** Its events on their way to its webhook, in the order of the events; empty when it has none. */
  webhookDeliveries: Array<WebhookDelivery>;
};

/** A page of rewards. */
export type RewardConnection = {
  __typename?: 'RewardConnection';
  /** Rewards with their cursors. */
  edges: Array<RewardEdge>;
  /** The rewards alone. */
  nodes: Array<Reward>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are on all pages. */
  totalCount: Scalars['Int']['output'];
};

/** A reward in a connection. */
export type RewardEdge = {
  __typename?: 'RewardEdge';
  /** Where it stands; pass it as `after` or `before`. */
  cursor: Scalars['String']['output'];
  /** The reward. */
  node: Reward;
};

/** A reward reached a final status: field by field what its webhook gets. */
export type RewardEvent = {
  __typename?: 'RewardEvent';
  /** Where it stands in the event log; pass it as `after` to resume behind it. */
  cursor: Scalars['String']['output'];
  /** Subject of the event. */
  eventDetail: RewardEventDetail;
  /** When it happened. */
  eventTime: Scalars['DateTime']['output'];
  /** Type of the event. */
  eventType: EventType;
  /** The id of the event. */
  eventid: Scalars['ID']['output'];
  /** The reward itself, as it is now. */
  reward?: Maybe<Reward>;
};

/** Subject of an event of a reward. */
export type RewardEventDetail = {
  __typename?: 'RewardEventDetail';
  /** The client's id of the request. */
  clientCorrelatorId?: Maybe<Scalars['String']['output']>;
  /** One sentence; on failure the reason. */
  description: Scalars['String']['output'];
  /** When it was effectively performed. */
  paymentDate?: Maybe<Scalars['DateTime']['output']>;
  /** The id of the reward. */
  rewardId: Scalars['ID']['output'];
  /** Whether it succeeded. */
  status: EventStatus;
};

/** Conditions that narrow events of rewards; fields that are given must all hold. */
export type RewardEventFilter = {
  /** Only of this customer account. */
  customerAccountNumber?: InputMaybe<Scalars['String']['input']>;
  /** Only of these types. */
  eventTypes?: InputMaybe<Array<EventType>>;
  /** Only those that happened at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of this mobile number. */
  mobileNumber?: InputMaybe<Scalars['PhoneNumber']['input']>;
  /** Only of this reward. */
  rewardId?: InputMaybe<Scalars['ID']['input']>;
  /** Only those that happened at or before this instant; a date is the end of that day. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** The points of a reward, and what they are for. */
export type RewardInformation = {
  __typename?: 'RewardInformation';
  /** Further properties. */
  characteristicList?: Maybe<Array<Characteristic>>;
  /** Purpose of the points. */
  description?: Maybe<Scalars['String']['output']>;
  /** The points added. */
  rewardPoints: Scalars['Decimal']['output'];
};

/** The points of a reward, and what they are for. */
export type RewardInformationInput = {
  /** Further properties. */
  characteristicList?: InputMaybe<Array<CharacteristicInput>>;
  /** Purpose of the points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** The points to add: greater than 0, at most 2 decimals. */
  rewardPoints: Scalars['Decimal']['input'];
};

/** Merchant, channel and product of a reward. */
export type RewardMetaData = {
  __typename?: 'RewardMetaData';
  /** The channel, e.g. WAP, Web, SMS. */
  channel?: Maybe<Scalars['String']['output']>;
  /** Further properties. */
  characteristicList?: Maybe<Array<Characteristic>>;
  /** The actual merchant's identifier. */
  merchantIdentifier?: Maybe<Scalars['String']['output']>;
  /** The actual merchant when an aggregator posts. */
  merchantName?: Maybe<Scalars['String']['output']>;
  /** With `serviceId`, identifies the product. */
  productId?: Maybe<Scalars['String']['output']>;
  /** The partner's service identifier. */
  serviceId?: Maybe<Scalars['String']['output']>;
};

/** Merchant, channel and product of a reward. */
export type RewardMetaDataInput = {
  /** The channel, e.g. WAP, Web, SMS. */
  channel?: InputMaybe<Scalars['String']['input']>;
  /** Further properties. */
  characteristicList?: InputMaybe<Array<CharacteristicInput>>;
  /** The actual merchant's identifier. */
  merchantIdentifier?: InputMaybe<Scalars['String']['input']>;
  /** The actual merchant when an aggregator posts. */
  merchantName?: InputMaybe<Scalars['String']['input']>;
  /** With `serviceId`, identifies the product. */
  productId?: InputMaybe<Scalars['String']['input']>;
  /** The partner's service identifier. */
  serviceId?: InputMaybe<Scalars['String']['input']>;
};

/** A reward as the client posted it. */
export type RewardTransaction = {
  __typename?: 'RewardTransaction';
  /** Identifies the request; the same value again is refused. */
  clientCorrelatorId: Scalars['String']['output'];
  /** The number whose points rise. */
  mobileNumber: Scalars['PhoneNumber']['output'];
  /** The merchant's reference. */
  referenceCode?: Maybe<Scalars['String']['output']>;
  /** The points, and what they are for. */
  rewardInformation?: Maybe<RewardInformation>;
  /** Merchant, channel and product. */
  rewardMetaData?: Maybe<RewardMetaData>;
};

/** A reward to post: number, reference and points. */
export type RewardTransactionInput = {
  /** Identifies the request: the same value again is refused instead of applied twice. */
  clientCorrelatorId: Scalars['String']['input'];
  /** An active mobile number of the operator; may be left out when your token is bound to one. */
  mobileNumber?: InputMaybe<Scalars['String']['input']>;
  /** Your reference. */
  referenceCode?: InputMaybe<Scalars['String']['input']>;
  /** The points, and what they are for; without it there is nothing to post. */
  rewardInformation?: InputMaybe<RewardInformationInput>;
  /** Merchant, channel and product. */
  rewardMetaData?: InputMaybe<RewardMetaDataInput>;
};

/** A mobile number of the operator, with its loyalty points. */
export type Subscriber = {
  __typename?: 'Subscriber';
  /** The number. */
  mobileNumber: Scalars['PhoneNumber']['output'];
  /** The loyalty points it has. */
  pointsBalance?: Maybe<Scalars['Decimal']['output']>;
  /** Whether you could reward this number with so many points now: line, points, and your own limits. */
  rewardEligibility?: Maybe<Eligibility>;
  /** The rewards of this number, newest first. */
  rewards?: Maybe<RewardConnection>;
};

/** A mobile number of the operator, with its loyalty points. */
export type SubscriberRewardEligibilityArgs = {
  points: Scalars['Decimal']['input'];
};

/** A mobile number of the operator, with its loyalty points. */
export type SubscriberRewardsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TransactionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

export type Subscription = {
  __typename?: 'Subscription';
  /** Rewards that reach a final status, as they do; of those you may see. */
  rewardEvents: RewardEvent;
};

export type SubscriptionRewardEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RewardEventFilter>;
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
  Reward: Reward;
  Subscriber: Subscriber;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Reward:
    ( { __typename: 'Reward' }
    & GraphQLRecursivePick<FederationTypes['Reward'], {"rewardId":true}> );
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
  Characteristic: ResolverTypeWrapper<RestCharacteristic>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  CharacteristicInput: CharacteristicInput;
  CreateRewardInput: CreateRewardInput;
  CreditCardDetails: ResolverTypeWrapper<CreditCardDetails>;
  CreditCardDetailsInput: CreditCardDetailsInput;
  Currency: ResolverTypeWrapper<Scalars['Currency']['output']>;
  Customer: ResolverTypeWrapper<CustomerEntity>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  Eligibility: ResolverTypeWrapper<Eligibility>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  EventStatus: EventStatus;
  EventType: EventType;
  Intervention: ResolverTypeWrapper<InterventionRow>;
  InterventionAction: InterventionAction;
  LineScope: LineScope;
  Money: ResolverTypeWrapper<Money>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Outcome: Outcome;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Partner: ResolverTypeWrapper<Partner>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  PaymentMethod: PaymentMethod;
  PhoneNumber: ResolverTypeWrapper<Scalars['PhoneNumber']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Reward: ResolverTypeWrapper<SelectedRow>;
  RewardConnection: ResolverTypeWrapper<TransactionPage>;
  RewardEdge: ResolverTypeWrapper<Omit<RewardEdge, 'node'> & { node: ResolversTypes['Reward'] }>;
  RewardEvent: ResolverTypeWrapper<EventRow>;
  RewardEventDetail: ResolverTypeWrapper<EventRow>;
  RewardEventFilter: RewardEventFilter;
  RewardInformation: ResolverTypeWrapper<RestRewardInformation>;
  RewardInformationInput: RewardInformationInput;
  RewardMetaData: ResolverTypeWrapper<RestRewardMetaData>;
  RewardMetaDataInput: RewardMetaDataInput;
  RewardTransaction: ResolverTypeWrapper<RestRewardTransaction>;
  RewardTransactionInput: RewardTransactionInput;
  Role: Role;
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
  Characteristic: RestCharacteristic;
  String: Scalars['String']['output'];
  CharacteristicInput: CharacteristicInput;
  CreateRewardInput: CreateRewardInput;
  CreditCardDetails: CreditCardDetails;
  CreditCardDetailsInput: CreditCardDetailsInput;
  Currency: Scalars['Currency']['output'];
  Customer: CustomerEntity;
  DateTime: Scalars['DateTime']['output'];
  Decimal: Scalars['Decimal']['output'];
  Eligibility: Eligibility;
  Boolean: Scalars['Boolean']['output'];
  Intervention: InterventionRow;
  Money: Money;
  Mutation: Record<PropertyKey, never>;
  PageInfo: PageInfo;
  Partner: Partner;
  ID: Scalars['ID']['output'];
  PhoneNumber: Scalars['PhoneNumber']['output'];
  Query: Record<PropertyKey, never>;
  Reward: SelectedRow;
  RewardConnection: TransactionPage;
  RewardEdge: Omit<RewardEdge, 'node'> & { node: ResolversParentTypes['Reward'] };
  RewardEvent: EventRow;
  RewardEventDetail: EventRow;
  RewardEventFilter: RewardEventFilter;
  RewardInformation: RestRewardInformation;
  RewardInformationInput: RewardInformationInput;
  RewardMetaData: RestRewardMetaData;
  RewardMetaDataInput: RewardMetaDataInput;
  RewardTransaction: RestRewardTransaction;
  RewardTransactionInput: RewardTransactionInput;
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

export type MoneyResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money']> = {
  currency?: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createReward?: Resolver<Maybe<ResolversTypes['Reward']>, ParentType, ContextType, RequireFields<MutationCreateRewardArgs, 'input'>>;
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
  reward?: Resolver<Maybe<ResolversTypes['Reward']>, ParentType, ContextType, RequireFields<QueryRewardArgs, 'rewardId'>>;
  rewards?: Resolver<Maybe<ResolversTypes['RewardConnection']>, ParentType, ContextType, Partial<QueryRewardsArgs>>;
};

export type RewardResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Reward'] = ResolversParentTypes['Reward'], FederationReferenceType extends FederationReferenceTypes['Reward'] = FederationReferenceTypes['Reward']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Reward']> | FederationReferenceType, FederationReferenceType, ContextType>;
  amount?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  clientCorrelatorId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  completedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  correlator?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  customer?: Resolver<Maybe<ResolversTypes['Customer']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  interventions?: Resolver<Maybe<Array<ResolversTypes['Intervention']>>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['TransactionKind'], ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['Outcome'], ParentType, ContextType>;
  points?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  postedBy?: Resolver<Maybe<ResolversTypes['Partner']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  referenceCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rewardCreationDate?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  rewardDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rewardTransaction?: Resolver<ResolversTypes['RewardTransaction'], ParentType, ContextType>;
  subscriber?: Resolver<Maybe<ResolversTypes['Subscriber']>, ParentType, ContextType>;
  transactionOperationStatus?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType>;
  webhookDeliveries?: Resolver<Array<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RewardConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RewardConnection'] = ResolversParentTypes['RewardConnection']> = {
  edges?: Resolver<Array<ResolversTypes['RewardEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Reward']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RewardEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RewardEdge'] = ResolversParentTypes['RewardEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Reward'], ParentType, ContextType>;
};

export type RewardEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RewardEvent'] = ResolversParentTypes['RewardEvent']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  eventDetail?: Resolver<ResolversTypes['RewardEventDetail'], ParentType, ContextType>;
  eventTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  eventType?: Resolver<ResolversTypes['EventType'], ParentType, ContextType>;
  eventid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  reward?: Resolver<Maybe<ResolversTypes['Reward']>, ParentType, ContextType>;
};

export type RewardEventDetailResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RewardEventDetail'] = ResolversParentTypes['RewardEventDetail']> = {
  clientCorrelatorId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  paymentDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['EventStatus'], ParentType, ContextType>;
};

export type RewardInformationResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RewardInformation'] = ResolversParentTypes['RewardInformation']> = {
  characteristicList?: Resolver<Maybe<Array<ResolversTypes['Characteristic']>>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rewardPoints?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export type RewardMetaDataResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RewardMetaData'] = ResolversParentTypes['RewardMetaData']> = {
  channel?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  characteristicList?: Resolver<Maybe<Array<ResolversTypes['Characteristic']>>, ParentType, ContextType>;
  merchantIdentifier?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  merchantName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  productId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  serviceId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type RewardTransactionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RewardTransaction'] = ResolversParentTypes['RewardTransaction']> = {
  clientCorrelatorId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mobileNumber?: Resolver<ResolversTypes['PhoneNumber'], ParentType, ContextType>;
  referenceCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rewardInformation?: Resolver<Maybe<ResolversTypes['RewardInformation']>, ParentType, ContextType>;
  rewardMetaData?: Resolver<Maybe<ResolversTypes['RewardMetaData']>, ParentType, ContextType>;
};

export type SubscriberResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscriber'] = ResolversParentTypes['Subscriber'], FederationReferenceType extends FederationReferenceTypes['Subscriber'] = FederationReferenceTypes['Subscriber']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Subscriber']> | FederationReferenceType, FederationReferenceType, ContextType>;
  mobileNumber?: Resolver<ResolversTypes['PhoneNumber'], ParentType, ContextType>;
  pointsBalance?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  rewardEligibility?: Resolver<Maybe<ResolversTypes['Eligibility']>, ParentType, ContextType, RequireFields<SubscriberRewardEligibilityArgs, 'points'>>;
  rewards?: Resolver<Maybe<ResolversTypes['RewardConnection']>, ParentType, ContextType, Partial<SubscriberRewardsArgs>>;
};

export type SubscriptionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  rewardEvents?: SubscriptionResolver<ResolversTypes['RewardEvent'], "rewardEvents", ParentType, ContextType, Partial<SubscriptionRewardEventsArgs>>;
};

export type TransactionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Transaction'] = ResolversParentTypes['Transaction']> = {
  __resolveType: TypeResolveFn<'Reward', ParentType, ContextType>;
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
  Money?: MoneyResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Partner?: PartnerResolvers<ContextType>;
  PhoneNumber?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  Reward?: RewardResolvers<ContextType>;
  RewardConnection?: RewardConnectionResolvers<ContextType>;
  RewardEdge?: RewardEdgeResolvers<ContextType>;
  RewardEvent?: RewardEventResolvers<ContextType>;
  RewardEventDetail?: RewardEventDetailResolvers<ContextType>;
  RewardInformation?: RewardInformationResolvers<ContextType>;
  RewardMetaData?: RewardMetaDataResolvers<ContextType>;
  RewardTransaction?: RewardTransactionResolvers<ContextType>;
  Subscriber?: SubscriberResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Transaction?: TransactionResolvers<ContextType>;
  TransactionKind?: TransactionKindResolvers;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookAttempt?: WebhookAttemptResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
};
