/** This service's part of the error catalogue: what it refuses, in words that say what to do. */
import { invalidField } from '#core/errors/catalogue.ts'

export const nothingToRedeem = (path: string) =>
  invalidField(path, 'NOTHING_TO_POST', 'is required: it says how many points to redeem')
