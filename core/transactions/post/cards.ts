/** Payment cards in requests: what may be kept of card details, and free texts that hold what looks like a card number. */

import type { Caller, Limits } from '#core/access/principal.ts'
import type { Platform } from '#core/context/app.ts'
import { invalidField, type ServiceError } from '#core/errors/catalogue.ts'
import { combine, together } from '#core/errors/faults.ts'
import { checkCard, checkExpiry, holdsCardNumber, withoutSecrets } from '#core/values/card.ts'
import { textsIn } from '#core/values/json.ts'
import { checkCurrency, checkInformational } from '#core/values/money.ts'

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
