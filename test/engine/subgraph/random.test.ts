/** Compiled operations are executed exactly as graphql-js executes them: some hundred by chance. */
import { afterEach, expect, test, vi } from 'vitest'
import { compareRandom } from './compare-random.ts'

const CASES = 300

afterEach(() => vi.unstubAllGlobals())

test('as graphql-js, call by call', async () => {
  // What is left to graphql-js has a condition that is null.
  expect(await compareRandom(0, CASES)).toBeGreaterThan(CASES * 0.9)
})

test('as graphql-js, call by call, in a process that makes no code of texts', async () => {
  vi.stubGlobal('Function', function refuse() {
    throw new EvalError('Code generation from strings disallowed for this context')
  })
  expect(await compareRandom(CASES, CASES + 100)).toBeGreaterThan(90)
})
