/** The page of a line: what names its number, and what is its account's where no other line can be meant. */
import { lineKey } from '../paging/ownership.ts'
import { msisdnOf, type SubscriberKey } from './entities.ts'
import type { GraphContext } from './loaders.ts'

/** The graph's `LineScope`. */
export type LineScope = 'NUMBER' | 'ACCOUNT'

/** The argument of a subscriber's lists. */
export interface LineArgs {
  readonly include?: LineScope | null
}

/**
 * The line with its account (`lineKey`), where both are asked for: by default where the account has that line alone.
 * Undefined for what names the number alone, which is all that a token bound to a number may ask for.
 */
export const lineOnPage = async (
  subscriber: SubscriberKey,
  { include }: LineArgs,
  { caller, loaders }: GraphContext,
): Promise<string | undefined> => {
  if (include === 'NUMBER' || caller.principal.phoneNumber !== undefined) return undefined
  const line = await loaders.line.load(msisdnOf(subscriber))
  if (!line || !(line.isOnly || include === 'ACCOUNT')) return undefined
  return lineKey(line.number, line.accountNumber)
}
