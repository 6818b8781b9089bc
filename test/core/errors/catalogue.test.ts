/** Failures of the catalogue: which of them say where they came from. */
import { expect, test } from 'vitest'
import { invalid, unavailable } from '#core/errors/catalogue.ts'

test('CATALOGUE-01 a refusal that has no cause has no stack, and is the same beside; all others have theirs', () => {
  const limit = Error.stackTraceLimit
  const refusal = unavailable('Too much', { retryAfterSeconds: 7 })
  expect(refusal.stack).not.toContain('\n    at ')
  expect(refusal).toMatchObject({
    ...{ code: 'SERVICE_UNAVAILABLE', status: 503, message: 'Too much' },
    headers: { 'retry-after': '7' },
  })
  const cause = new Error('cause')
  for (const failure of [unavailable('Lost', { cause }), invalid('wrong'), new Error('any')])
    expect(failure.stack).toContain('\n    at ')
  expect(Error.stackTraceLimit).toBe(limit)
})
