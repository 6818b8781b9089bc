/** Versions of the program by which a database may be served after something was taken away. */
import { expect, it } from 'vitest'
import { latestOf, refusalOf } from '#core/data/served-from.ts'

const unknown = ['29990101000000_drop']

it.each([
  ['0.2.0', '0.2.0'],
  ['0.10.0', '0.9.1'],
  ['1.0.0', '0.99.99'],
])('SERVED-01 MUST let %s serve what is served from %s on', (version, servedFrom) => {
  expect(refusalOf({ unknown, servedFrom }, version)).toBeUndefined()
})

it.each([
  ['0.9.0', '0.10.0'],
  ['0.2.9', '0.3.0'],
  ['0.99.99', '1.0.0'],
])(
  'SERVED-02 MUST refuse %s where the database is served from %s on, and name the version to run',
  (version, servedFrom) => {
    const refusal = refusalOf({ unknown, servedFrom }, version)
    expect(refusal).toMatch(`versions from ${servedFrom} on can serve it, and this is ${version}, `)
    expect(refusal).toMatch(
      /1 of its migration\(s\), the last is 29990101000000_drop: run .* or a later version$/,
    )
  },
)

it('SERVED-03 MUST let every version serve what was only expanded', () => {
  expect(refusalOf({ unknown }, '0.0.1')).toBeUndefined()
})

it('SERVED-04 MUST go by the latest of several versions, as numbers', () => {
  expect(latestOf(['0.9.0', '0.10.0', '0.2.11'])).toBe('0.10.0')
  expect(latestOf([])).toBeUndefined()
})
