/** The fields of `WebhookDelivery`, resolved alike in every subgraph. */

import { ServiceError } from '../errors/catalogue.ts'
import type { DeliveryRow } from '../webhooks/deliveries.ts'
import type { GraphContext } from './loaders.ts'

/** An analyst sees no webhook address (docs/decisions.md, "Identity and access"). */
const notificationUrl = ({ url }: DeliveryRow, _: unknown, { caller }: GraphContext) => {
  if (caller.principal.role !== 'analyst') return url
  throw new ServiceError('PERMISSION_DENIED', 'A client of role analyst may not see notificationUrl')
}

const attemptLog = ({ id }: DeliveryRow, _: unknown, { loaders }: GraphContext) => loaders.attempts.load(id)

export const deliveryFields = { notificationUrl, attemptLog }
