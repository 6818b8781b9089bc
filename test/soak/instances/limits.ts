/** Whether monthly limits were exact, however often the counting process was killed. */
import type { writtenBy } from './database.ts'
import { LIMITED } from './load.ts'
import type { Answered } from './partner.ts'

/** Checks limits: a refused transaction would have exceeded the limit, an accepted one did not. */
export const faultsOfLimits = (
  answered: readonly Answered[],
  written: Awaited<ReturnType<typeof writtenBy>>,
) => {
  const key = (kind: string, holder: string) => `${kind} ${holder}`
  const used = new Map<string, number>()
  // In hundredths, so that the sums are exact.
  for (const row of written.filter(({ clientId }) => clientId === LIMITED.id))
    used.set(
      key(row.kind, row.holder),
      (used.get(key(row.kind, row.holder)) ?? 0) + Math.round(Number(row.measure) * 100),
    )
  const limitOf = (kind: string) =>
    100 * Number(kind === 'REWARD' ? LIMITED.monthlyPoints : LIMITED.monthlyAmount)
  const over = [...used].filter(([name, sum]) => sum > limitOf(name.split(' ')[0]!)).map(String)
  const refused = answered.filter(({ id }) => id === undefined)
  const wrongly = refused.filter(
    ({ fixture, holder, measure }) =>
      (used.get(key(fixture.kind, holder)) ?? 0) + Math.round(measure * 100) <= limitOf(fixture.kind),
  )
  return { over, wrongly: wrongly.map(({ correlator }) => correlator), refused: refused.length }
}
