/** The fields of `WebhookDelivery`, resolved alike in every subgraph. */

import type { Caller } from '../access/caller.ts'
import { ServiceError } from '../errors/catalogue.ts'
import type { DeliveryRow } from '../webhooks/deliveries.ts'
import { withoutAddress } from '../webhooks/response-excerpt.ts'
import type { GraphContext } from './loaders.ts'

/** An analyst sees no webhook address (docs/decisions.md, "Identity and access"). */
const seesAddress = ({ principal }: Caller): boolean => principal.role !== 'analyst'

const notificationUrl = ({ url }: DeliveryRow, _: unknown, { caller }: GraphContext) => {
  if (seesAddress(caller)) return url
  throw new ServiceError('PERMISSION_DENIED', 'A client of role analyst may not see notificationUrl')
}

/** Hides the address once more: what earlier versions kept of responses may name it. */
const lastError = ({ url, lastStatus, lastError }: DeliveryRow, _: unknown, { caller }: GraphContext) =>
  seesAddress(caller) ? lastError : withoutAddress(lastError, lastStatus, url)

const attemptLog = async ({ id, url }: DeliveryRow, _: unknown, { caller, loaders }: GraphContext) => {
  const log = await loaders.attempts.load(id)
  if (seesAddress(caller)) return log
  return log.map(one => ({ ...one, error: withoutAddress(one.error, one.status, url) }))
}

export const deliveryFields = { notificationUrl, lastError, attemptLog }
