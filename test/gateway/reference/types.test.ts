/** Types in the reference. */
import { expect, it } from 'vitest'
import { describeType, typesOf } from '#gateway/reference/types.ts'

it('REF-01 MUST say of fields, arguments and values that they go some day, and why', () => {
  const [type, kind] = typesOf(`
    type Pet { "Its name." name("How long." length: Int @deprecated(reason: "use first")): String @deprecated }
    enum Kind { "A dog." DOG @deprecated(reason: "use PET") "A pet." PET }`)
  expect(describeType(type!)).toContain('- `name: String`: Its name. **Deprecated:** No longer supported.')
  expect(describeType(type!)).toContain('  - `length: Int`: How long. **Deprecated:** use first.')
  expect(describeType(kind!)).toContain('- `DOG`: A dog. **Deprecated:** use PET.\n- `PET`: A pet.')
})
