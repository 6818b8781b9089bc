/** Regular expressions that meet a stranger's text before anyone is let in take time in proportion to its length. */
import { checkSync } from 'recheck'
import { expect, test } from 'vitest'
import { sourcesIn } from '../support/sources.ts'

/** A literal where an expression may begin; none of ours stands behind a division. */
const LITERAL =
  /(?:[=(,:?&|!]|\breturn)\s*(\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[dgimsuvy]*)/g

const literalsOf = (text: string) => [...text.matchAll(LITERAL)].map(([, literal]) => literal!)

const literals = ['subgraphs/shared/access', 'subgraphs/shared/directory'].flatMap(folder =>
  sourcesIn(folder).flatMap(({ file, text }) => literalsOf(text).map(literal => [file, literal] as const)),
)

test('REGEX-03 they are found in the sources', () => {
  expect(literals.length).toBeGreaterThan(10)
})

test.each(literals)('REGEX-01 %s: %s is linear', (_, literal) => {
  const end = literal.lastIndexOf('/')
  const { status } = checkSync(literal.slice(1, end), literal.slice(end + 1), { timeout: 20_000 })
  expect(status).toBe('safe')
})

test('REGEX-02 one that is not linear is found', () => {
  expect(checkSync('0+$', '', {}).status).toBe('vulnerable')
})
