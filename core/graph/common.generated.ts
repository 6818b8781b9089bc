/** Generated from schema/ by `npm run codegen`; do not edit. */
import type { Moment } from '../values/time.ts';
import type { Decimal, ShownDecimal } from '../values/money.ts';
import type { GraphQLResolveInfo } from 'graphql';
import type { GraphContext } from '../graph/loaders.ts';

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
  Decimal: { input: Decimal; output: ShownDecimal; }
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

/** Whether what an event is about succeeded, in the contract's words. */
export type EventStatus =
  /** It was refused or failed, was cancelled or taken back; the description says why. */
  | 'failed'
  /** It was carried out. */
  | 'succeeded';

/** Type of the event, in the contract's words. */
export type EventType =
  /** The transaction was carried out. */
  | 'PAYMENT_COMPLETED'
  /** The transaction was refused, failed, was cancelled, or was taken back after it had been carried out. */
  | 'PAYMENT_FAILED';

/** Something that the operator's portal did to a transaction, or wants done by its charging system. */
export type Intervention = {
  __typename?: 'Intervention';
  /** Action that was taken. */
  action: InterventionAction;
  /** Client of the portal that took it. */
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

/** Action of an operator on a transaction. */
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

/** Outcome of a transaction, in one vocabulary for all kinds; `transactionOperationStatus` has the service's own word. */
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

/** The roles of clients. */
export type Role =
  /** Reads everything, changes nothing, sees no webhook address. */
  | 'analyst'
  /** Reads who looked at whom (`accessRecords`) and who did what (`auditLog`), and nothing of subscribers or transactions. */
  | 'auditor'
  /** Posts transactions and sees its own; may redeliver and test its own webhooks, and rotate their secret. */
  | 'partner'
  /** Reads everything; may cancel and reverse transactions, redeliver and test webhooks, and rotate their secrets. */
  | 'portal';

/** Conditions that narrow a connection of transactions; fields that are given must all hold. */
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
  /** Transactions that move no money first, then the smallest amount, in whichever currency. Of timelines alone. */
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
  /** The client that posted the transaction, and whose webhook it is. */
  client: Partner;
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
  /** State of the delivery. */
  status: WebhookDeliveryStatus;
  /** The transaction that the event is about. */
  transactionId: Scalars['ID']['output'];
};

/** State of an event on its way to a webhook. */
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

export type ScalarCheck<T, S> = S extends true ? T : NullableCheck<T, S>;

export type NullableCheck<T, S> = Maybe<T> extends T ? Maybe<ListCheck<NonNullable<T>, S>> : ListCheck<T, S>;

export type ListCheck<T, S> = T extends (infer U)[] ? NullableCheck<U, S>[] : GraphQLRecursivePick<T, S>;

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

export type RequiresRoleDirectiveArgs = {
  anyOf: Array<Role>;
};

export type RequiresRoleDirectiveResolver<Result, Parent, ContextType = GraphContext, Args = RequiresRoleDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type SemanticNonNullDirectiveArgs = {
  levels?: Array<Scalars['Int']['input']>;
};

export type SemanticNonNullDirectiveResolver<Result, Parent, ContextType = GraphContext, Args = SemanticNonNullDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type DirectiveResolvers<ContextType = GraphContext> = {
  requiresRole?: RequiresRoleDirectiveResolver<any, any, ContextType>;
  semanticNonNull?: SemanticNonNullDirectiveResolver<any, any, ContextType>;
};
