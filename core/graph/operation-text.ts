/** How long the text of an operation may be, whatever stands in it: spaces and comments are no tokens, but memory. */
import { invalidField } from '../errors/catalogue.ts'

/** Tens of times the longest operation of a portal. */
export const MAX_OPERATION_TEXT = 100_000

/** An operation has a token on each line at the most; where an error stands is found by counting lines, error by error. */
const MAX_LINES = 10_000

const LINE_END = /\r\n|[\n\r]/g

const hasTooManyLines = (text: string): boolean => {
  if (text.length <= MAX_LINES) return false
  let lines = 1
  for (const _ of text.matchAll(LINE_END)) {
    lines += 1
    if (lines > MAX_LINES) return true
  }
  return false
}

/** @throws ServiceError INVALID_ARGUMENT for a text that is longer, or has very many lines. */
export function checkOperationText(query: unknown, max = MAX_OPERATION_TEXT): void {
  if (typeof query === 'string' && query.length > max)
    throw invalidField('query', 'TOO_LONG', `must not be longer than ${max} characters`)
  if (typeof query === 'string' && hasTooManyLines(query))
    throw invalidField('query', 'TOO_LONG', `must not have more than ${MAX_LINES} lines`)
}
