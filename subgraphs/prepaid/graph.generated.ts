/** Generated from schema/ by `npm run codegen`; do not edit. */
import type { Decimal } from '../../core/values/money.ts';
import type { GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { RechargeTransaction as RestRechargeTransaction, RechargeInfo as RestRechargeInfo, RechargeInformation as RestRechargeInformation, RechargeItem as RestRechargeItem, RechargeMetaData as RestRechargeMetaData, CreditCardDetails as RestCreditCardDetails } from './rest.generated.ts';
import type { SelectedRow } from '../../core/transactions/columns.ts';
import type { TransactionPage } from '../../core/graph/connections.ts';
import type { EventRow } from '../../core/events/event.ts';
import type { DeliveryRow } from '../../core/webhooks/deliveries.ts';
import type { InterventionRow } from '../../core/transactions/settle/intervene.ts';
import type { SubscriberEntity, CustomerEntity } from '../../core/graph/directory-fields.ts';
import type { GraphContext } from '../../core/graph/loaders.ts';
import type { Maybe, InputMaybe, Omit, RequireFields, EnumResolverSignature, Scalars, CardType, Characteristic, CharacteristicInput, CreditCardDetails, CreditCardDetailsInput, Eligibility, EventStatus, EventType, Intervention, InterventionAction, LineScope, Money, Outcome, PageInfo, Partner, PaymentMethod, Role, TransactionFilter, TransactionKind, TransactionOrder, Webhook, WebhookAttempt, WebhookDelivery, WebhookDeliveryStatus, WebhookInput, ResolverTypeWrapper, ReferenceResolver, GraphQLRecursivePick, Resolver, SubscriptionResolver, TypeResolveFn, IsTypeOfResolverFn } from '../../core/graph/common.generated.ts';

/** A recharge to post. */
export type CreateRechargeInput = {
  /** The recharge. */
  rechargeTransaction: RechargeTransactionInput;
  /** Where to send its events. */
  webhook?: InputMaybe<WebhookInput>;
};

/** The customer account that a mobile number belongs to. */
export type Customer = {
  __typename?: 'Customer';
  /** The account number. */
  customerAccountNumber: Scalars['String']['output'];
};

export type Mutation = {
  __typename?: 'Mutation';
  /** Posts a recharge, as `POST /prepaid/v1/recharges`: same fields, same rules, same errors. */
  createRecharge?: Maybe<Recharge>;
};

export type MutationCreateRechargeArgs = {
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  input: CreateRechargeInput;
};

export type Query = {
  __typename?: 'Query';
  /**
   * Where the event log stands: read it together with some state, then subscribe `after` it, and nothing that happens in
   * between is missed.
   */
  latestEventCursor?: Maybe<Scalars['String']['output']>;
  /** The recharge with this id; null when there is none that you may see. */
  recharge?: Maybe<Recharge>;
  /** The recharges you may see, newest first. */
  recharges?: Maybe<RechargeConnection>;
};

export type QueryRechargeArgs = {
  rechargeId: Scalars['ID']['input'];
};

export type QueryRechargesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TransactionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

/** A recharge of a prepaid number's main balance. */
export type Recharge = Transaction & {
  __typename?: 'Recharge';
  /** The amount recharged. */
  amount?: Maybe<Money>;
  /** The client's id of the request. */
  clientCorrelatorId?: Maybe<Scalars['String']['output']>;
  /** When it reached its final status. */
  completedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The `x-correlator` of the request that posted it; null for one from before it was kept. */
  correlator?: Maybe<Scalars['String']['output']>;
  /** The same as `rechargeCreationDate`. */
  createdAt: Scalars['DateTime']['output'];
  /** The account that the number belongs to. */
  customer?: Maybe<Customer>;
  /** The same as `rechargeId`. */
  id: Scalars['ID']['output'];
  /** Interventions of the operator's portal, the oldest first. For portals and analysts. */
  interventions?: Maybe<Array<Intervention>>;
  /** RECHARGE. */
  kind: TransactionKind;
  /** Outcome so far. */
  outcome: Outcome;
  /** Always null: a recharge moves no points. */
  points?: Maybe<Scalars['Decimal']['output']>;
  /** The client that posted it. */
  postedBy?: Maybe<Partner>;
  /** Why it ended as it did, in one sentence; null while it is pending. */
  reason?: Maybe<Scalars['String']['output']>;
  /** When the service stored it. */
  rechargeCreationDate: Scalars['DateTime']['output'];
  /** When the recharge was effectively performed. */
  rechargeDate?: Maybe<Scalars['DateTime']['output']>;
  /** The id that the service assigned. */
  rechargeId: Scalars['ID']['output'];
  /** The recharge as it was posted. */
  rechargeTransaction: RechargeTransaction;
  /** The merchant's reference. */
  referenceCode?: Maybe<Scalars['String']['output']>;
  /** The mobile number recharged. */
  subscriber?: Maybe<Subscriber>;
  /** `processing`, `denied`, `succeeded` or `failed`. */
  transactionOperationStatus: Scalars['String']['output'];
  /** Where its events go. */
  webhook?: Maybe<Webhook>;
  /** Its events on their way to its webhook, in the order of the events; empty when it has none. */
  webhookDeliveries: Array<WebhookDelivery>;
};

/** A page of recharges. */
export type RechargeConnection = {
  __typename?: 'RechargeConnection';
  /** Recharges with their cursors. */
  edges: Array<RechargeEdge>;
  /** The recharges alone. */
  nodes: Array<Recharge>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are on all pages. */
  totalCount: Scalars['Int']['output'];
};

/** A recharge in a connection. */
export type RechargeEdge = {
  __typename?: 'RechargeEdge';
  /** Where it stands; pass it as `after` or `before`. */
  cursor: Scalars['String']['output'];
  /** The recharge. */
  node: Recharge;
};

/** A recharge reached a final status: field by field what its webhook gets. */
export type RechargeEvent = {
  __typename?: 'RechargeEvent';
  /** Where it stands in the event log; pass it as `after` to resume behind it. */
  cursor: Scalars['String']['output'];
  /** Subject of the event. */
  eventDetail: RechargeEventDetail;
  /** When it happened. */
  eventTime: Scalars['DateTime']['output'];
  /** Type of the event. */
  eventType: EventType;
  /** The id of the event. */
  eventid: Scalars['ID']['output'];
  /** The recharge itself, as it is now. */
  recharge?: Maybe<Recharge>;
};

/** Subject of an event of a recharge. */
export type RechargeEventDetail = {
  __typename?: 'RechargeEventDetail';
  /** The client's id of the request. */
  clientCorrelatorId?: Maybe<Scalars['String']['output']>;
  /** One sentence; on failure the reason. */
  description: Scalars['String']['output'];
  /** When it was effectively performed. */
  paymentDate?: Maybe<Scalars['DateTime']['output']>;
  /** The id of the recharge. */
  rechargeId: Scalars['ID']['output'];
  /** Whether it succeeded. */
  status: EventStatus;
};

/** Conditions that narrow events of recharges; fields that are given must all hold. */
export type RechargeEventFilter = {
  /** Only of this customer account. */
  customerAccountNumber?: InputMaybe<Scalars['String']['input']>;
  /** Only of these types. */
  eventTypes?: InputMaybe<Array<EventType>>;
  /** Only those that happened at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of this mobile number. */
  mobileNumber?: InputMaybe<Scalars['PhoneNumber']['input']>;
  /** Only of this recharge. */
  rechargeId?: InputMaybe<Scalars['ID']['input']>;
  /** Only those that happened at or before this instant; a date is the end of that day. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Amount that was recharged, and the way. The amount stands in `rechargeInformation`, whichever of REST's two forms it was posted in. */
export type RechargeInfo = {
  __typename?: 'RechargeInfo';
  /** The amount item by item. */
  amountDetails?: Maybe<Array<RechargeItem>>;
  /** The amount and its description. */
  rechargeInformation: RechargeInformation;
  /** Merchant, channel and method. */
  rechargeMetaData?: Maybe<RechargeMetaData>;
};

/**
 * Amount that is recharged, and the way. The amount stands in `rechargeInformation` or in the fields of the same names beside it;
 * one of the two is needed, and if both are given they must say the same.
 */
export type RechargeInfoInput = {
  /** The flat form of `rechargeInformation.amount`. */
  amount?: InputMaybe<Scalars['Decimal']['input']>;
  /** The amount item by item; at least one when present. */
  amountDetails?: InputMaybe<Array<RechargeInformationInput>>;
  /** The flat form of `rechargeInformation.currency`. */
  currency?: InputMaybe<Scalars['String']['input']>;
  /** The flat form of `rechargeInformation.description`. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** The flat form of `rechargeInformation.isTaxIncluded`. */
  isTaxIncluded?: InputMaybe<Scalars['Boolean']['input']>;
  /** The flat form of `rechargeInformation.isVatIncluded`. */
  isVatIncluded?: InputMaybe<Scalars['Boolean']['input']>;
  /** The number to recharge where the transaction's own is left out; if both are given, the same number. */
  mobileNumber?: InputMaybe<RechargeMobileNumberInput>;
  /** The amount and its description. */
  rechargeInformation?: InputMaybe<RechargeInformationInput>;
  /** Merchant, channel and method. */
  rechargeMetaData?: InputMaybe<RechargeMetaDataInput>;
  /** The flat form of `rechargeInformation.taxAmount`. */
  taxAmount?: InputMaybe<Scalars['Decimal']['input']>;
  /** The flat form of `rechargeInformation.vatAmount`. */
  vatAmount?: InputMaybe<Scalars['Decimal']['input']>;
};

/** An amount and its description. */
export type RechargeInformation = {
  __typename?: 'RechargeInformation';
  /** The amount recharged. */
  amount: Scalars['Decimal']['output'];
  /** Its currency. */
  currency: Scalars['Currency']['output'];
  /** Text for information and billing. */
  description: Scalars['String']['output'];
  /** Whether the amount includes tax. */
  isTaxIncluded: Scalars['Boolean']['output'];
  /** Whether the amount includes VAT. */
  isVatIncluded: Scalars['Boolean']['output'];
  /** The tax charged by the merchant, for information. */
  taxAmount?: Maybe<Scalars['Decimal']['output']>;
  /** The VAT, for information. */
  vatAmount?: Maybe<Scalars['Decimal']['output']>;
};

/** An amount and its description. */
export type RechargeInformationInput = {
  /** The amount to recharge. */
  amount: Scalars['Decimal']['input'];
  /** ISO 4217 code. */
  currency: Scalars['String']['input'];
  /** Text for information and billing. */
  description: Scalars['String']['input'];
  /** Whether the amount includes tax (default false). */
  isTaxIncluded?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the amount includes VAT (default false). */
  isVatIncluded?: InputMaybe<Scalars['Boolean']['input']>;
  /** The tax charged by the merchant, for information. */
  taxAmount?: InputMaybe<Scalars['Decimal']['input']>;
  /** The VAT, for information. */
  vatAmount?: InputMaybe<Scalars['Decimal']['input']>;
};

/** One item of an amount. */
export type RechargeItem = {
  __typename?: 'RechargeItem';
  /** The item's amount. */
  amount: Scalars['Decimal']['output'];
  /** Its currency. */
  currency: Scalars['Currency']['output'];
  /** Text for information and billing. */
  description: Scalars['String']['output'];
  /** Whether the amount includes tax. */
  isTaxIncluded: Scalars['Boolean']['output'];
  /** Whether the amount includes VAT. */
  isVatIncluded: Scalars['Boolean']['output'];
  /** The tax charged by the merchant, for information. */
  taxAmount?: Maybe<Scalars['Decimal']['output']>;
  /** The VAT, for information. */
  vatAmount?: Maybe<Scalars['Decimal']['output']>;
};

/** Merchant, channel and method of a recharge. */
export type RechargeMetaData = {
  __typename?: 'RechargeMetaData';
  /** The channel, e.g. WAP, Web, SMS. */
  channel?: Maybe<Scalars['String']['output']>;
  /** The card, masked. */
  creditCardDetails?: Maybe<CreditCardDetails>;
  /** The currency of the fee. */
  currency?: Maybe<Scalars['Currency']['output']>;
  /** Percentage of the amount that the requester receives. */
  fee?: Maybe<Scalars['Decimal']['output']>;
  /** The invoice this belongs to. */
  invoiceNumber?: Maybe<Scalars['String']['output']>;
  /** The actual merchant's identifier. */
  merchantIdentifier?: Maybe<Scalars['String']['output']>;
  /** The actual merchant when an aggregator posts. */
  merchantName?: Maybe<Scalars['String']['output']>;
  /** How the customer paid. */
  paymentMethod?: Maybe<PaymentMethod>;
  /** With `serviceId`, identifies the product. */
  productId?: Maybe<Scalars['String']['output']>;
  /** Category of service or product. */
  purchaseCategoryCode?: Maybe<Scalars['String']['output']>;
  /** The partner's service identifier. */
  serviceId?: Maybe<Scalars['String']['output']>;
};

/** Merchant, channel and method of a recharge. */
export type RechargeMetaDataInput = {
  /** The channel, e.g. WAP, Web, SMS. */
  channel?: InputMaybe<Scalars['String']['input']>;
  /** The card, when paid by card. */
  creditCardDetails?: InputMaybe<CreditCardDetailsInput>;
  /** The currency of the fee. */
  currency?: InputMaybe<Scalars['String']['input']>;
  /** Percentage of the amount that the requester receives. */
  fee?: InputMaybe<Scalars['Decimal']['input']>;
  /** The invoice this belongs to. */
  invoiceNumber?: InputMaybe<Scalars['String']['input']>;
  /** The actual merchant's identifier. */
  merchantIdentifier?: InputMaybe<Scalars['String']['input']>;
  /** The actual merchant when an aggregator posts. */
  merchantName?: InputMaybe<Scalars['String']['input']>;
  /** How the customer paid. */
  paymentMethod?: InputMaybe<PaymentMethod>;
  /** With `serviceId`, identifies the product. */
  productId?: InputMaybe<Scalars['String']['input']>;
  /** Category of service or product. */
  purchaseCategoryCode?: InputMaybe<Scalars['String']['input']>;
  /** The partner's service identifier. */
  serviceId?: InputMaybe<Scalars['String']['input']>;
};

/** The number to recharge, within the group. */
export type RechargeMobileNumberInput = {
  /** The number in E.164 with country code, with or without a leading plus. */
  mobileNumber?: InputMaybe<Scalars['String']['input']>;
};

/** A recharge as the client posted it. */
export type RechargeTransaction = {
  __typename?: 'RechargeTransaction';
  /** Identifies the request; the same value again is refused. */
  clientCorrelatorId: Scalars['String']['output'];
  /** The number recharged. */
  mobileNumber: Scalars['PhoneNumber']['output'];
  /** Amount that was recharged, and the way. */
  rechargeInfo: RechargeInfo;
  /** The merchant's reference. */
  referenceCode: Scalars['String']['output'];
};

/** A recharge to post: reference, number and amount. */
export type RechargeTransactionInput = {
  /** Identifies the request: the same value again is refused instead of recharged twice. */
  clientCorrelatorId: Scalars['String']['input'];
  /** The number to recharge, active and prepaid. It may stand in `rechargeInfo.mobileNumber` instead; both may be left out only when your token is bound to a number. */
  mobileNumber?: InputMaybe<Scalars['String']['input']>;
  /** Amount that is recharged, and the way. */
  rechargeInfo?: InputMaybe<RechargeInfoInput>;
  /** Your reference. */
  referenceCode: Scalars['String']['input'];
};

/** A mobile number of the operator, and what is recharged on it. */
export type Subscriber = {
  __typename?: 'Subscriber';
  /** The number. */
  mobileNumber: Scalars['PhoneNumber']['output'];
  /** The main balance in Omani Riyals; null when it is not a prepaid number. */
  prepaidBalance?: Maybe<Money>;
  /** Whether you could recharge this number by an amount now: it is active and prepaid, and your limits leave room. */
  rechargeEligibility?: Maybe<Eligibility>;
  /** The recharges of this number, newest first. */
  recharges?: Maybe<RechargeConnection>;
};

/** A mobile number of the operator, and what is recharged on it. */
export type SubscriberRechargeEligibilityArgs = {
  amount: Scalars['Decimal']['input'];
};

/** A mobile number of the operator, and what is recharged on it. */
export type SubscriberRechargesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TransactionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

export type Subscription = {
  __typename?: 'Subscription';
  /** Recharges that reach a final status, as they do; of those you may see. */
  rechargeEvents: RechargeEvent;
};

export type SubscriptionRechargeEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RechargeEventFilter>;
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
  Recharge: Recharge;
  Subscriber: Subscriber;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Recharge:
    ( { __typename: 'Recharge' }
    & GraphQLRecursivePick<FederationTypes['Recharge'], {"rechargeId":true}> );
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
  CreateRechargeInput: CreateRechargeInput;
  CreditCardDetails: ResolverTypeWrapper<RestCreditCardDetails>;
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
  Recharge: ResolverTypeWrapper<SelectedRow>;
  RechargeConnection: ResolverTypeWrapper<TransactionPage>;
  RechargeEdge: ResolverTypeWrapper<Omit<RechargeEdge, 'node'> & { node: ResolversTypes['Recharge'] }>;
  RechargeEvent: ResolverTypeWrapper<EventRow>;
  RechargeEventDetail: ResolverTypeWrapper<EventRow>;
  RechargeEventFilter: RechargeEventFilter;
  RechargeInfo: ResolverTypeWrapper<RestRechargeInfo>;
  RechargeInfoInput: RechargeInfoInput;
  RechargeInformation: ResolverTypeWrapper<RestRechargeInformation>;
  RechargeInformationInput: RechargeInformationInput;
  RechargeItem: ResolverTypeWrapper<RestRechargeItem>;
  RechargeMetaData: ResolverTypeWrapper<RestRechargeMetaData>;
  RechargeMetaDataInput: RechargeMetaDataInput;
  RechargeMobileNumberInput: RechargeMobileNumberInput;
  RechargeTransaction: ResolverTypeWrapper<RestRechargeTransaction>;
  RechargeTransactionInput: RechargeTransactionInput;
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
  Characteristic: Characteristic;
  String: Scalars['String']['output'];
  CharacteristicInput: CharacteristicInput;
  CreateRechargeInput: CreateRechargeInput;
  CreditCardDetails: RestCreditCardDetails;
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
  Recharge: SelectedRow;
  RechargeConnection: TransactionPage;
  RechargeEdge: Omit<RechargeEdge, 'node'> & { node: ResolversParentTypes['Recharge'] };
  RechargeEvent: EventRow;
  RechargeEventDetail: EventRow;
  RechargeEventFilter: RechargeEventFilter;
  RechargeInfo: RestRechargeInfo;
  RechargeInfoInput: RechargeInfoInput;
  RechargeInformation: RestRechargeInformation;
  RechargeInformationInput: RechargeInformationInput;
  RechargeItem: RestRechargeItem;
  RechargeMetaData: RestRechargeMetaData;
  RechargeMetaDataInput: RechargeMetaDataInput;
  RechargeMobileNumberInput: RechargeMobileNumberInput;
  RechargeTransaction: RestRechargeTransaction;
  RechargeTransactionInput: RechargeTransactionInput;
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
  createRecharge?: Resolver<Maybe<ResolversTypes['Recharge']>, ParentType, ContextType, RequireFields<MutationCreateRechargeArgs, 'input'>>;
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
  recharge?: Resolver<Maybe<ResolversTypes['Recharge']>, ParentType, ContextType, RequireFields<QueryRechargeArgs, 'rechargeId'>>;
  recharges?: Resolver<Maybe<ResolversTypes['RechargeConnection']>, ParentType, ContextType, Partial<QueryRechargesArgs>>;
};

export type RechargeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Recharge'] = ResolversParentTypes['Recharge'], FederationReferenceType extends FederationReferenceTypes['Recharge'] = FederationReferenceTypes['Recharge']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Recharge']> | FederationReferenceType, FederationReferenceType, ContextType>;
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
  rechargeCreationDate?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  rechargeDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  rechargeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rechargeTransaction?: Resolver<ResolversTypes['RechargeTransaction'], ParentType, ContextType>;
  referenceCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  subscriber?: Resolver<Maybe<ResolversTypes['Subscriber']>, ParentType, ContextType>;
  transactionOperationStatus?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType>;
  webhookDeliveries?: Resolver<Array<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RechargeConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RechargeConnection'] = ResolversParentTypes['RechargeConnection']> = {
  edges?: Resolver<Array<ResolversTypes['RechargeEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Recharge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RechargeEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RechargeEdge'] = ResolversParentTypes['RechargeEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Recharge'], ParentType, ContextType>;
};

export type RechargeEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RechargeEvent'] = ResolversParentTypes['RechargeEvent']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  eventDetail?: Resolver<ResolversTypes['RechargeEventDetail'], ParentType, ContextType>;
  eventTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  eventType?: Resolver<ResolversTypes['EventType'], ParentType, ContextType>;
  eventid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  recharge?: Resolver<Maybe<ResolversTypes['Recharge']>, ParentType, ContextType>;
};

export type RechargeEventDetailResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RechargeEventDetail'] = ResolversParentTypes['RechargeEventDetail']> = {
  clientCorrelatorId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  paymentDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  rechargeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['EventStatus'], ParentType, ContextType>;
};

export type RechargeInfoResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RechargeInfo'] = ResolversParentTypes['RechargeInfo']> = {
  amountDetails?: Resolver<Maybe<Array<ResolversTypes['RechargeItem']>>, ParentType, ContextType>;
  rechargeInformation?: Resolver<ResolversTypes['RechargeInformation'], ParentType, ContextType>;
  rechargeMetaData?: Resolver<Maybe<ResolversTypes['RechargeMetaData']>, ParentType, ContextType>;
};

export type RechargeInformationResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RechargeInformation'] = ResolversParentTypes['RechargeInformation']> = {
  amount?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isTaxIncluded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isVatIncluded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  taxAmount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  vatAmount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export type RechargeItemResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RechargeItem'] = ResolversParentTypes['RechargeItem']> = {
  amount?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isTaxIncluded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isVatIncluded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  taxAmount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  vatAmount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export type RechargeMetaDataResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RechargeMetaData'] = ResolversParentTypes['RechargeMetaData']> = {
  channel?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  creditCardDetails?: Resolver<Maybe<ResolversTypes['CreditCardDetails']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['Currency']>, ParentType, ContextType>;
  fee?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  invoiceNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  merchantIdentifier?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  merchantName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  paymentMethod?: Resolver<Maybe<ResolversTypes['PaymentMethod']>, ParentType, ContextType>;
  productId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  purchaseCategoryCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  serviceId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type RechargeTransactionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RechargeTransaction'] = ResolversParentTypes['RechargeTransaction']> = {
  clientCorrelatorId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mobileNumber?: Resolver<ResolversTypes['PhoneNumber'], ParentType, ContextType>;
  rechargeInfo?: Resolver<ResolversTypes['RechargeInfo'], ParentType, ContextType>;
  referenceCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SubscriberResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscriber'] = ResolversParentTypes['Subscriber'], FederationReferenceType extends FederationReferenceTypes['Subscriber'] = FederationReferenceTypes['Subscriber']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Subscriber']> | FederationReferenceType, FederationReferenceType, ContextType>;
  mobileNumber?: Resolver<ResolversTypes['PhoneNumber'], ParentType, ContextType>;
  prepaidBalance?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  rechargeEligibility?: Resolver<Maybe<ResolversTypes['Eligibility']>, ParentType, ContextType, RequireFields<SubscriberRechargeEligibilityArgs, 'amount'>>;
  recharges?: Resolver<Maybe<ResolversTypes['RechargeConnection']>, ParentType, ContextType, Partial<SubscriberRechargesArgs>>;
};

export type SubscriptionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  rechargeEvents?: SubscriptionResolver<ResolversTypes['RechargeEvent'], "rechargeEvents", ParentType, ContextType, Partial<SubscriptionRechargeEventsArgs>>;
};

export type TransactionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Transaction'] = ResolversParentTypes['Transaction']> = {
  __resolveType: TypeResolveFn<'Recharge', ParentType, ContextType>;
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
  Recharge?: RechargeResolvers<ContextType>;
  RechargeConnection?: RechargeConnectionResolvers<ContextType>;
  RechargeEdge?: RechargeEdgeResolvers<ContextType>;
  RechargeEvent?: RechargeEventResolvers<ContextType>;
  RechargeEventDetail?: RechargeEventDetailResolvers<ContextType>;
  RechargeInfo?: RechargeInfoResolvers<ContextType>;
  RechargeInformation?: RechargeInformationResolvers<ContextType>;
  RechargeItem?: RechargeItemResolvers<ContextType>;
  RechargeMetaData?: RechargeMetaDataResolvers<ContextType>;
  RechargeTransaction?: RechargeTransactionResolvers<ContextType>;
  Subscriber?: SubscriberResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Transaction?: TransactionResolvers<ContextType>;
  TransactionKind?: TransactionKindResolvers;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookAttempt?: WebhookAttemptResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
};
