/** An operation that cannot be executed, in the catalogue's words: of a variable with the field that is wrong. */
import type { GraphQLSchema } from 'graphql'
import { invalid, type Limit, type ServiceError } from '../errors/catalogue.ts'
import type { Reason } from '../errors/reasons.ts'
import { withoutTypes } from './hidden-schema.ts'
import { redactMessage } from './redact.ts'
import { MAX_DIGITS } from './scalars.ts'

/** What graphql-js says of a variable, values taken out: which, where in it, and why. */
const VARIABLE = /^Variable "\$(\w+)" (?:got an invalid value(?: at "([\w.[\]]+)")?; |of )/
const MISSING_FIELD = /; Field "(\w+)" of required type /

const REASON_OF: readonly (readonly [RegExp, Reason])[] = [
  [/was not provided|not to be null/, 'REQUIRED'],
  [/ must be one of /, 'UNKNOWN_VALUE'],
  [/significant digits/, 'TOO_MANY_DIGITS'],
  [/(DateTime|Currency) must be /, 'BAD_FORMAT'],
  [/PhoneNumber must be /, 'BAD_PHONE_NUMBER'],
  [/is not defined by type/, 'INVALID_OPERATION'],
]

/** What is wrong with a value, by what graphql-js and the scalars say of it. */
export const reasonOfValue = (message: string): Reason =>
  REASON_OF.find(([words]) => words.test(message))?.[1] ?? 'WRONG_TYPE'

/** How the scalars and enumerations begin what they say of a wrong value. */
const OWN_WORDS = /(?:^|; )\w+ (must (?:be|have) .*)$/s
const [ALLOWED, GIVEN] = [' must be one of ', ', not ']

/** What the value may be, of what can be told by the words. */
const limitOf = (message: string): Limit | undefined => {
  const [from, to] = [message.indexOf(ALLOWED), message.lastIndexOf(GIVEN)]
  if (from >= 0 && to > from) return { allowed: message.slice(from + ALLOWED.length, to).split(', ') }
  return /significant digits/.test(message) ? { length: MAX_DIGITS } : undefined
}

const sentenceOf = (message: string, reason: Reason): string => {
  const [, own] = OWN_WORDS.exec(message) ?? []
  if (own !== undefined) return `This ${own}.`
  return reason === 'REQUIRED' ? 'This is required.' : 'This is not a value that the field can have.'
}

/** The details of a wrong value, by what graphql-js and the scalars say of it: its reason, its limit, and a sentence for people. */
export const detailsOfValue = (message: string) => {
  const reason = reasonOfValue(message)
  return { reason, limit: limitOf(message), sentence: sentenceOf(message, reason) }
}

/** Within an input the input's own name says nothing: `input.webhook.notificationUrl` is `webhook.notificationUrl`. */
const pathOf = (variable: string, place: string | undefined, missing: string | undefined): string => {
  const within = place?.slice(variable.length + 1)
  const path = [within, missing].filter(Boolean).join('.')
  return path || variable
}

/**
 * 400 for what graphql-js refuses to execute; its message quotes no value.
 * @param hidden the schema where clients may not read it: then the message names none of its types either.
 */
export function operationFault(message: string, hidden?: GraphQLSchema): ServiceError {
  const all = redactMessage(message)
  const told = hidden ? withoutTypes(all, hidden) : all
  const [found, variable, place] = VARIABLE.exec(told) ?? []
  const isValue = found !== undefined || /^\w+ must be /.test(told)
  if (!isValue) return invalid(told, { reason: 'INVALID_OPERATION' })
  const field = found && pathOf(variable!, place, MISSING_FIELD.exec(told)?.[1])
  const reason = reasonOfValue(all)
  return invalid(told, { field, reason, limit: limitOf(told), sentence: sentenceOf(told, reason) })
}
