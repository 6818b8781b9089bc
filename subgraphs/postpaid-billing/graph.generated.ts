/** Generated from schema/ by `npm run codegen`; do not edit. */
import type { Decimal } from '../../core/values/money.ts';
import type { GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { PaymentTransaction as RestPaymentTransaction, CustomerInfo as RestCustomerInfo, PaymentInfo as RestPaymentInfo, PaymentInformation as RestPaymentInformation, PaymentItem as RestPaymentItem, PaymentMetaData as RestPaymentMetaData, CreditCardDetails as RestCreditCardDetails } from './rest.generated.ts';
import type { SelectedRow } from '../../core/transactions/columns.ts';
import type { CustomerEntity, SubscriberEntity, CustomerPage } from '../../core/graph/directory-fields.ts';
import type { TransactionPage } from '../../core/graph/connections.ts';
import type { EventRow } from '../../core/events/event.ts';
import type { DeliveryRow } from '../../core/webhooks/deliveries.ts';
import type { InterventionRow } from '../../core/transactions/settle/intervene.ts';
import type { LineRecord } from '../../core/directory/directory.ts';
import type { GraphContext } from '../../core/graph/loaders.ts';
import type { Maybe, InputMaybe, Omit, RequireFields, EnumResolverSignature, Scalars, CardType, Characteristic, CharacteristicInput, CreditCardDetails, CreditCardDetailsInput, Eligibility, EventStatus, EventType, Intervention, InterventionAction, LineScope, Money, Outcome, PageInfo, Partner, PaymentMethod, Role, TransactionFilter, TransactionKind, TransactionOrder, Webhook, WebhookAttempt, WebhookDelivery, WebhookDeliveryStatus, WebhookInput, ResolverTypeWrapper, ReferenceResolver, GraphQLRecursivePick, Resolver, SubscriptionResolver, TypeResolveFn, IsTypeOfResolverFn } from '../../core/graph/common.generated.ts';

/** A payment to post. */
export type CreateBillPaymentInput = {
  /** The payment. */
  paymentTransaction: PaymentTransactionInput;
  /** Where to send its events. */
  webhook?: InputMaybe<WebhookInput>;
};

/** A customer account: the contract's customer, and what hangs on it. */
export type Customer = {
  __typename?: 'Customer';
  /** The account's category, e.g. `residential`. */
  acctCategory?: Maybe<Scalars['String']['output']>;
  /** Whether the account is closed: a payment of its bill is accepted and then `denied`. */
  closed: Scalars['Boolean']['output'];
  /** Whether the account is in collections. */
  collectionIndicator?: Maybe<Scalars['String']['output']>;
  /** First line of the address. */
  custAddr1?: Maybe<Scalars['String']['output']>;
  /** Second line of the address. */
  custAddr2?: Maybe<Scalars['String']['output']>;
  /** Third line of the address. */
  custAddr3?: Maybe<Scalars['String']['output']>;
  /** The account number, used to pay bills. */
  customerAccountNumber: Scalars['String']['output'];
  /** The customer's name. */
  customerName?: Maybe<Scalars['String']['output']>;
  /** The contract's status: ACTIVE, PENDING or NEW; null where the operator gave none, as for an account that is closed. */
  customerStatus?: Maybe<Scalars['String']['output']>;
  /** 9 GSM postpaid, 11 GSM fax, 12 GSM data, 14 GSM prepaid, 200 and 203 PSTN. */
  customerType?: Maybe<Scalars['Int']['output']>;
  /** Phones, fixed lines and internet accounts. */
  lines: Array<Line>;
  /** The payments of this account's bills, newest first. */
  payments?: Maybe<PaymentConnection>;
  /** The mobile numbers among the lines. */
  subscribers: Array<Subscriber>;
  /** Dues of the customer, in Omani Riyals; below zero it is a credit. */
  totalDues: Scalars['Decimal']['output'];
};

/** A customer account: the contract's customer, and what hangs on it. */
export type CustomerPaymentsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TransactionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

/** A page of customers. */
export type CustomerConnection = {
  __typename?: 'CustomerConnection';
  /** Customers with their cursors. */
  edges: Array<CustomerEdge>;
  /** The customers alone. */
  nodes: Array<Customer>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are on all pages. */
  totalCount: Scalars['Int']['output'];
};

/** A customer in a connection. */
export type CustomerEdge = {
  __typename?: 'CustomerEdge';
  /** Where it stands; pass it as `after`. */
  cursor: Scalars['String']['output'];
  /** The customer. */
  node: Customer;
};

/** Conditions that narrow customers; fields that are given must all hold. */
export type CustomerFilter = {
  /** Only of this account category, exactly as `acctCategory` shows it. */
  category?: InputMaybe<Scalars['String']['input']>;
  /**
   * Only whose last payment that was carried out was created before this instant, or who never paid; a date is the start of that
   * day.
   */
  lastPaymentBefore?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only who owes at most this, in Omani Riyals; below zero, who has a credit of at least its size. */
  maxDues?: InputMaybe<Scalars['Decimal']['input']>;
  /** Only who owes at least this, in Omani Riyals. */
  minDues?: InputMaybe<Scalars['Decimal']['input']>;
  /**
   * Only whose account number, or the number of one of whose lines, begins with this: at least 2 characters. The country code may
   * be left out.
   */
  numberPrefix?: InputMaybe<Scalars['String']['input']>;
  /** The same as the argument `search`. */
  search?: InputMaybe<Scalars['String']['input']>;
};

/** Customer whose bill a payment is for. */
export type CustomerInfo = {
  __typename?: 'CustomerInfo';
  /** The account that the payment is posted against. */
  customerAccountNumber: Scalars['String']['output'];
  /** The fixed line the bill is for. */
  fixedlineNumber?: Maybe<Scalars['String']['output']>;
  /** The internet account the bill is for. */
  internetAccount?: Maybe<Scalars['String']['output']>;
  /** The postpaid phone number the bill is for. */
  phoneNumber?: Maybe<Scalars['PhoneNumber']['output']>;
};

/** Customer whose bill a payment is for. */
export type CustomerInfoInput = {
  /** The account to post against; the customer inquiry tells it. */
  customerAccountNumber: Scalars['String']['input'];
  /** The fixed line the bill is for. */
  fixedlineNumber?: InputMaybe<Scalars['String']['input']>;
  /** The internet account the bill is for. */
  internetAccount?: InputMaybe<Scalars['String']['input']>;
  /** The postpaid phone number the bill is for. Without it the payment is the account's (see `LineScope`). */
  phoneNumber?: InputMaybe<Scalars['String']['input']>;
};

/** The orders of customers. */
export type CustomerOrder =
  /** By account number. */
  | 'ACCOUNT_NUMBER'
  /** Largest dues first. */
  | 'LARGEST_DUES_FIRST'
  /** Smallest dues, or the largest credit, first. */
  | 'SMALLEST_DUES_FIRST';

/** A line of a customer account. */
export type Line = {
  __typename?: 'Line';
  /** Whether it is in use. */
  active: Scalars['Boolean']['output'];
  /** Its number: with a plus for phones and fixed lines, the name of an internet account. */
  number: Scalars['String']['output'];
  /** The subscriber, for a mobile number. */
  subscriber?: Maybe<Subscriber>;
  /** Its technology. */
  type: LineType;
};

/** Use of a mobile number. */
export type LineKind =
  /** GSM data. */
  | 'DATA'
  /** GSM fax. */
  | 'FAX'
  /** Billed at the end of the month. */
  | 'POSTPAID'
  /** Paid in advance. */
  | 'PREPAID';

/** The technologies of a line. */
export type LineType =
  /** A fixed line. */
  | 'FIXEDLINE'
  /** An internet account. */
  | 'INTERNET_ACCOUNT'
  /** A mobile number. */
  | 'PHONE';

export type Mutation = {
  __typename?: 'Mutation';
  /** Posts a bill payment, as `POST /postpaid-billing/v1/payments`: same fields, same rules, same errors. */
  createPayment?: Maybe<Payment>;
};

export type MutationCreatePaymentArgs = {
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  input: CreateBillPaymentInput;
};

/** A payment of a customer's bill. */
export type Payment = Transaction & {
  __typename?: 'Payment';
  /** The amount paid. */
  amount?: Maybe<Money>;
  /** The client's id of the request. */
  clientCorrelatorId?: Maybe<Scalars['String']['output']>;
  /** When it reached its final status. */
  completedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The `x-correlator` of the request that posted it; null for one from before it was kept. */
  correlator?: Maybe<Scalars['String']['output']>;
  /** The same as `paymentCreationDate`. */
  createdAt: Scalars['DateTime']['output'];
  /** The account that the payment was posted against. */
  customer?: Maybe<Customer>;
  /** The same as `paymentId`. */
  id: Scalars['ID']['output'];
  /** Interventions of the operator's portal, the oldest first. For portals and analysts. */
  interventions?: Maybe<Array<Intervention>>;
  /** PAYMENT. */
  kind: TransactionKind;
  /** Outcome so far. */
  outcome: Outcome;
  /** When the service stored it. */
  paymentCreationDate: Scalars['DateTime']['output'];
  /** When the payment was effectively performed. */
  paymentDate?: Maybe<Scalars['DateTime']['output']>;
  /** The id that the service assigned. */
  paymentId: Scalars['ID']['output'];
  /** The payment as it was posted. */
  paymentTransaction: PaymentTransaction;
  /** Always null: a payment moves no points. */
  points?: Maybe<Scalars['Decimal']['output']>;
  /** The client that posted it. */
  postedBy?: Maybe<Partner>;
  /** Why it ended as it did, in one sentence; null while it is pending. */
  reason?: Maybe<Scalars['String']['output']>;
  /** The merchant's reference, for disputes. */
  referenceCode?: Maybe<Scalars['String']['output']>;
  /** The mobile number whose bill was paid; null when the payment names none, and is its account's alone. */
  subscriber?: Maybe<Subscriber>;
  /** `processing`, `denied`, `reserved`, `succeeded` or `cancelled`. */
  transactionOperationStatus: Scalars['String']['output'];
  /** Where its events go. */
  webhook?: Maybe<Webhook>;
  /** Its events on their way to its webhook, in the order of the events; empty when it has none. */
  webhookDeliveries: Array<WebhookDelivery>;
};

/** A page of payments. */
export type PaymentConnection = {
  __typename?: 'PaymentConnection';
  /** Payments with their cursors. */
  edges: Array<PaymentEdge>;
  /** The payments alone. */
  nodes: Array<Payment>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** How many there are on all pages. */
  totalCount: Scalars['Int']['output'];
};

/** A payment in a connection. */
export type PaymentEdge = {
  __typename?: 'PaymentEdge';
  /** Where it stands; pass it as `after` or `before`. */
  cursor: Scalars['String']['output'];
  /** The payment. */
  node: Payment;
};

/** A payment reached a final status: field by field what its webhook gets. */
export type PaymentEvent = {
  __typename?: 'PaymentEvent';
  /** Where it stands in the event log; pass it as `after` to resume behind it. */
  cursor: Scalars['String']['output'];
  /** Subject of the event. */
  eventDetail: PaymentEventDetail;
  /** When it happened. */
  eventTime: Scalars['DateTime']['output'];
  /** Type of the event. */
  eventType: EventType;
  /** The id of the event. */
  eventid: Scalars['ID']['output'];
  /** The payment itself, as it is now. */
  payment?: Maybe<Payment>;
};

/** Subject of an event of a payment. */
export type PaymentEventDetail = {
  __typename?: 'PaymentEventDetail';
  /** The client's id of the request. */
  clientCorrelatorId?: Maybe<Scalars['String']['output']>;
  /** One sentence; on failure the reason. */
  description: Scalars['String']['output'];
  /** When it was effectively performed. */
  paymentDate?: Maybe<Scalars['DateTime']['output']>;
  /** The id of the payment. */
  paymentId: Scalars['ID']['output'];
  /** Whether it succeeded. */
  status: EventStatus;
};

/** Conditions that narrow events of payments; fields that are given must all hold. */
export type PaymentEventFilter = {
  /** Only of this customer account. */
  customerAccountNumber?: InputMaybe<Scalars['String']['input']>;
  /** Only of these types. */
  eventTypes?: InputMaybe<Array<EventType>>;
  /** Only those that happened at or after this instant; a date is the start of that day. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /**
   * Only what names this mobile number. A payment that was posted without one is its account's: follow it by
   * `customerAccountNumber`.
   */
  mobileNumber?: InputMaybe<Scalars['PhoneNumber']['input']>;
  /** Only of this payment. */
  paymentId?: InputMaybe<Scalars['ID']['input']>;
  /** Only those that happened at or before this instant; a date is the end of that day. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Amount that was paid, and the way. */
export type PaymentInfo = {
  __typename?: 'PaymentInfo';
  /** The amount item by item. */
  amountDetails?: Maybe<Array<PaymentItem>>;
  /** The amount and its description. */
  paymentInformation: PaymentInformation;
  /** Merchant, channel and method. */
  paymentMetaData?: Maybe<PaymentMetaData>;
};

/** Amount that is paid, and the way. */
export type PaymentInfoInput = {
  /** The amount item by item; at least one when present. */
  amountDetails?: InputMaybe<Array<PaymentInformationInput>>;
  /** The amount and its description. */
  paymentInformation: PaymentInformationInput;
  /** Merchant, channel and method. */
  paymentMetaData?: InputMaybe<PaymentMetaDataInput>;
};

/** An amount and its description. */
export type PaymentInformation = {
  __typename?: 'PaymentInformation';
  /** The amount paid. */
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
export type PaymentInformationInput = {
  /** The amount paid. */
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
export type PaymentItem = {
  __typename?: 'PaymentItem';
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

/** Merchant, channel and method of a payment. */
export type PaymentMetaData = {
  __typename?: 'PaymentMetaData';
  /** The channel, e.g. WAP, Web, SMS. */
  channel?: Maybe<Scalars['String']['output']>;
  /** The card, masked. */
  creditCardDetails?: Maybe<CreditCardDetails>;
  /** The currency of the fee. */
  currency?: Maybe<Scalars['Currency']['output']>;
  /** Percentage of the amount that the requester receives. */
  fee?: Maybe<Scalars['Decimal']['output']>;
  /** The invoice paid. */
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

/** Merchant, channel and method of a payment. */
export type PaymentMetaDataInput = {
  /** The channel, e.g. WAP, Web, SMS. */
  channel?: InputMaybe<Scalars['String']['input']>;
  /** The card, when paid by card. */
  creditCardDetails?: InputMaybe<CreditCardDetailsInput>;
  /** The currency of the fee. */
  currency?: InputMaybe<Scalars['String']['input']>;
  /** Percentage of the amount that the requester receives. */
  fee?: InputMaybe<Scalars['Decimal']['input']>;
  /** The invoice paid. */
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

/** A payment as the client posted it. */
export type PaymentTransaction = {
  __typename?: 'PaymentTransaction';
  /** Identifies the request; the same value again is refused. */
  clientCorrelatorId?: Maybe<Scalars['String']['output']>;
  /** Customer whose bill was paid. */
  customerInfo: CustomerInfo;
  /** Amount that was paid, and the way. */
  paymentInfo: PaymentInfo;
  /** The merchant's reference, 1 to 20 characters. */
  referenceCode: Scalars['String']['output'];
};

/** A payment to post: reference, customer and amount. */
export type PaymentTransactionInput = {
  /** Identifies the request: the same value again is refused instead of paid twice. Should be present. */
  clientCorrelatorId?: InputMaybe<Scalars['String']['input']>;
  /** Customer whose bill is paid. */
  customerInfo: CustomerInfoInput;
  /** Amount that is paid, and the way. */
  paymentInfo: PaymentInfoInput;
  /** Your reference, 1 to 20 characters. */
  referenceCode: Scalars['String']['input'];
};

export type Query = {
  __typename?: 'Query';
  /**
   * The customer inquiry: the customer that all given parameters lead to. Without any, the phone number that the
   * token is bound to is used.
   */
  customer?: Maybe<Customer>;
  /**
   * Customers by what a person types: the beginning of an account number, a phone number, fixed line or internet account,
   * or beginnings of words of the name, all of which must be found. Case does not matter. First who has the line, then by
   * the words found. With a filter or an order, those that fulfil all of it. Without anything, all. For portals and analysts.
   */
  customers?: Maybe<CustomerConnection>;
  /**
   * Where the event log stands: read it together with some state, then subscribe `after` it, and nothing that happens in
   * between is missed.
   */
  latestEventCursor?: Maybe<Scalars['String']['output']>;
  /** The payment with this id; null when there is none that you may see. */
  payment?: Maybe<Payment>;
  /** The payments you may see, newest first. */
  payments?: Maybe<PaymentConnection>;
  /** The subscriber with this mobile number; null when it is not one of the operator's. */
  subscriber?: Maybe<Subscriber>;
};

export type QueryCustomerArgs = {
  customerAccountNumber?: InputMaybe<Scalars['String']['input']>;
  fixedlineNumber?: InputMaybe<Scalars['String']['input']>;
  internetAccount?: InputMaybe<Scalars['String']['input']>;
  phoneNumber?: InputMaybe<Scalars['PhoneNumber']['input']>;
};

export type QueryCustomersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<CustomerFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<CustomerOrder>;
  search?: InputMaybe<Scalars['String']['input']>;
};

export type QueryPaymentArgs = {
  paymentId: Scalars['ID']['input'];
};

export type QueryPaymentsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TransactionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

export type QuerySubscriberArgs = {
  mobileNumber: Scalars['PhoneNumber']['input'];
};

/** A mobile number of the operator, and everything that hangs on it. */
export type Subscriber = {
  __typename?: 'Subscriber';
  /** Whether it is in use. */
  active: Scalars['Boolean']['output'];
  /** Customer that has it. */
  customer?: Maybe<Customer>;
  /** Use of the number. */
  kind: LineKind;
  /** The number. */
  mobileNumber: Scalars['PhoneNumber']['output'];
  /**
   * The payments of this number's bills, newest first. One that was posted without a phone number is its account's: it stands
   * here where the account has this line alone, and with `include: ACCOUNT`.
   */
  payments?: Maybe<PaymentConnection>;
};

/** A mobile number of the operator, and everything that hangs on it. */
export type SubscriberPaymentsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TransactionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  include?: InputMaybe<LineScope>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TransactionOrder>;
};

export type Subscription = {
  __typename?: 'Subscription';
  /** Payments that reach a final status, as they do; of those you may see. */
  paymentEvents: PaymentEvent;
};

export type SubscriptionPaymentEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<PaymentEventFilter>;
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
  Customer: Customer;
  Payment: Payment;
  Subscriber: Subscriber;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Customer:
    ( { __typename: 'Customer' }
    & GraphQLRecursivePick<FederationTypes['Customer'], {"customerAccountNumber":true}> );
  Payment:
    ( { __typename: 'Payment' }
    & GraphQLRecursivePick<FederationTypes['Payment'], {"paymentId":true}> );
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
  CreateBillPaymentInput: CreateBillPaymentInput;
  CreditCardDetails: ResolverTypeWrapper<RestCreditCardDetails>;
  CreditCardDetailsInput: CreditCardDetailsInput;
  Currency: ResolverTypeWrapper<Scalars['Currency']['output']>;
  Customer: ResolverTypeWrapper<CustomerEntity>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  CustomerConnection: ResolverTypeWrapper<CustomerPage>;
  CustomerEdge: ResolverTypeWrapper<Omit<CustomerEdge, 'node'> & { node: ResolversTypes['Customer'] }>;
  CustomerFilter: CustomerFilter;
  CustomerInfo: ResolverTypeWrapper<RestCustomerInfo>;
  CustomerInfoInput: CustomerInfoInput;
  CustomerOrder: CustomerOrder;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  Eligibility: ResolverTypeWrapper<Eligibility>;
  EventStatus: EventStatus;
  EventType: EventType;
  Intervention: ResolverTypeWrapper<InterventionRow>;
  InterventionAction: InterventionAction;
  Line: ResolverTypeWrapper<LineRecord>;
  LineKind: LineKind;
  LineScope: LineScope;
  LineType: LineType;
  Money: ResolverTypeWrapper<Money>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Outcome: Outcome;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Partner: ResolverTypeWrapper<Partner>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Payment: ResolverTypeWrapper<SelectedRow>;
  PaymentConnection: ResolverTypeWrapper<TransactionPage>;
  PaymentEdge: ResolverTypeWrapper<Omit<PaymentEdge, 'node'> & { node: ResolversTypes['Payment'] }>;
  PaymentEvent: ResolverTypeWrapper<EventRow>;
  PaymentEventDetail: ResolverTypeWrapper<EventRow>;
  PaymentEventFilter: PaymentEventFilter;
  PaymentInfo: ResolverTypeWrapper<RestPaymentInfo>;
  PaymentInfoInput: PaymentInfoInput;
  PaymentInformation: ResolverTypeWrapper<RestPaymentInformation>;
  PaymentInformationInput: PaymentInformationInput;
  PaymentItem: ResolverTypeWrapper<RestPaymentItem>;
  PaymentMetaData: ResolverTypeWrapper<RestPaymentMetaData>;
  PaymentMetaDataInput: PaymentMetaDataInput;
  PaymentMethod: PaymentMethod;
  PaymentTransaction: ResolverTypeWrapper<RestPaymentTransaction>;
  PaymentTransactionInput: PaymentTransactionInput;
  PhoneNumber: ResolverTypeWrapper<Scalars['PhoneNumber']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
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
  CreateBillPaymentInput: CreateBillPaymentInput;
  CreditCardDetails: RestCreditCardDetails;
  CreditCardDetailsInput: CreditCardDetailsInput;
  Currency: Scalars['Currency']['output'];
  Customer: CustomerEntity;
  Boolean: Scalars['Boolean']['output'];
  CustomerConnection: CustomerPage;
  CustomerEdge: Omit<CustomerEdge, 'node'> & { node: ResolversParentTypes['Customer'] };
  CustomerFilter: CustomerFilter;
  CustomerInfo: RestCustomerInfo;
  CustomerInfoInput: CustomerInfoInput;
  DateTime: Scalars['DateTime']['output'];
  Decimal: Scalars['Decimal']['output'];
  Eligibility: Eligibility;
  Intervention: InterventionRow;
  Line: LineRecord;
  Money: Money;
  Mutation: Record<PropertyKey, never>;
  PageInfo: PageInfo;
  Partner: Partner;
  ID: Scalars['ID']['output'];
  Payment: SelectedRow;
  PaymentConnection: TransactionPage;
  PaymentEdge: Omit<PaymentEdge, 'node'> & { node: ResolversParentTypes['Payment'] };
  PaymentEvent: EventRow;
  PaymentEventDetail: EventRow;
  PaymentEventFilter: PaymentEventFilter;
  PaymentInfo: RestPaymentInfo;
  PaymentInfoInput: PaymentInfoInput;
  PaymentInformation: RestPaymentInformation;
  PaymentInformationInput: PaymentInformationInput;
  PaymentItem: RestPaymentItem;
  PaymentMetaData: RestPaymentMetaData;
  PaymentMetaDataInput: PaymentMetaDataInput;
  PaymentTransaction: RestPaymentTransaction;
  PaymentTransactionInput: PaymentTransactionInput;
  PhoneNumber: Scalars['PhoneNumber']['output'];
  Query: Record<PropertyKey, never>;
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

export type CustomerResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Customer'] = ResolversParentTypes['Customer'], FederationReferenceType extends FederationReferenceTypes['Customer'] = FederationReferenceTypes['Customer']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Customer']> | FederationReferenceType, FederationReferenceType, ContextType>;
  acctCategory?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  closed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  collectionIndicator?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  custAddr1?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  custAddr2?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  custAddr3?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  customerAccountNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  customerName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  customerStatus?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  customerType?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  lines?: Resolver<Array<ResolversTypes['Line']>, ParentType, ContextType>;
  payments?: Resolver<Maybe<ResolversTypes['PaymentConnection']>, ParentType, ContextType, Partial<CustomerPaymentsArgs>>;
  subscribers?: Resolver<Array<ResolversTypes['Subscriber']>, ParentType, ContextType>;
  totalDues?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export type CustomerConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CustomerConnection'] = ResolversParentTypes['CustomerConnection']> = {
  edges?: Resolver<Array<ResolversTypes['CustomerEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Customer']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CustomerEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CustomerEdge'] = ResolversParentTypes['CustomerEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Customer'], ParentType, ContextType>;
};

export type CustomerInfoResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CustomerInfo'] = ResolversParentTypes['CustomerInfo']> = {
  customerAccountNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  fixedlineNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  internetAccount?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['PhoneNumber']>, ParentType, ContextType>;
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

export type LineResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Line'] = ResolversParentTypes['Line']> = {
  active?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  number?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subscriber?: Resolver<Maybe<ResolversTypes['Subscriber']>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['LineType'], ParentType, ContextType>;
};

export type MoneyResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money']> = {
  currency?: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createPayment?: Resolver<Maybe<ResolversTypes['Payment']>, ParentType, ContextType, RequireFields<MutationCreatePaymentArgs, 'input'>>;
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

export type PaymentResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Payment'] = ResolversParentTypes['Payment'], FederationReferenceType extends FederationReferenceTypes['Payment'] = FederationReferenceTypes['Payment']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Payment']> | FederationReferenceType, FederationReferenceType, ContextType>;
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
  paymentCreationDate?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  paymentDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  paymentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  paymentTransaction?: Resolver<ResolversTypes['PaymentTransaction'], ParentType, ContextType>;
  points?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  postedBy?: Resolver<Maybe<ResolversTypes['Partner']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  referenceCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  subscriber?: Resolver<Maybe<ResolversTypes['Subscriber']>, ParentType, ContextType>;
  transactionOperationStatus?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType>;
  webhookDeliveries?: Resolver<Array<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PaymentConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PaymentConnection'] = ResolversParentTypes['PaymentConnection']> = {
  edges?: Resolver<Array<ResolversTypes['PaymentEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Payment']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type PaymentEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PaymentEdge'] = ResolversParentTypes['PaymentEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Payment'], ParentType, ContextType>;
};

export type PaymentEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PaymentEvent'] = ResolversParentTypes['PaymentEvent']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  eventDetail?: Resolver<ResolversTypes['PaymentEventDetail'], ParentType, ContextType>;
  eventTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  eventType?: Resolver<ResolversTypes['EventType'], ParentType, ContextType>;
  eventid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  payment?: Resolver<Maybe<ResolversTypes['Payment']>, ParentType, ContextType>;
};

export type PaymentEventDetailResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PaymentEventDetail'] = ResolversParentTypes['PaymentEventDetail']> = {
  clientCorrelatorId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  paymentDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  paymentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['EventStatus'], ParentType, ContextType>;
};

export type PaymentInfoResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PaymentInfo'] = ResolversParentTypes['PaymentInfo']> = {
  amountDetails?: Resolver<Maybe<Array<ResolversTypes['PaymentItem']>>, ParentType, ContextType>;
  paymentInformation?: Resolver<ResolversTypes['PaymentInformation'], ParentType, ContextType>;
  paymentMetaData?: Resolver<Maybe<ResolversTypes['PaymentMetaData']>, ParentType, ContextType>;
};

export type PaymentInformationResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PaymentInformation'] = ResolversParentTypes['PaymentInformation']> = {
  amount?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isTaxIncluded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isVatIncluded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  taxAmount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  vatAmount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export type PaymentItemResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PaymentItem'] = ResolversParentTypes['PaymentItem']> = {
  amount?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isTaxIncluded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isVatIncluded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  taxAmount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  vatAmount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export type PaymentMetaDataResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PaymentMetaData'] = ResolversParentTypes['PaymentMetaData']> = {
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

export type PaymentTransactionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PaymentTransaction'] = ResolversParentTypes['PaymentTransaction']> = {
  clientCorrelatorId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  customerInfo?: Resolver<ResolversTypes['CustomerInfo'], ParentType, ContextType>;
  paymentInfo?: Resolver<ResolversTypes['PaymentInfo'], ParentType, ContextType>;
  referenceCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface PhoneNumberScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['PhoneNumber'], any> {
  name: 'PhoneNumber';
}

export type QueryResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  customer?: Resolver<Maybe<ResolversTypes['Customer']>, ParentType, ContextType, Partial<QueryCustomerArgs>>;
  customers?: Resolver<Maybe<ResolversTypes['CustomerConnection']>, ParentType, ContextType, Partial<QueryCustomersArgs>>;
  latestEventCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  payment?: Resolver<Maybe<ResolversTypes['Payment']>, ParentType, ContextType, RequireFields<QueryPaymentArgs, 'paymentId'>>;
  payments?: Resolver<Maybe<ResolversTypes['PaymentConnection']>, ParentType, ContextType, Partial<QueryPaymentsArgs>>;
  subscriber?: Resolver<Maybe<ResolversTypes['Subscriber']>, ParentType, ContextType, RequireFields<QuerySubscriberArgs, 'mobileNumber'>>;
};

export type SubscriberResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscriber'] = ResolversParentTypes['Subscriber'], FederationReferenceType extends FederationReferenceTypes['Subscriber'] = FederationReferenceTypes['Subscriber']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Subscriber']> | FederationReferenceType, FederationReferenceType, ContextType>;
  active?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  customer?: Resolver<Maybe<ResolversTypes['Customer']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['LineKind'], ParentType, ContextType>;
  mobileNumber?: Resolver<ResolversTypes['PhoneNumber'], ParentType, ContextType>;
  payments?: Resolver<Maybe<ResolversTypes['PaymentConnection']>, ParentType, ContextType, Partial<SubscriberPaymentsArgs>>;
};

export type SubscriptionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  paymentEvents?: SubscriptionResolver<ResolversTypes['PaymentEvent'], "paymentEvents", ParentType, ContextType, Partial<SubscriptionPaymentEventsArgs>>;
};

export type TransactionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Transaction'] = ResolversParentTypes['Transaction']> = {
  __resolveType: TypeResolveFn<'Payment', ParentType, ContextType>;
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
  CustomerConnection?: CustomerConnectionResolvers<ContextType>;
  CustomerEdge?: CustomerEdgeResolvers<ContextType>;
  CustomerInfo?: CustomerInfoResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  Eligibility?: EligibilityResolvers<ContextType>;
  Intervention?: InterventionResolvers<ContextType>;
  Line?: LineResolvers<ContextType>;
  Money?: MoneyResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Partner?: PartnerResolvers<ContextType>;
  Payment?: PaymentResolvers<ContextType>;
  PaymentConnection?: PaymentConnectionResolvers<ContextType>;
  PaymentEdge?: PaymentEdgeResolvers<ContextType>;
  PaymentEvent?: PaymentEventResolvers<ContextType>;
  PaymentEventDetail?: PaymentEventDetailResolvers<ContextType>;
  PaymentInfo?: PaymentInfoResolvers<ContextType>;
  PaymentInformation?: PaymentInformationResolvers<ContextType>;
  PaymentItem?: PaymentItemResolvers<ContextType>;
  PaymentMetaData?: PaymentMetaDataResolvers<ContextType>;
  PaymentTransaction?: PaymentTransactionResolvers<ContextType>;
  PhoneNumber?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  Subscriber?: SubscriberResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Transaction?: TransactionResolvers<ContextType>;
  TransactionKind?: TransactionKindResolvers;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookAttempt?: WebhookAttemptResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
};
