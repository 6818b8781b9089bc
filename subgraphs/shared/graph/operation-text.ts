/** How long the text of an operation may be, whatever stands in it: spaces and comments are no tokens, but memory. */
import { invalidField } from '../errors/catalogue.ts'

/** Tens of times the longest operation of a portal. */
export const MAX_OPERATION_TEXT = 100_000

/** @throws ServiceError INVALID_ARGUMENT for a text that is longer. */
export function checkOperationText(query: unknown, max = MAX_OPERATION_TEXT): void {
  if (typeof query === 'string' && query.length > max)
    throw invalidField('query', 'TOO_LONG', `must not be longer than ${max} characters`)
}
