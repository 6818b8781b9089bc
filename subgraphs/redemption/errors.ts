/** This service's part of the error catalogue: what it refuses, in words that say what to do. */
import { invalid } from '../shared/errors/catalogue.ts'

export const nothingToRedeem = (path: string) =>
  invalid(`${path} is required: it says how many points to redeem`)
