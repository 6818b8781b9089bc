/** This service's part of the error catalogue: what it refuses, in words that say what to do. */
import { invalidField } from '#core/errors/catalogue.ts'

export const expired = () => invalidField('expiryTime', 'IN_THE_PAST', 'must not lie in the past')

export const noSender = () =>
  invalidField(
    'sender',
    'BAD_FORMAT',
    'must be 1 to 11 letters and digits of GSM 03.38, or a number: message centres take no other sender',
  )

export const notAnInstant = () =>
  invalidField('expiryTime', 'BAD_FORMAT', 'must be a date and time that exists')

export const wrongCount = (count: number, most: number) =>
  invalidField('recipients', count === 0 ? 'TOO_FEW' : 'TOO_MANY', `must be 1 to ${most}`)

export const wrongCorrelator = (most: number, recipients: number) =>
  invalidField(
    'clientCorrelatorId',
    'TOO_LONG',
    `must have 1 to ${most} characters with ${recipients} recipients: each one's number is added`,
  )

export const repeated = (index: number, first: number) =>
  invalidField(
    `recipients[${index}]`,
    'DUPLICATE_RECIPIENT',
    `is the same as recipients[${first}]; the text is sent to it once`,
  )
