/** This service's part of the error catalogue: what it refuses, in words that say what to do. */
import { invalid } from '../shared/errors/catalogue.ts'

export const expired = () => invalid('expiryTime must not lie in the past')

export const notAnInstant = () => invalid('expiryTime must be a date and time that exists')

export const wrongCount = (most: number) => invalid(`recipients must be 1 to ${most}`)

export const wrongCorrelator = (most: number, recipients: number) =>
  invalid(
    `clientCorrelatorId must have 1 to ${most} characters with ${recipients} recipients: each one's number is added`,
  )

export const repeated = (index: number, first: number) =>
  invalid(`recipients[${index}] is the same as recipients[${first}]; the text is sent to it once`)
