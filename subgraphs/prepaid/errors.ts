/** This service's part of the error catalogue: what it refuses, in words that say what to do. */
import { invalidField } from '#core/errors/catalogue.ts'

export const nothingToPost = (path: string) =>
  invalidField(
    path,
    'NOTHING_TO_POST',
    'has no amount, so there is nothing to post; give it here or in rechargeInformation',
    { sentence: 'The amount is missing, so there is nothing to post.' },
  )

export const missingField = (path: string) => invalidField(path, 'REQUIRED', 'is required')

export const differentForms = (path: string, nested: string) =>
  invalidField(path, 'CONTRADICTION', `and ${nested} are different; give the same in both, or one of them`, {
    sentence: 'This is given in two forms that are different; give the same in both, or one of them.',
    dependsOn: [nested],
  })

export const differentNumber = (path: string, outer: string) =>
  invalidField(path, 'CONTRADICTION', `is not the same number as ${outer}`, {
    sentence: 'This is not the same number as the one of the recharge.',
    dependsOn: [outer],
  })

export const notPrepaid = (path: string) => invalidField(path, 'NOT_PREPAID', 'is not a prepaid number')
