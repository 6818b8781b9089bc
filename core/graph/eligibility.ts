/** Eligibility: the checks of posting, made without posting, with the reasons of a refusal. */

import type { LineRecord } from '../directory/directory.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { oneByOne } from '../errors/faults.ts'
import type { Measured } from '../transactions/post/validate.ts'
import { msisdnOf, type SubscriberEntity } from './directory-fields.ts'
import type { GraphContext } from './loaders.ts'

/** Check that throws the error of posting; the line is null when the number is not the operator's. */
export type EligibilityCheck = (line: LineRecord | null) => unknown

/** Transaction that would be posted, with the checks of posting beside the client's limits. */
export interface EligibilityQuery extends Pick<Measured, 'amount' | 'currency' | 'points'> {
  readonly checks: readonly EligibilityCheck[]
}

/** The graph's `Eligibility`. */
export interface EligibilityResult {
  readonly eligible: boolean
  readonly reasons: string[]
}

/** Messages of a check that refuses. */
const reasonOf = async (check: EligibilityCheck, line: LineRecord | null): Promise<string[]> => {
  try {
    await check(line)
    return []
  } catch (error) {
    if (error instanceof ServiceError) return oneByOne(error).map(({ message }) => message)
    throw error
  }
}

/** Messages of the limits that posting would exceed; only partners post, so only they have limits. */
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

/** Resolves an eligibility field with all reasons at once. */
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
