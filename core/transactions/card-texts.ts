/** Free texts that hold what looks like a card number: counted, warned of by their path, refused where that is set. */

import type { Caller } from '../access/caller.ts'
import type { App } from '../context/app.ts'
import { invalidField, type ServiceError } from '../errors/catalogue.ts'
import { combine } from '../errors/faults.ts'
import { holdsCardNumber } from '../values/card.ts'
import { textsIn } from '../values/json.ts'

/** Numbers of their own kind, which may look like a card's; the card's own field is masked by now, or checked. */
const NOT_FREE = /(^|\.)(cardNumber|mobileNumber|phoneNumber|fixedlineNumber|recipient)$/

/** The fields alone, so that a metric has no more of them than the contract. */
const fieldOf = (path: string) => path.replace(/\[\d+\]/g, '')

/**
 * Looks through the texts of a transaction; never says which digits.
 * @param service whose metric it is.
 * @param path where in the request the transaction stands; empty for the top.
 * @throws ServiceError INVALID_ARGUMENT naming the path, where `CARD_TEXTS` is `refuse`.
 */
export function noteCardTexts(
  app: App,
  { correlator }: Caller,
  service: string,
  path: string,
  body: unknown,
): void {
  const refusals: ServiceError[] = []
  for (const [at, text] of textsIn(body, path)) {
    if (NOT_FREE.test(at) || !holdsCardNumber(text)) continue
    app.metrics.cardLikeTexts.inc({ service, field: fieldOf(at) })
    app.log.warn({ service, path: at, correlator }, 'a free text looks as if it held a card number')
    refusals.push(invalidField(at, 'CARD_NUMBER_IN_TEXT', 'must not hold a card number'))
  }
  const refusal = combine(refusals)
  if (refusal && app.config.cardTexts === 'refuse') throw refusal
}
