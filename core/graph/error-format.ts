/** Errors of the graph as they go over the wire: a code of the catalogue, its HTTP status, and details for clients. */
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql'
import { toServiceError } from '../data/database-errors.ts'
import { invalid, isCatalogued, type Limit, ServiceError, statusIn } from '../errors/catalogue.ts'
import { oneByOne } from '../errors/faults.ts'
import type { Reason } from '../errors/reasons.ts'
import type { Logger } from '../observability/log.ts'
import { redactMessage } from './redact.ts'
import { MAX_DIGITS } from './scalars.ts'

/** Cause of an error. A GraphQLError without an original error is the executor's own: the operation cannot be executed. */
const causeOf = (error: GraphQLError, hidden: GraphQLSchema | undefined): ServiceError => {
  const { originalError: original, extensions } = error
  if (!original || original instanceof GraphQLError) {
    // The error of a stream, or one that was formatted before, has its code already.
    const { code } = extensions
    if (isCatalogued(code))
      return new ServiceError(code, error.message, { status: statusIn(code, extensions), extensions })
    return operationFault(error.message, hidden)
  }
  return toServiceError(original)
}

/** Texts in `extensions` beside `code` and `http`. */
const TEXTS = ['field', 'reason', 'sentence', 'existingId', 'cursor']

/** Picks the extensions of an error that clients get (docs/graph.md, "Errors"). */
export const publicExtensions = (
  extensions: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => {
  const { limit } = extensions
  const texts = TEXTS.map(name => [name, extensions[name]]).filter(([, text]) => typeof text === 'string')
  return { ...Object.fromEntries(texts), ...(typeof limit === 'object' && limit !== null && { limit }) }
}

/**
 * Formats an error, as one for each fault of an input: message, place, and `extensions`.
 * @param log gives the log for unexpected failures, which are seldom.
 * @param hidden the schema where clients may not read it.
 */
export function formatGraphError(
  error: GraphQLError,
  log: () => Logger,
  hidden?: GraphQLSchema,
): GraphQLFormattedError[] {
  const cause = causeOf(error, hidden)
  if (cause.code === 'SERVER_ERROR')
    log().error({ err: error.originalError, path: error.path }, 'unexpected failure')
  const { locations, path } = error.toJSON()
  return oneByOne(cause).map(({ message, extensions, code, status }) => ({
    message,
    locations,
    path,
    extensions: { ...publicExtensions(extensions), code, http: { status } },
  }))
}

/** Beginning of graphql-js's message about a variable, values redacted: its name, and the place in it. */
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

/** Reason of a wrong value, by the messages of graphql-js and the scalars. */
export const reasonOfValue = (message: string): Reason =>
  REASON_OF.find(([words]) => words.test(message))?.[1] ?? 'WRONG_TYPE'

/** Message of a scalar or an enumeration about a wrong value. */
const OWN_MESSAGE = /(?:^|; )\w+ (must (?:be|have) .*)$/s
/** Texts before and after the values in the message of an enumeration. */
const [ALLOWED, GIVEN] = [' must be one of ', ', not ']

/** Limit of the value, as far as the message has one. */
const limitOf = (message: string): Limit | undefined => {
  const [from, to] = [message.indexOf(ALLOWED), message.lastIndexOf(GIVEN)]
  if (from >= 0 && to > from) return { allowed: message.slice(from + ALLOWED.length, to).split(', ') }
  return /significant digits/.test(message) ? { length: MAX_DIGITS } : undefined
}

const sentenceOf = (message: string, reason: Reason): string => {
  const [, own] = OWN_MESSAGE.exec(message) ?? []
  if (own !== undefined) return `This ${own}.`
  return reason === 'REQUIRED' ? 'This is required.' : 'This is not a value that the field can have.'
}

/** Details of a wrong value, by the messages of graphql-js and the scalars: its reason, its limit, and a sentence for people. */
export const detailsOfValue = (message: string) => {
  const reason = reasonOfValue(message)
  return { reason, limit: limitOf(message), sentence: sentenceOf(message, reason) }
}

/** Path of a wrong value, without the name of its input: `input.webhook.notificationUrl` is `webhook.notificationUrl`. */
const pathOf = (variable: string, place: string | undefined, missing: string | undefined): string => {
  const within = place?.slice(variable.length + 1)
  const path = [within, missing].filter(Boolean).join('.')
  return path || variable
}

/**
 * Makes the error of an operation that graphql-js refuses to execute, with status 400; its message quotes no value.
 * @param hidden the schema where clients may not read it: then the message names none of its types either.
 */
export function operationFault(message: string, hidden?: GraphQLSchema): ServiceError {
  const all = redactMessage(message)
  const shown = hidden ? withoutTypes(all, hidden) : all
  const [found, variable, place] = VARIABLE.exec(shown) ?? []
  const isValue = found !== undefined || /^\w+ must be /.test(shown)
  if (!isValue) return invalid(shown, { reason: 'INVALID_OPERATION' })
  const field = found && pathOf(variable!, place, MISSING_FIELD.exec(shown)?.[1])
  const reason = reasonOfValue(all)
  return invalid(shown, { field, reason, limit: limitOf(shown), sentence: sentenceOf(shown, reason) })
}

const WORD = /[A-Za-z_]\w*/g

const withoutValues = (message: string): string => {
  const [from, to] = [message.indexOf(ALLOWED), message.lastIndexOf(GIVEN)]
  if (from < 0) return message
  return `${message.slice(0, from)} must be a value that is allowed${to > from ? message.slice(to) : ''}`
}

/**
 * Removes the names of a schema's types, and the values of its enumerations, from a message: clients may not read them with
 * `INTROSPECTION=0` or `TRUSTED_ONLY=1`.
 */
const withoutTypes = (message: string, schema: GraphQLSchema): string => {
  const types = schema.getTypeMap()
  return withoutValues(message).replace(WORD, word => (Object.hasOwn(types, word) ? '…' : word))
}
