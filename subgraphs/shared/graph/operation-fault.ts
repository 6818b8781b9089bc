/** An operation that cannot be executed, in the catalogue's words: of a variable with the field that is wrong. */
import { invalid, type ServiceError } from '../errors/catalogue.ts'
import type { Reason } from '../errors/reasons.ts'
import { redactValues } from './redact-values.ts'

/** What graphql-js says of a variable, values taken out: which, where in it, and why. */
const VARIABLE = /^Variable "\$(\w+)" (?:got an invalid value(?: at "([\w.[\]]+)")?; |of )/
const MISSING_FIELD = /; Field "(\w+)" of required type /

const REASON_OF: readonly (readonly [RegExp, Reason])[] = [
  [/was not provided|not to be null/, 'REQUIRED'],
  [/does not exist in "/, 'UNKNOWN_VALUE'],
  [/significant digits/, 'TOO_MANY_DIGITS'],
  [/(DateTime|Currency) must be /, 'BAD_FORMAT'],
  [/PhoneNumber must be /, 'BAD_PHONE_NUMBER'],
  [/is not defined by type/, 'INVALID_OPERATION'],
]

/** What is wrong with a value, by what graphql-js and the scalars say of it. */
export const reasonOfValue = (message: string): Reason =>
  REASON_OF.find(([words]) => words.test(message))?.[1] ?? 'WRONG_TYPE'

/** Within an input the input's own name says nothing: `input.webhook.notificationUrl` is `webhook.notificationUrl`. */
const pathOf = (variable: string, place: string | undefined, missing: string | undefined): string => {
  const within = place?.slice(variable.length + 1)
  const path = [within, missing].filter(Boolean).join('.')
  return path || variable
}

/** 400 for what graphql-js refuses to execute; its message quotes no value. */
export function operationFault(message: string): ServiceError {
  const told = redactValues(message)
  const [found, variable, place] = VARIABLE.exec(told) ?? []
  if (found === undefined) return invalid(told, { reason: 'INVALID_OPERATION' })
  const field = pathOf(variable!, place, MISSING_FIELD.exec(told)?.[1])
  return invalid(told, { field, reason: reasonOfValue(told) })
}
