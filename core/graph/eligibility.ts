/** Whether something could be posted now, and why not: the checks of posting, made without posting. */

import type { LineRecord } from '../directory/directory.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { oneByOne } from '../errors/faults.ts'
import type { Measured } from '../transactions/post/validate.ts'
import { msisdnOf, type SubscriberEntity } from './entities.ts'
import type { GraphContext } from './loaders.ts'

/** A check that throws what posting would answer; the line is null when the number is not the operator's. */
export type EligibilityCheck = (line: LineRecord | null) => unknown

/** What would be posted, and what posting would check beside the client's limits. */
export interface EligibilityQuery extends Pick<Measured, 'amount' | 'currency' | 'points'> {
  readonly checks: readonly EligibilityCheck[]
}

/** The graph's `Eligibility`. */
export interface EligibilityResult {
  readonly eligible: boolean
  readonly reasons: string[]
}

/** What a check would refuse, in its words. */
const reasonOf = async (check: EligibilityCheck, line: LineRecord | null): Promise<string[]> => {
  try {
    await check(line)
    return []
  } catch (error) {
    if (error instanceof ServiceError) return oneByOne(error).map(({ message }) => message)
    throw error
  }
}

/** Only partners post, so only theirs are limits. */
const beyondLimits = async (
  mobileNumber: string,
  { checks: _, ...measure }: EligibilityQuery,
  { caller: { principal }, loaders }: GraphContext,
): Promise<string[]> => {
  if (principal.role !== 'partner') return []
  const { clientId, limits } = principal
  const refusals = await loaders.beyondLimits.load({ clientId, limits, mobileNumber, ...measure })
  return refusals.map(({ message }) => message)
}

/** The response of an eligibility field: every reason at once, so that nobody has to ask again after each. */
export async function eligibilityOf(
  subscriber: SubscriberEntity,
  question: EligibilityQuery,
  context: GraphContext,
): Promise<EligibilityResult> {
  const digits = msisdnOf(subscriber)
  const line = await context.loaders.line.load(digits)
  const found = await Promise.all(question.checks.map(check => reasonOf(check, line)))
  const reasons = [...found.flat(), ...(await beyondLimits(digits, question, context))]
  return { eligible: reasons.length === 0, reasons }
}
