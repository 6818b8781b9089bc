/** This service's part of the error catalogue: what it refuses, in words that say what to do. */
import { invalid, invalidField, ServiceError } from '#core/errors/catalogue.ts'

export const unknownAccount = (path: string) =>
  invalidField(
    path,
    'UNKNOWN_ACCOUNT',
    'is not an account of this operator; the customer inquiry tells the right one',
  )

export const foreignLine = (path: string) =>
  invalidField(path, 'FOREIGN_LINE', 'is not a line of the account that the payment is for')

export const unknownLine = (path: string) =>
  invalidField(path, 'UNKNOWN_LINE', 'is not known to this operator')

export const differentAccounts = () =>
  invalid('The given numbers belong to different accounts; ask for one at a time', {
    reason: 'DIFFERENT_ACCOUNTS',
  })

export const phoneNumberRequired = () =>
  new ServiceError(
    'CARRIER_BILLING.PHONE_NUMBER_REQUIRED',
    'Name a phoneNumber, fixedlineNumber, internetAccount or customerAccountNumber',
  )
