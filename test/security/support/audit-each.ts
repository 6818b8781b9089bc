/** An audit that is run for each of several names, which stand in its ids. */
import { it } from 'vitest'

type Each<Name> = readonly [
  number: string,
  name: `${'MUST' | 'SHOULD'} ${string}`,
  run: (name: Name) => Promise<void>,
]

/** Runs each rule for each name. */
export function auditEach<Name extends string>(
  area: string,
  names: readonly Name[],
  rules: readonly Each<Name>[],
): void {
  for (const [number, rule, run] of rules)
    for (const name of names) it(`${area}-${number}/${name} ${rule}`, () => run(name))
}
