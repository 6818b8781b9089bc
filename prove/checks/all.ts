/** All checks, and the verdict on a history. */
import type { History } from '../history/history.ts'
import { BOOK_CHECKS } from './books.ts'
import type { Check } from './check.ts'
import { EVENT_CHECKS } from './events.ts'
import { KEY_CHECKS } from './keys.ts'
import { POST_CHECKS } from './posts.ts'
import { READ_CHECKS } from './reads.ts'
import { RUN_CHECKS } from './run.ts'
import { SIGHT_CHECKS } from './sights.ts'
import { STATEMENT_CHECKS } from './statements.ts'
import { WEBHOOK_CHECKS } from './webhooks.ts'

export const CHECKS: readonly Check[] = [
  ...POST_CHECKS,
  ...KEY_CHECKS,
  ...BOOK_CHECKS,
  ...EVENT_CHECKS,
  ...WEBHOOK_CHECKS,
  ...SIGHT_CHECKS,
  ...READ_CHECKS,
  ...STATEMENT_CHECKS,
  ...RUN_CHECKS,
]

export interface Finding {
  readonly check: Check
  readonly problems: readonly string[]
}

/** Findings of every check; one without problems holds. */
export const judge = (history: History): Finding[] =>
  CHECKS.map(check => ({ check, problems: [...check.find(history)] }))

const SHOWN = 5

/** The verdict in words: what holds, and of what does not, the first problems. */
export function report(history: History, findings: readonly Finding[]): string {
  const { seed, topology, behind } = history.run
  const broken = findings.filter(({ problems }) => problems.length > 0)
  const lines = broken.flatMap(({ check, problems }) => [
    `BROKEN ${check.name}: ${check.claim} (${problems.length})`,
    ...problems.slice(0, SHOWN).map(problem => `  ${problem}`),
  ])
  const faults = history.faults.filter(({ phase }) => phase === 'begin').length
  const written = history.attempts.filter(({ outcome }) => outcome.is === 'written').length
  const summary =
    `seed ${seed}, ${topology}, ${behind}: ${faults} faults, ${history.exchanges.size} calls, ${written} acknowledged, ` +
    `${history.posted.length} transactions, ${history.events.length} events seen, ${history.hooks.length} webhooks; ` +
    `${findings.length - broken.length} of ${findings.length} checks hold`
  return [...lines, summary].join('\n')
}
