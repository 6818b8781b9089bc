/** Compiled operations are executed exactly as graphql-js executes them: thousands by chance. */
import { expect, test } from 'vitest'
import { casesOf } from '#test/support/cases.ts'
import { compareRandom } from './compare-random.ts'

const FROM = 1_000
const TO = FROM + casesOf(6_000)

test('as graphql-js, call by call', async () => {
  expect(await compareRandom(FROM, TO)).toBeGreaterThan((TO - FROM) * 0.9)
}, 600_000)
