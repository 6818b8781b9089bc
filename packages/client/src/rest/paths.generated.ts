/** Generated from schema/ by `npm run codegen`; do not edit. */
import type { components as postpaidBilling, paths as postpaidBillingPaths } from './postpaid-billing.generated.ts'
import type { components as prepaid, paths as prepaidPaths } from './prepaid.generated.ts'
import type { components as messaging, paths as messagingPaths } from './messaging.generated.ts'
import type { components as loyalty, paths as loyaltyPaths } from './loyalty.generated.ts'
import type { components as redemption, paths as redemptionPaths } from './redemption.generated.ts'
import type { components as partner, paths as partnerPaths } from './partner.generated.ts'

export type PostpaidBillingSchemas = postpaidBilling['schemas']
export type PrepaidSchemas = prepaid['schemas']
export type MessagingSchemas = messaging['schemas']
export type LoyaltySchemas = loyalty['schemas']
export type RedemptionSchemas = redemption['schemas']
export type PartnerSchemas = partner['schemas']

/** Every path of the REST contracts. */
export type paths = postpaidBillingPaths & prepaidPaths & messagingPaths & loyaltyPaths & redemptionPaths & partnerPaths
