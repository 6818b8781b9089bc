/** Findings of `doctor`: each says in one sentence what was found, what it means and what to do. */
import { withTimeout } from '#core/async/deadline.ts'
import { errorText } from '../output.ts'

/** State of a part, from the best to the worst. */
const VERDICTS = ['well', 'degraded', 'broken'] as const

export type Verdict = (typeof VERDICTS)[number]

/** Result of a check. */
export interface Finding {
  /** Subject of the check, e.g. `database`. */
  readonly check: string
  /** State of that part; `unchecked` where it could not be looked at, which counts for nothing. */
  readonly status: Verdict | 'unchecked'
  /** One sentence. */
  readonly text: string
}

/** Makes a finding of each state. */
export const found = {
  well: (check: string, text: string): Finding => ({ check, status: 'well', text }),
  degraded: (check: string, text: string): Finding => ({ check, status: 'degraded', text }),
  broken: (check: string, text: string): Finding => ({ check, status: 'broken', text }),
  unchecked: (check: string, text: string): Finding => ({ check, status: 'unchecked', text }),
} as const

/** Worst state among findings. */
export const overallVerdict = (findings: readonly Finding[]): Verdict =>
  VERDICTS.findLast(verdict => findings.some(({ status }) => status === verdict)) ?? 'well'

/** Exit code of a verdict, for scripts. */
export const EXIT_CODES: Readonly<Record<Verdict, number>> = { well: 0, degraded: 1, broken: 2 }

/** Longest excerpt of another program's words, in characters. */
const EXCERPT_LENGTH = 200

/** Words of another program on one line, without the full stop at their end. */
export const excerptOf = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '').slice(0, EXCERPT_LENGTH).toWellFormed()

/** A duration as people say it. */
export const durationText = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds * 10) / 10} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

/**
 * Runs a check for a limited time. One that fails, or has no result by then, is a finding itself.
 * @param ms the limit, in milliseconds.
 */
export async function checkWithin(
  check: string,
  ms: number,
  run: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const late = `It could not be finished within ${durationText(ms / 1_000)}, so that what it looks at is slow or overloaded: try again, or give it longer with --timeout.`
  try {
    return await withTimeout<readonly Finding[]>(run(), ms, () => [found.degraded(check, late)])
  } catch (error) {
    return [
      found.broken(
        check,
        `It could not be checked (${excerptOf(errorText(error))}): see the server's log at this moment, and try again.`,
      ),
    ]
  }
}
