/** This service's part of the error catalogue: what it refuses, in words that say what to do. */
import { invalid } from '../shared/errors/catalogue.ts'

export const nothingToPost = (path: string) =>
  invalid(`${path} has no amount, so there is nothing to post; give it here or in rechargeInformation`)

export const missingField = (path: string) => invalid(`${path} is required`)

export const differentForms = (path: string, nested: string) =>
  invalid(`${path} and ${nested} are different; give the same in both, or one of them`)

export const differentNumber = (path: string, outer: string) =>
  invalid(`${path} is not the same number as ${outer}`)

export const notPrepaid = (path: string) => invalid(`${path} is not a prepaid number`)
