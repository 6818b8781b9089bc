/** Step of a journey: its kind, its sentence and its place in time. */

/** Kinds of steps, in the order of those of one instant. */
const STEP_KINDS = [
  'RECEIVED',
  'REFUSED',
  'POSTED',
  'ORDERED',
  'SETTLED',
  'INTERVENED',
  'EVENT',
  'ATTEMPTED',
  'DELIVERED',
  'DEAD',
] as const

type StepKind = (typeof STEP_KINDS)[number]

/** Details that readers of some roles alone are told. */
export interface Details {
  /** Staff of the operator, and faults of systems behind the services. Not for partners. */
  readonly internals: boolean
  /** Addresses of webhooks. Not for analysts. */
  readonly addresses: boolean
}

/** Step of a journey. */
export interface JourneyStepView {
  readonly at: Date
  readonly kind: StepKind
  /** One sentence. */
  readonly text: string
  readonly durationMs: number | null
  /** Time since the step before; null for the first. */
  readonly sincePreviousMs: number | null
  readonly transactionId: string | null
}

/** Step before it has its place. */
export interface FoundStep extends Omit<JourneyStepView, 'sincePreviousMs' | 'durationMs'> {
  readonly durationMs?: number
  /** The time of what led to it: it stands behind that, whatever the clocks of two machines say. */
  readonly notBefore?: Date
}

/** Longest excerpt of another system's words in a sentence, in characters. */
const EXCERPT_LENGTH = 200

/** Words of another system on one line, without the full stop at their end. */
export const excerpt = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH).toWellFormed()}…` : line
}

const BEGINS_SENTENCE = /^[A-Z](?=[a-z]* )/

/** Another's sentence as the end of one: its first word is small, unless it is a name in capitals. */
export const because = (reason: string | null): string =>
  reason ? `: ${excerpt(reason).replace(BEGINS_SENTENCE, letter => letter.toLowerCase())}` : ''

/** Milliseconds from one instant to another, 0 where clocks differ the other way. */
export const msBetween = (from: Date, to: Date): number => Math.max(0, to.getTime() - from.getTime())

export const timeText = (at: Date): string => at.toISOString()

const placeOf = ({ at, notBefore }: FoundStep): number => Math.max(at.getTime(), notBefore?.getTime() ?? 0)

/** Puts steps in order of time; what led to a step stands before it. */
export function inOrder(found: readonly FoundStep[]): JourneyStepView[] {
  const sorted = found.toSorted(
    (one, other) =>
      placeOf(one) - placeOf(other) || STEP_KINDS.indexOf(one.kind) - STEP_KINDS.indexOf(other.kind),
  )
  return sorted.map(({ notBefore: _, durationMs = null, ...step }, index) => {
    const before = sorted[index - 1]
    return { ...step, durationMs, sincePreviousMs: before ? msBetween(before.at, step.at) : null }
  })
}
