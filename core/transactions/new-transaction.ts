/** What the requests of all kinds have in common, on their way to becoming a new transaction. */

import type { Caller } from '../access/caller.ts'
import type { Limits } from '../access/principal.ts'
import type { App } from '../context/app.ts'
import { checkWebhookAddress, checkWebhookToken } from '../egress/callback-policy.ts'
import { invalidField } from '../errors/catalogue.ts'
import { type Faults, together } from '../errors/faults.ts'
import { checkCard, checkExpiry, withoutSecrets } from '../values/card.ts'
import type { Decimal } from '../values/decimal.ts'
import { newId } from '../values/id.ts'
import { checkAmount, checkCurrency, checkInformational } from '../values/money.ts'

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

/** Whose limits count. */
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

/** An amount that was checked, and where in the request it stands. What was refused of it is absent. */
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
  // Of an amount whose currency is none all can be told but its decimals.
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
  /** Where in the request the amount or the points stand. */
  readonly measuredAt?: string
  /** The request as the client sent it, without its secrets: what REST echoes. */
  readonly body: unknown
  readonly webhookUrl?: string
  /** Encrypted. */
  readonly webhookToken?: string
}

/** As much of a transaction as its client's limits are checked against. */
export type Measured = Pick<
  NewTransaction,
  'clientId' | 'limits' | 'accountNumber' | 'mobileNumber' | 'currency' | 'amount' | 'points' | 'measuredAt'
>
