/** Compiled operations are executed exactly as graphql-js executes them: some hundred by chance. */
import { expect, test } from 'vitest'
import { compareRandom } from './compare-random.ts'

const CASES = 300

test('as graphql-js, call by call', async () => {
  // What is left to graphql-js has a condition that is null.
  expect(await compareRandom(0, CASES)).toBeGreaterThan(CASES * 0.9)
})
