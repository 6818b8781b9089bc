/**
 * Validation that the requests of all kinds share, on their way to a new transaction, and card numbers in their free
 * texts.
 */

import { type Caller, type Limits, phoneInContext } from '../../access/principal.ts'
import type { App, Platform } from '../../context/app.ts'
import type { LineRecord } from '../../directory/directory.ts'
import { checkWebhookAddress, checkWebhookToken } from '../../egress/callback-policy.ts'
import { invalidField, ServiceError } from '../../errors/catalogue.ts'
import { combine, type Faults, together } from '../../errors/faults.ts'
import { checkCard, checkExpiry, holdsCardNumber, withoutSecrets } from '../../values/card.ts'
import { newId } from '../../values/id.ts'
import { textsIn } from '../../values/json.ts'
import { checkAmount, checkCurrency, checkInformational, type Decimal } from '../../values/money.ts'
import { parsePhone } from '../../values/phone.ts'
import type { IdempotencyKey } from './idempotency-key.ts'

interface CardBody {
  cardNumber?: string
  expiryMonth?: number
  expiryYear?: number
  cvv?: string
}

interface MetaDataBody {
  fee?: number
  currency?: string
  creditCardDetails?: CardBody
}

const checkCardDetails = (path: string, card: CardBody, { dummyCards }: Limits) => {
  const rules = { dummyAllowed: dummyCards }
  const { cardNumber } = card
  return together(faults => {
    if (cardNumber !== undefined) faults.check(() => checkCard(`${path}.cardNumber`, cardNumber, rules))
    faults.check(() => checkExpiry(path, card.expiryMonth, card.expiryYear, rules))
    return withoutSecrets(card)
  })
}

/** Checks metadata and returns what of it may be kept: no security code, the card number masked. */
export const keepMetaData = <T extends MetaDataBody>(path: string, metaData: T, limits: Limits): T =>
  together(faults => {
    const { fee, currency, creditCardDetails: card } = metaData
    if (fee !== undefined) faults.check(() => checkInformational(`${path}.fee`, fee))
    if (currency !== undefined) faults.check(() => checkCurrency(`${path}.currency`, currency))
    if (!card) return metaData
    const kept = faults.check(() => checkCardDetails(`${path}.creditCardDetails`, card, limits))
    return { ...metaData, creditCardDetails: kept }
  })

/** Numbers of their own kind, which may look like a card's; the card's own field is masked by now, or checked. */
const NOT_FREE = /(^|\.)(cardNumber|mobileNumber|phoneNumber|fixedlineNumber|recipient)$/

/**
 * Looks through the texts of a transaction for card numbers: each is counted, and logged by its path without any digit.
 * @param service the service in the metric.
 * @param path the place of the transaction in the request; empty for the top.
 * @throws ServiceError INVALID_ARGUMENT naming the path, where `CARD_TEXTS` is `refuse`.
 */
export function checkCardTexts(
  app: Platform,
  { correlator }: Caller,
  service: string,
  path: string,
  body: unknown,
): void {
  const refusals: ServiceError[] = []
  for (const [at, text] of textsIn(body, path)) {
    if (NOT_FREE.test(at) || !holdsCardNumber(text)) continue
    // Without indexes, so that the metric has no more fields than the contract.
    app.metrics.cardLikeTexts.inc({ service, field: at.replace(/\[\d+\]/g, '') })
    app.log.warn({ service, path: at, correlator }, 'a free text looks as if it held a card number')
    refusals.push(invalidField(at, 'CARD_NUMBER_IN_TEXT', 'must not hold a card number'))
  }
  const refusal = combine(refusals)
  if (refusal && app.config.cardTexts === 'refuse') throw refusal
}

/** A transaction that has passed every rule that can be checked without looking at other transactions. */
export interface NewTransaction {
  readonly id: string
  readonly clientId: string
  readonly limits: Limits
  /** `x-correlator` of the request. */
  readonly correlator: string
  /** Place of the request in a trace. */
  readonly trace?: string | undefined
  readonly clientCorrelatorId?: string
  /** The key under which a repetition of the request gets the same response, if it came with one. */
  readonly idempotency?: IdempotencyKey | undefined
  readonly referenceCode?: string
  readonly accountNumber?: string
  readonly mobileNumber?: string
  readonly currency?: string
  readonly amount?: Decimal
  readonly points?: Decimal
  /** The place of the amount or the points in the request. */
  readonly measuredAt?: string
  /** The request as the client sent it, without its secrets: what REST echoes. */
  readonly body: unknown
  readonly webhookUrl?: string
  /** Encrypted. */
  readonly webhookToken?: string
}

/** The part of a transaction that its client's limits are checked against. */
export type Measured = Pick<
  NewTransaction,
  'clientId' | 'limits' | 'accountNumber' | 'mobileNumber' | 'currency' | 'amount' | 'points' | 'measuredAt'
>

interface WebhookBody {
  notificationUrl: string
  notificationAuthToken?: string
}

interface Identified {
  clientCorrelatorId?: string
  referenceCode?: string
  webhook?: WebhookBody
}

/** The path of a field of the group at `path`, which is empty for the top. */
export const fieldOf = (path: string, name: string): string => (path ? `${path}.${name}` : name)

const checkWebhook = (app: App, { notificationUrl, notificationAuthToken: token }: WebhookBody) =>
  together(faults => {
    const { webhookAllow } = app.config
    faults.check(() => checkWebhookAddress('webhook.notificationUrl', notificationUrl, webhookAllow))
    if (token) faults.check(() => checkWebhookToken('webhook.notificationAuthToken', token))
  })

const webhookOf = (app: App, webhook: WebhookBody | undefined) => {
  if (!webhook) return {}
  checkWebhook(app, webhook)
  const token = webhook.notificationAuthToken || undefined
  return {
    webhookUrl: webhook.notificationUrl,
    webhookToken: token === undefined ? undefined : app.access.cipher.encrypt(token),
  }
}

/** The start of a new transaction: its id, its client, its correlator, and the address for its events. */
export function startTransaction(
  app: App,
  { principal, correlator }: Caller,
  named: Identified,
): Omit<NewTransaction, 'body'> {
  const { clientCorrelatorId, referenceCode } = named
  return {
    id: newId(),
    clientId: principal.clientId,
    limits: principal.limits,
    correlator,
    clientCorrelatorId,
    referenceCode,
    ...webhookOf(app, named.webhook),
  }
}

/** The client whose limits count. */
export const measuredFor = ({ principal: { clientId, limits } }: Caller) => ({ clientId, limits })

/** The fields of PaymentInformation, PaymentItem, RechargeInformation and RechargeItem. */
export interface MoneyBody {
  amount: number
  currency?: string
  description: string
  vatAmount?: number
  taxAmount?: number
}

const checkAuthorised = (path: string, currency: string, { currencies }: Limits) => {
  if (!currencies.includes(currency))
    throw invalidField(path, 'CURRENCY_NOT_AUTHORIZED', `${currency} is not authorized for this client`, {
      limit: { allowed: currencies },
      sentence: `${currency} is not authorized for this client.`,
    })
}

/** An amount that was checked, and its place in the request. Parts that were refused are absent. */
export interface CheckedMoney {
  readonly amount?: Decimal
  readonly currency?: string
  readonly measuredAt: string
}

/** Checks an amount with its currency and its informational parts; returns it exact. */
export const checkMoney = (faults: Faults, path: string, money: MoneyBody, limits: Limits): CheckedMoney => {
  const currency = faults.check(() => {
    if (money.currency !== undefined) checkCurrency(`${path}.currency`, money.currency)
    return money.currency
  })
  if (currency !== undefined) faults.check(() => checkAuthorised(`${path}.currency`, currency, limits))
  // Without a known currency everything but the decimals is checked.
  const amount = faults.check(() => checkAmount(`${path}.amount`, money.amount, currency))
  for (const name of ['vatAmount', 'taxAmount'] as const) {
    const part = money[name]
    if (part !== undefined) faults.check(() => checkInformational(`${path}.${name}`, part))
  }
  return { amount, currency, measuredAt: `${path}.amount` }
}

/** Checks the items of an amount (`amountDetails`). */
export const checkItems = (
  faults: Faults,
  path: string,
  items: readonly MoneyBody[] | undefined,
  limits: Limits,
): void => {
  for (const [index, item] of (items ?? []).entries()) checkMoney(faults, `${path}[${index}]`, item, limits)
}

const phoneNumberRequired = (path: string) =>
  new ServiceError(
    'CARRIER_BILLING.PHONE_NUMBER_REQUIRED',
    `${path} is required: the access token is bound to no phone number that could stand in for it`,
    { field: path },
  )

/**
 * The number as digits with country code; the token's own where the request names none.
 * @throws ServiceError INVALID_ARGUMENT, CARRIER_BILLING.INVALID_TOKEN_CONTEXT for one that is not the token's, or
 * CARRIER_BILLING.PHONE_NUMBER_REQUIRED where there is neither.
 */
export const numberInContext = (
  { config }: App,
  { principal }: Caller,
  path: string,
  mobileNumber: string | undefined,
): string => {
  const named = mobileNumber === undefined ? undefined : parsePhone(path, mobileNumber, config.countryCode)
  const digits = phoneInContext(principal, path, named)
  if (digits === undefined) throw phoneNumberRequired(path)
  return digits
}

/** @throws ServiceError INVALID_ARGUMENT unless it is a line of this operator that is in use. */
export function requireActive(path: string, line: LineRecord | null | undefined): LineRecord {
  if (line?.active) return line
  throw invalidField(path, 'INACTIVE_NUMBER', 'is not an active mobile number of this operator')
}

/** The line of an active mobile number. */
export const activeLine = async ({ directory }: App, path: string, digits: string): Promise<LineRecord> =>
  requireActive(path, await directory.line('phone', digits))
