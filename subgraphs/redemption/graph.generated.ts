/** Generated from schema/ by `npm run codegen`; do not edit. */
import type { Decimal } from '../../core/values/money.ts';
import type { GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { RedemptionTransaction as RestRedemptionTransaction, RedemptionInformation as RestRedemptionInformation, RedemptionMetaData as RestRedemptionMetaData, Characteristic as RestCharacteristic } from './rest.generated.ts';
import type { SelectedRow } from '../../core/transactions/columns.ts';
import type { TransactionPage } from '../../core/graph/connections.ts';
import type { EventRow } from '../../core/events/event.ts';
import type { DeliveryRow } from '../../core/webhooks/deliveries.ts';
import type { InterventionRow } from '../../core/transactions/settle/intervene.ts';
import type { SubscriberEntity, CustomerEntity } from '../../core/graph/directory-fields.ts';
import type { GraphContext } from '../../core/graph/loaders.ts';
import type { Maybe, InputMaybe, Omit, RequireFields, EnumResolverSignature, Scalars, CardType, Characteristic, CharacteristicInput, CreditCardDetails, CreditCardDetailsInput, Eligibility, EventStatus, EventType, Intervention, InterventionAction, LineScope, Money, Outcome, PageInfo, Partner, PaymentMethod, Role, TransactionFilter, TransactionKind, TransactionOrder, Webhook, WebhookAttempt, WebhookDelivery, WebhookDeliveryStatus, WebhookInput, ResolverTypeWrapper, ReferenceResolver, GraphQLRecursivePick, Resolver, SubscriptionResolver, TypeResolveFn, IsTypeOfResolverFn } from '../../core/graph/common.generated.ts';

/** A redemption to post. */
export type CreateRedemptionInput = {
  /** The redemption. */
  redemptionTransaction: RedemptionTransactionInput;
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
  /** Redeems points of a mobile number, as `POST /loyaltyredemption/v1/redemptions`: same fields, same rules, same errors. */
  createRedemption?: Maybe<Redemption>;
};

export type MutationCreateRedemptionArgs = {
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  input: CreateRedemptionInput;
};

export type Query = {
  __typename?: 'Query';
  /**
   * Where the event log stands: read it together with some state, then subscribe `after` it, and nothing that happens in
   * between is missed.
   */
  latestEventCursor?: Maybe<Scalars['String']['output']>;
  /** The redemption with this id; null when there is none that you may see. */
  redemption?: Maybe<Redemption>;
  /** The redemptions you may see, newest first. */
  redemptions?: Maybe<RedemptionConnection>;
};

export type QueryRedemptionArgs = {
  redemptionId: Scalars['ID']['input'];
};

export type QueryRedemptionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TransactionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

/** Points that were taken from a mobile number for something; declined when they do not suffice. */
export type Redemption = Transaction & {
  __typename?: 'Redemption';
  /** Always null: a redemption moves no money. */
  amount?: Maybe<Money>;
  /** The client's id of the request. */
  clientCorrelatorId?: Maybe<Scalars['String']['output']>;
  /** When it reached its final status. */
  completedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The `x-correlator` of the request that posted it; null for one from before it was kept. */
  correlator?: Maybe<Scalars['String']['output']>;
  /** When the service stored it. */
  createdAt: Scalars['DateTime']['output'];
  /** The account of that number when it was posted. */
  customer?: Maybe<Customer>;
  /** The same as `redemptionId`. */
  id: Scalars['ID']['output'];
  /** Interventions of the operator's portal, the oldest first. For portals and analysts. */
  interventions?: Maybe<Array<Intervention>>;
  /** REDEMPTION. */
  kind: TransactionKind;
  /** Outcome so far. */
  outcome: Outcome;
  /** The points redeemed. */
  points?: Maybe<Scalars['Decimal']['output']>;
  /** The client that posted it. */
  postedBy?: Maybe<Partner>;
  /** Why it ended as it did, in one sentence; null while it is pending. */
  reason?: Maybe<Scalars['String']['output']>;
  /** When the redemption was effectively performed; null until it succeeds. */
  redemptionDate?: Maybe<Scalars['DateTime']['output']>;
  /** The id that the service assigned. */
  redemptionId: Scalars['ID']['output'];
  /** The redemption as it was posted. */
  redemptionTransaction: RedemptionTransaction;
  /** The merchant's reference. */
  referenceCode?: Maybe<Scalars['String']['output']>;
  /** The mobile number that it is for. */
  subscriber?: Maybe<Subscriber>;
  /** `processing`, `pending`, `success`, `failed`, `cancelled`, `invalid`, `expired`, `declined` or `reversed`. */
  transactionOperationStatus: Scalars['String']['output'];
  /** Where its events go. */
  webhook?: Maybe<Webhook>;
  /** Its events on their way to its webhook, in the order of the events; empty when it has none. */
  webhookDeliveries: Array<WebhookDelivery>;
};

/** A page of redemptions. */
export type RedemptionConnection = {
  __typename?: 'RedemptionConnection';
  /** Redemptions with their cursors. */
  edges: Array<RedemptionEdge>;
  /** The redemptions alone. */
  nodes: Array<Redemption>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are on all pages. */
  totalCount: Scalars['Int']['output'];
};

/** A redemption in a connection. */
export type RedemptionEdge = {
  __typename?: 'RedemptionEdge';
  /** Where it stands; pass it as `after` or `before`. */
  cursor: Scalars['String']['output'];
  /** The redemption. */
  node: Redemption;
};

/** A redemption reached a final status: field by field what its webhook gets. */
export type RedemptionEvent = {
  __typename?: 'RedemptionEvent';
  /** Where it stands in the event log; pass it as `after` to resume behind it. */
  cursor: Scalars['String']['output'];
  /** Subject of the event. */
  eventDetail: RedemptionEventDetail;
  /** When it happened. */
  eventTime: Scalars['DateTime']['output'];
  /** Type of the event. */
  eventType: EventType;
  /** The id of the event. */
  eventid: Scalars['ID']['output'];
  /** The redemption itself, as it is now. */
  redemption?: Maybe<Redemption>;
};

/** Subject of an event of a redemption. */
export type RedemptionEventDetail = {
  __typename?: 'RedemptionEventDetail';
  /** The client's id of the request. */
  clientCorrelatorId?: Maybe<Scalars['String']['output']>;
  /** One sentence; on failure the reason. */
  description: Scalars['String']['output'];
  /** When it was effectively performed. */
  paymentDate?: Maybe<Scalars['DateTime']['output']>;
  /** The id of the redemption. */
  redemptionId: Scalars['ID']['output'];
  /** Whether it succeeded. */
  status: EventStatus;
};

/** Conditions that narrow events of redemptions; fields that are given must all hold. */
export type RedemptionEventFilter = {
  /** Only of this customer account. */
  customerAccountNumber?: InputMaybe<Scalars['String']['input']>;
  /** Only of these types. */
  eventTypes?: InputMaybe<Array<EventType>>;
  /** Only those that happened at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of this mobile number. */
  mobileNumber?: InputMaybe<Scalars['PhoneNumber']['input']>;
  /** Only of this redemption. */
  redemptionId?: InputMaybe<Scalars['ID']['input']>;
  /** Only those that happened at or before this instant; a date is the end of that day. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** The points of a redemption, and what they are for. */
export type RedemptionInformation = {
  __typename?: 'RedemptionInformation';
  /** Further properties. */
  characteristicList?: Maybe<Array<Characteristic>>;
  /** Purpose of the points. */
  description?: Maybe<Scalars['String']['output']>;
  /** The points redeemed. */
  redemptionPoints: Scalars['Decimal']['output'];
};

/** The points of a redemption, and what they are for. */
export type RedemptionInformationInput = {
  /** Further properties. */
  characteristicList?: InputMaybe<Array<CharacteristicInput>>;
  /** Purpose of the points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** The points to redeem: greater than 0, at most 2 decimals. */
  redemptionPoints: Scalars['Decimal']['input'];
};

/** Merchant, channel and product of a redemption. */
export type RedemptionMetaData = {
  __typename?: 'RedemptionMetaData';
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

/** Merchant, channel and product of a redemption. */
export type RedemptionMetaDataInput = {
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

/** A redemption as the client posted it. */
export type RedemptionTransaction = {
  __typename?: 'RedemptionTransaction';
  /** Identifies the request; the same value again is refused. */
  clientCorrelatorId: Scalars['String']['output'];
  /** The number whose points fall. */
  mobileNumber: Scalars['PhoneNumber']['output'];
  /** The points, and what they are for. */
  redemptionInformation?: Maybe<RedemptionInformation>;
  /** Merchant, channel and product. */
  redemptionMetaData?: Maybe<RedemptionMetaData>;
  /** The merchant's reference. */
  referenceCode?: Maybe<Scalars['String']['output']>;
};

/** A redemption to post: number, reference and points. */
export type RedemptionTransactionInput = {
  /** Identifies the request: the same value again is refused instead of carried out twice. */
  clientCorrelatorId: Scalars['String']['input'];
  /** An active mobile number of the operator; may be left out when your token is bound to one. */
  mobileNumber?: InputMaybe<Scalars['String']['input']>;
  /** The points, and what they are for; without it there is nothing to post. */
  redemptionInformation?: InputMaybe<RedemptionInformationInput>;
  /** Merchant, channel and product. */
  redemptionMetaData?: InputMaybe<RedemptionMetaDataInput>;
  /** Your reference. */
  referenceCode?: InputMaybe<Scalars['String']['input']>;
};

/** A mobile number of the operator, with its redemptions of loyalty points. */
export type Subscriber = {
  __typename?: 'Subscriber';
  /** The number. */
  mobileNumber: Scalars['PhoneNumber']['output'];
  /** The redemptions of this number, newest first. */
  redemptions?: Maybe<RedemptionConnection>;
};

/** A mobile number of the operator, with its redemptions of loyalty points. */
export type SubscriberRedemptionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TransactionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

export type Subscription = {
  __typename?: 'Subscription';
  /** Redemptions that reach a final status, as they do; of those you may see. */
  redemptionEvents: RedemptionEvent;
};

export type SubscriptionRedemptionEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RedemptionEventFilter>;
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
  Redemption: Redemption;
  Subscriber: Subscriber;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Redemption:
    ( { __typename: 'Redemption' }
    & GraphQLRecursivePick<FederationTypes['Redemption'], {"redemptionId":true}> );
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
  CreateRedemptionInput: CreateRedemptionInput;
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
  Redemption: ResolverTypeWrapper<SelectedRow>;
  RedemptionConnection: ResolverTypeWrapper<TransactionPage>;
  RedemptionEdge: ResolverTypeWrapper<Omit<RedemptionEdge, 'node'> & { node: ResolversTypes['Redemption'] }>;
  RedemptionEvent: ResolverTypeWrapper<EventRow>;
  RedemptionEventDetail: ResolverTypeWrapper<EventRow>;
  RedemptionEventFilter: RedemptionEventFilter;
  RedemptionInformation: ResolverTypeWrapper<RestRedemptionInformation>;
  RedemptionInformationInput: RedemptionInformationInput;
  RedemptionMetaData: ResolverTypeWrapper<RestRedemptionMetaData>;
  RedemptionMetaDataInput: RedemptionMetaDataInput;
  RedemptionTransaction: ResolverTypeWrapper<RestRedemptionTransaction>;
  RedemptionTransactionInput: RedemptionTransactionInput;
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
  CreateRedemptionInput: CreateRedemptionInput;
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
  Redemption: SelectedRow;
  RedemptionConnection: TransactionPage;
  RedemptionEdge: Omit<RedemptionEdge, 'node'> & { node: ResolversParentTypes['Redemption'] };
  RedemptionEvent: EventRow;
  RedemptionEventDetail: EventRow;
  RedemptionEventFilter: RedemptionEventFilter;
  RedemptionInformation: RestRedemptionInformation;
  RedemptionInformationInput: RedemptionInformationInput;
  RedemptionMetaData: RestRedemptionMetaData;
  RedemptionMetaDataInput: RedemptionMetaDataInput;
  RedemptionTransaction: RestRedemptionTransaction;
  RedemptionTransactionInput: RedemptionTransactionInput;
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
  createRedemption?: Resolver<Maybe<ResolversTypes['Redemption']>, ParentType, ContextType, RequireFields<MutationCreateRedemptionArgs, 'input'>>;
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
  redemption?: Resolver<Maybe<ResolversTypes['Redemption']>, ParentType, ContextType, RequireFields<QueryRedemptionArgs, 'redemptionId'>>;
  redemptions?: Resolver<Maybe<ResolversTypes['RedemptionConnection']>, ParentType, ContextType, Partial<QueryRedemptionsArgs>>;
};

export type RedemptionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Redemption'] = ResolversParentTypes['Redemption'], FederationReferenceType extends FederationReferenceTypes['Redemption'] = FederationReferenceTypes['Redemption']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Redemption']> | FederationReferenceType, FederationReferenceType, ContextType>;
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
  redemptionDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  redemptionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  redemptionTransaction?: Resolver<ResolversTypes['RedemptionTransaction'], ParentType, ContextType>;
  referenceCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  subscriber?: Resolver<Maybe<ResolversTypes['Subscriber']>, ParentType, ContextType>;
  transactionOperationStatus?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType>;
  webhookDeliveries?: Resolver<Array<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RedemptionConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RedemptionConnection'] = ResolversParentTypes['RedemptionConnection']> = {
  edges?: Resolver<Array<ResolversTypes['RedemptionEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Redemption']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RedemptionEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RedemptionEdge'] = ResolversParentTypes['RedemptionEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Redemption'], ParentType, ContextType>;
};

export type RedemptionEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RedemptionEvent'] = ResolversParentTypes['RedemptionEvent']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  eventDetail?: Resolver<ResolversTypes['RedemptionEventDetail'], ParentType, ContextType>;
  eventTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  eventType?: Resolver<ResolversTypes['EventType'], ParentType, ContextType>;
  eventid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  redemption?: Resolver<Maybe<ResolversTypes['Redemption']>, ParentType, ContextType>;
};

export type RedemptionEventDetailResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RedemptionEventDetail'] = ResolversParentTypes['RedemptionEventDetail']> = {
  clientCorrelatorId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  paymentDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  redemptionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['EventStatus'], ParentType, ContextType>;
};

export type RedemptionInformationResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RedemptionInformation'] = ResolversParentTypes['RedemptionInformation']> = {
  characteristicList?: Resolver<Maybe<Array<ResolversTypes['Characteristic']>>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  redemptionPoints?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export type RedemptionMetaDataResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RedemptionMetaData'] = ResolversParentTypes['RedemptionMetaData']> = {
  channel?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  characteristicList?: Resolver<Maybe<Array<ResolversTypes['Characteristic']>>, ParentType, ContextType>;
  merchantIdentifier?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  merchantName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  productId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  serviceId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type RedemptionTransactionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RedemptionTransaction'] = ResolversParentTypes['RedemptionTransaction']> = {
  clientCorrelatorId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mobileNumber?: Resolver<ResolversTypes['PhoneNumber'], ParentType, ContextType>;
  redemptionInformation?: Resolver<Maybe<ResolversTypes['RedemptionInformation']>, ParentType, ContextType>;
  redemptionMetaData?: Resolver<Maybe<ResolversTypes['RedemptionMetaData']>, ParentType, ContextType>;
  referenceCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type SubscriberResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscriber'] = ResolversParentTypes['Subscriber'], FederationReferenceType extends FederationReferenceTypes['Subscriber'] = FederationReferenceTypes['Subscriber']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Subscriber']> | FederationReferenceType, FederationReferenceType, ContextType>;
  mobileNumber?: Resolver<ResolversTypes['PhoneNumber'], ParentType, ContextType>;
  redemptions?: Resolver<Maybe<ResolversTypes['RedemptionConnection']>, ParentType, ContextType, Partial<SubscriberRedemptionsArgs>>;
};

export type SubscriptionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  redemptionEvents?: SubscriptionResolver<ResolversTypes['RedemptionEvent'], "redemptionEvents", ParentType, ContextType, Partial<SubscriptionRedemptionEventsArgs>>;
};

export type TransactionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Transaction'] = ResolversParentTypes['Transaction']> = {
  __resolveType: TypeResolveFn<'Redemption', ParentType, ContextType>;
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
  Redemption?: RedemptionResolvers<ContextType>;
  RedemptionConnection?: RedemptionConnectionResolvers<ContextType>;
  RedemptionEdge?: RedemptionEdgeResolvers<ContextType>;
  RedemptionEvent?: RedemptionEventResolvers<ContextType>;
  RedemptionEventDetail?: RedemptionEventDetailResolvers<ContextType>;
  RedemptionInformation?: RedemptionInformationResolvers<ContextType>;
  RedemptionMetaData?: RedemptionMetaDataResolvers<ContextType>;
  RedemptionTransaction?: RedemptionTransactionResolvers<ContextType>;
  Subscriber?: SubscriberResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Transaction?: TransactionResolvers<ContextType>;
  TransactionKind?: TransactionKindResolvers;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookAttempt?: WebhookAttemptResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
};
