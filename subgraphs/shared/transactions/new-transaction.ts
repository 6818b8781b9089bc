/** What the requests of all kinds have in common, on their way to becoming a new transaction. */

import type { Caller } from '../access/caller.ts'
import type { Limits } from '../access/principal.ts'
import type { App } from '../context/app.ts'
import { checkWebhookAddress, checkWebhookToken } from '../egress/callback-policy.ts'
import { invalid } from '../errors/catalogue.ts'
import { checkCard, checkExpiry, withoutSecrets } from '../values/card.ts'
import type { Decimal } from '../values/decimal.ts'
import { newId } from '../values/id.ts'
import { checkAmount, checkCurrency, checkInformational, checkPercentage } from '../values/money.ts'

interface WebhookBody {
  notificationUrl: string
  notificationAuthToken?: string
}

interface Identified {
  clientCorrelatorId?: string
  referenceCode?: string
  webhook?: WebhookBody
}

const webhookOf = (app: App, webhook: WebhookBody | undefined) => {
  if (!webhook) return {}
  checkWebhookAddress('webhook.notificationUrl', webhook.notificationUrl, app.config.webhookAllow)
  const token = webhook.notificationAuthToken || undefined
  if (token) checkWebhookToken('webhook.notificationAuthToken', token)
  return {
    webhookUrl: webhook.notificationUrl,
    webhookToken: token === undefined ? undefined : app.access.cipher.encrypt(token),
  }
}

/** The start of a new transaction: its id, its client, how a repeat is recognised, where its events go. */
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

/** The fields of PaymentInformation, PaymentItem, RechargeInformation and RechargeItem. */
export interface MoneyBody {
  amount: number
  currency: string
  description: string
  vatAmount?: number
  taxAmount?: number
}

const checkAuthorised = (path: string, currency: string, { currencies }: Limits) => {
  checkCurrency(path, currency)
  if (!currencies.includes(currency)) throw invalid(`${path} ${currency} is not authorized for this client`)
}

/** Checks an amount with its currency and its informational parts; returns it exact. */
export function checkMoney(
  path: string,
  money: MoneyBody,
  limits: Limits,
): { amount: Decimal; currency: string } {
  checkAuthorised(`${path}.currency`, money.currency, limits)
  const amount = checkAmount(`${path}.amount`, money.amount, money.currency)
  for (const name of ['vatAmount', 'taxAmount'] as const) {
    if (money[name] !== undefined) checkInformational(`${path}.${name}`, money[name], money.currency)
  }
  return { amount, currency: money.currency }
}

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
  if (card.cardNumber !== undefined) checkCard(`${path}.cardNumber`, card.cardNumber, rules)
  checkExpiry(path, card.expiryMonth, card.expiryYear, rules)
  return withoutSecrets(card)
}

/** Checks metadata and returns what of it may be kept: no security code, the card number masked. */
export function keepMetaData<T extends MetaDataBody>(path: string, metaData: T, limits: Limits): T {
  if (metaData.fee !== undefined) checkPercentage(`${path}.fee`, metaData.fee)
  if (metaData.currency !== undefined) checkCurrency(`${path}.currency`, metaData.currency)
  const card = metaData.creditCardDetails
  if (!card) return metaData
  return { ...metaData, creditCardDetails: checkCardDetails(`${path}.creditCardDetails`, card, limits) }
}

/** A transaction that has passed every rule that can be checked without looking at other transactions. */
export interface NewTransaction {
  readonly id: string
  readonly clientId: string
  readonly limits: Limits
  /** `x-correlator` of the request. */
  readonly correlator: string
  readonly clientCorrelatorId?: string
  readonly referenceCode?: string
  readonly accountNumber?: string
  readonly mobileNumber?: string
  readonly currency?: string
  readonly amount?: Decimal
  readonly points?: Decimal
  /** The request as the client sent it, without its secrets: what REST echoes. */
  readonly body: unknown
  readonly webhookUrl?: string
  /** Encrypted. */
  readonly webhookToken?: string
}

/** As much of a transaction as its client's limits are checked against. */
export type Measured = Pick<
  NewTransaction,
  'clientId' | 'limits' | 'accountNumber' | 'mobileNumber' | 'currency' | 'amount' | 'points'
>
