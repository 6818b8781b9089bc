/** Regular expressions that meet a stranger's text before anyone is let in take time in proportion to its length. */
import { checkSync } from 'recheck'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { sourcesIn } from '../support/sources.ts'

/** The literals of a source, as pattern and flags. */
const literalsOf = (text: string): string[] => {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest))
  return found
}

const literals = ['subgraphs/shared/access', 'subgraphs/shared/directory', 'subgraphs/shared/data'].flatMap(
  folder =>
    sourcesIn(folder).flatMap(({ file, text }) => literalsOf(text).map(literal => [file, literal] as const)),
)

test.each(literals)('REGEX-01 %s: %s is linear', (_, literal) => {
  const end = literal.lastIndexOf('/')
  const { status, complexity } = checkSync(literal.slice(1, end), literal.slice(end + 1), { timeout: 20_000 })
  expect([status, complexity?.type]).toEqual(['safe', expect.stringMatching(/safe|linear/)])
})

test('REGEX-02 one that is not linear is found', () => {
  expect(checkSync(String.raw`0+$`, '', {}).status).toBe('vulnerable')
})
