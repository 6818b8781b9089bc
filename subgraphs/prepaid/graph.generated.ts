/** Generated from schema/ by `npm run codegen`; do not edit. */
import type { Moment } from '../../core/values/time.ts';
import type { Decimal } from '../../core/values/decimal.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { RechargeTransaction as RestRechargeTransaction, RechargeInfo as RestRechargeInfo, RechargeInformation as RestRechargeInformation, RechargeItem as RestRechargeItem, RechargeMetaData as RestRechargeMetaData, CreditCardDetails as RestCreditCardDetails } from './rest.generated.ts';
import type { SelectedRow } from '../../core/transactions/columns.ts';
import type { TransactionPage } from '../../core/graph/connections.ts';
import type { EventRow } from '../../core/events/event.ts';
import type { DeliveryRow } from '../../core/webhooks/deliveries.ts';
import type { InterventionRow } from '../../core/transactions/settle/intervene.ts';
import type { SubscriberEntity, CustomerEntity } from '../../core/graph/entities.ts';
import type { GraphContext } from '../../core/graph/loaders.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
export type EnumResolverSignature<T, AllowedValues = any> = { [key in keyof T]?: AllowedValues };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** An ISO 4217 currency code, e.g. `OMR`. */
  Currency: { input: string; output: string; }
  /**
   * An instant with its offset, e.g. `2026-11-20T06:15:00.123Z` (RFC 3339). A filter also takes a date, e.g. `2026-11-20`, of
   * the operator's time zone: as `from` the start of that day, as `to` its end, so that the whole day is in.
   */
  DateTime: { input: Moment; output: Date; }
  /** An exact decimal number for money and points. Written as a JSON number that round-trips; read from a number or a string. */
  Decimal: { input: Decimal; output: Decimal; }
  /**
   * A phone number, shown in E.164 form with a plus, e.g. `+96891000001`; taken also without the plus (`96891000001`), and as
   * a national number (`91000001`).
   */
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

/** A recharge to post. */
export type CreateRechargeInput = {
  /** The recharge. */
  rechargeTransaction: RechargeTransactionInput;
  /** Where to send its events. */
  webhook?: InputMaybe<WebhookInput>;
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

/** The customer account that a mobile number belongs to. */
export type Customer = {
  __typename?: 'Customer';
  /** The account number. */
  customerAccountNumber: Scalars['String']['output'];
};

/** Whether something could be posted now, and why not. */
export type Eligibility = {
  __typename?: 'Eligibility';
  /** Whether it could. */
  eligible: Scalars['Boolean']['output'];
  /** Why not; empty when it could. */
  reasons: Array<Scalars['String']['output']>;
};

/** Whether what an event is about succeeded, in the contract's words. */
export type EventStatus =
  /** It was refused or failed, was cancelled or taken back; the description says why. */
  | 'failed'
  /** It was carried out. */
  | 'succeeded';

/** What has happened, in the contract's words. */
export type EventType =
  /** The transaction was carried out. */
  | 'PAYMENT_COMPLETED'
  /** The transaction was refused, failed, was cancelled, or was taken back after it had been carried out. */
  | 'PAYMENT_FAILED';

/** Something that the operator's portal did to a transaction, or wants done by its charging system. */
export type Intervention = {
  __typename?: 'Intervention';
  /** What. */
  action: InterventionAction;
  /** Who: the portal's client. */
  by: Partner;
  /** When it was carried out; null while the operator's charging system has not said so, and where that refused. */
  carriedOutAt?: Maybe<Scalars['DateTime']['output']>;
  /** The `x-correlator` of the request, by which the portal knows which of its users it was. */
  correlator: Scalars['String']['output'];
  /** Why, as the portal said. */
  reason: Scalars['String']['output'];
  /** Why the operator's charging system did not do it; null where it did, or has not answered. */
  refusal?: Maybe<Scalars['String']['output']>;
  /** When it was asked for. */
  requestedAt: Scalars['DateTime']['output'];
};

/** What an operator can do to a transaction. */
export type InterventionAction =
  /** End it before it is carried out (`cancelTransaction`). */
  | 'CANCEL'
  /** Take it back after it was carried out (`reverseTransaction`). */
  | 'REVERSE';

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
  /** Posts a recharge, as `POST /prepaid/v1/recharges`: same fields, same rules, same errors. */
  createRecharge?: Maybe<Recharge>;
};


export type MutationCreateRechargeArgs = {
  input: CreateRechargeInput;
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

/** A client of the graph, as others may know it. */
export type Partner = {
  __typename?: 'Partner';
  /** Whether it may use the interfaces; a client that was disabled may not. */
  active: Scalars['Boolean']['output'];
  /** The client id. */
  id: Scalars['ID']['output'];
  /** The name it is known by; the id if it has none. */
  name: Scalars['String']['output'];
  /** Its role; null for a client that only an outside token issuer knows. */
  role?: Maybe<Role>;
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
  /** What the operator's portal did to it, the oldest first. For portals and analysts. */
  interventions?: Maybe<Array<Intervention>>;
  /** RECHARGE. */
  kind: TransactionKind;
  /** What it has come to. */
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
  /** What it is about. */
  eventDetail: RechargeEventDetail;
  /** When it happened. */
  eventTime: Scalars['DateTime']['output'];
  /** What has happened. */
  eventType: EventType;
  /** The id of the event. */
  eventid: Scalars['ID']['output'];
  /** The recharge itself, as it is now. */
  recharge?: Maybe<Recharge>;
};

/** What an event of a recharge is about. */
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

/** What events of recharges are narrowed to; fields that are given must all hold. */
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

/** What was recharged and how. The amount stands in `rechargeInformation`, whichever of REST's two forms it was posted in. */
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
 * What is recharged and how. The amount stands in `rechargeInformation` or in the fields of the same names beside it;
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
  /** What was recharged and how. */
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
  /** What is recharged and how. */
  rechargeInfo?: InputMaybe<RechargeInfoInput>;
  /** Your reference. */
  referenceCode: Scalars['String']['input'];
};

/** The roles of clients. */
export type Role =
  /** Reads everything, changes nothing, sees no webhook address. */
  | 'analyst'
  /** Posts transactions and sees its own; may redeliver and test its own webhooks, and rotate their secret. */
  | 'partner'
  /** Reads everything; may cancel and reverse transactions, redeliver and test webhooks, and rotate their secrets. */
  | 'portal';

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
  /** What the operator's portal did to it, the oldest first; empty for most. For portals and analysts; a partner reads the `reason`. */
  interventions?: Maybe<Array<Intervention>>;
  /** Which kind of transaction it is. */
  kind: TransactionKind;
  /** What it has come to. */
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

/** What a connection of transactions is narrowed to; fields that are given must all hold. */
export type TransactionFilter = {
  /**
   * Only those with this correlator. A client uses it once for each kind, so a partner gets one or none; a portal or
   * analyst gets one of each client that used it, and `clientId` narrows them.
   */
  clientCorrelatorId?: InputMaybe<Scalars['String']['input']>;
  /** Only this client's. For portals and analysts; a partner sees only its own anyway. */
  clientId?: InputMaybe<Scalars['String']['input']>;
  /** Only of this customer account. */
  customerAccountNumber?: InputMaybe<Scalars['String']['input']>;
  /** Only those created at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only what names this mobile number; a payment that was posted without one is found by its account. */
  mobileNumber?: InputMaybe<Scalars['PhoneNumber']['input']>;
  /** Only those with one of these outcomes. */
  outcomes?: InputMaybe<Array<Outcome>>;
  /** Only those with this reference. */
  referenceCode?: InputMaybe<Scalars['String']['input']>;
  /** Only those created at or before this instant; a date is the end of that day. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
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
  /** What moves no money first, then the smallest amount, in whichever currency. Of timelines alone. */
  | 'SMALLEST_AMOUNT_FIRST';

/** Where events of a transaction are sent. Not shown to analysts; the token is shown to nobody. */
export type Webhook = {
  __typename?: 'Webhook';
  /** The base of the callback address: events go to `<notificationUrl>/eventNotifications`. */
  notificationUrl: Scalars['String']['output'];
};

/** One attempt to send an event to a webhook. */
export type WebhookAttempt = {
  __typename?: 'WebhookAttempt';
  /** When it began. */
  at: Scalars['DateTime']['output'];
  /** How long it took, in milliseconds. */
  durationMs: Scalars['Int']['output'];
  /** Why it failed, at most 1 KiB: what the receiver answered, or why there was no answer. Null when it succeeded. */
  error?: Maybe<Scalars['String']['output']>;
  /** The HTTP status of the receiver's answer; null when there was no answer. */
  status?: Maybe<Scalars['Int']['output']>;
};

/** An event on its way to the webhook of its transaction. */
export type WebhookDelivery = {
  __typename?: 'WebhookDelivery';
  /** Its attempts, the oldest first, those before a redelivery too; of more than 24 the newest. */
  attemptLog: Array<WebhookAttempt>;
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
  /**
   * Why the last attempt failed, at most 1 KiB: what the receiver answered, or why there was no answer. Without the token and
   * without any part of the address, which stand as `[…]`.
   */
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

export type ReferenceResolver<TResult, TReference, TContext> = (
      reference: TReference,
      context: TContext,
      info: GraphQLResolveInfo
    ) => Promise<TResult> | TResult;

      type ScalarCheck<T, S> = S extends true ? T : NullableCheck<T, S>;
      type NullableCheck<T, S> = Maybe<T> extends T ? Maybe<ListCheck<NonNullable<T>, S>> : ListCheck<T, S>;
      type ListCheck<T, S> = T extends (infer U)[] ? NullableCheck<U, S>[] : GraphQLRecursivePick<T, S>;
      export type GraphQLRecursivePick<T, S> = { [K in keyof T & keyof S]: ScalarCheck<T[K], S[K]> };
    

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
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
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
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Characteristic: Characteristic;
  String: Scalars['String']['output'];
  CharacteristicInput: CharacteristicInput;
  CreateRechargeInput: CreateRechargeInput;
  CreditCardDetails: RestCreditCardDetails;
  Int: Scalars['Int']['output'];
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

