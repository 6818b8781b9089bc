/** Audits with ids that stay: `<interface>-<area>-<number> MUST …`, so that one can be named and found again. */
import { describe, it } from 'vitest'
import { INTERFACES, type Interface } from './both-interfaces.ts'
import type { ServiceFixture } from './fixtures/fixture.ts'

/** A rule: its number in the area, what must or should be, and how it is found out. */
export type Rule<Context extends unknown[]> = readonly [
  number: string,
  name: `${'MUST' | 'SHOULD'} ${string}`,
  run: (...context: Context) => Promise<void>,
]

const checkUnique = (area: string, rules: readonly (readonly [string, ...unknown[]])[]) => {
  const numbers = rules.map(([number]) => number)
  const repeated = numbers.find((number, index) => numbers.indexOf(number) !== index)
  if (repeated) throw new Error(`${area}-${repeated} is the id of two rules`)
}

/** Runs rules once. */
export function audit(area: string, rules: readonly Rule<[]>[]): void {
  checkUnique(area, rules)
  for (const [number, name, run] of rules) it(`${area}-${number} ${name}`, () => run())
}

/** Runs rules for each service. */
export function auditServices(
  area: string,
  fixtures: readonly ServiceFixture[],
  rules: readonly Rule<[fixture: ServiceFixture]>[],
): void {
  checkUnique(area, rules)
  describe.each(fixtures)('$name', fixture => {
    for (const [number, name, run] of rules) it(`${area}-${number} ${name}`, () => run(fixture))
  })
}

/** Runs rules for each service, over REST and GraphQL. */
export function auditInterfaces(
  area: string,
  fixtures: readonly ServiceFixture[],
  rules: readonly Rule<[fixture: ServiceFixture, api: Interface]>[],
): void {
  checkUnique(area, rules)
  describe.each(fixtures)('$name', fixture => {
    for (const client of INTERFACES) {
      for (const [number, name, run] of rules)
        it(`${client.id}-${area}-${number} ${name}`, () => run(fixture, client))
    }
  })
}
