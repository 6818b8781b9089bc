/** Sabotages of `prove/` fit the sources that they change, and what is left is a program. */
import { stripTypeScriptTypes } from 'node:module'
import { expect, it } from 'vitest'
import { SABOTAGES } from '#prove/sabotage/all.ts'
import { sabotaged } from '#prove/sabotage/sabotage.ts'
import { readText } from '#test/support/sources.ts'

it('PROVE-SABOTAGE-01 MUST be twenty at least, each with a name of its own', () => {
  expect(new Set(SABOTAGES.map(({ name }) => name)).size).toBe(SABOTAGES.length)
  expect(SABOTAGES.length).toBeGreaterThanOrEqual(20)
})

it.each(SABOTAGES)('PROVE-SABOTAGE-02 MUST change its source at one place: $name', sabotage => {
  const source = readText(sabotage.file)
  expect(sabotaged(sabotage, source)).not.toBe(source)
  expect(() => stripTypeScriptTypes(sabotaged(sabotage, source))).not.toThrow()
})

it('PROVE-SABOTAGE-03 MUST be refused where its text is not in the source', () => {
  expect(() => sabotaged(SABOTAGES[0]!, 'another source')).toThrow('stands 0 times')
})
