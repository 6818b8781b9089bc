/**
 * Types say what is: a cast that makes anything of anything stands only where another's declarations say what is not,
 * in `third-party/`, with the reason.
 */
import { describe, expect, test } from 'vitest'
import { filesOf, nodesIn, nodesOf, type SyntaxNode, within } from './syntax.ts'

const SOURCES = [
  ...[
    'core',
    'subgraphs',
    'gateway',
    'engine',
    'connectors',
    'topology',
    'cli',
    'prisma',
    'simulators',
    'bench',
  ].flatMap(filesOf),
  'codegen.ts',
]

interface Node extends SyntaxNode {
  readonly expression?: Node & { readonly name?: string }
  readonly typeAnnotation?: { readonly typeAnnotation?: SyntaxNode }
  readonly optional?: boolean
}

const isCast = ({ type }: Node) => type === 'TSAsExpression' || type === 'TSTypeAssertion'

/** `as never`, `as any`, and what holds one of them. */
const toAnything = ({ typeAnnotation }: Node) =>
  within(typeAnnotation).some(({ type }) => type === 'TSNeverKeyword' || type === 'TSAnyKeyword')

/** `as unknown as X`, `undefined as X`, `null as X`. */
const fromAnything = ({ expression }: Node) =>
  expression !== undefined &&
  (isCast(expression) || expression.type === 'NullLiteral' || expression.name === 'undefined')

/** A property that nothing can be, and so whatever is read from it fits everywhere. */
const isNeverThere = ({ type, optional, typeAnnotation }: Node) =>
  type === 'TSPropertySignature' && !optional && typeAnnotation?.typeAnnotation?.type === 'TSNeverKeyword'

const isLie = (node: Node) => (isCast(node) && (toAnything(node) || fromAnything(node))) || isNeverThere(node)

const liesIn = (file: string) =>
  nodesOf(file)
    .filter(isLie)
    .map(({ loc }) => `${file}:${loc.start.line}`)

describe('casts', () => {
  test('that say what is not are seen', () => {
    for (const text of [
      'const a = b as never',
      'const a = (b as { c: never }).c',
      'const a = b as unknown as C',
      'const a = <never>b',
      'const a = undefined as C',
      'const a = f(null as C)',
      'const a = b as any',
      'interface A { readonly b: never }',
    ])
      expect(nodesIn(text).filter(isLie), text).not.toHaveLength(0)
    for (const text of [
      'const a = b as C',
      'const a = [1] as const',
      'type A = { b?: never }',
      'f<never>(a)',
    ])
      expect(nodesIn(text).filter(isLie), text).toHaveLength(0)
  })

  test('that say what is not stand in third-party/ alone', () => {
    const lies = SOURCES.flatMap(liesIn)
    expect(lies.filter(place => !place.includes('/third-party/'))).toEqual([])
    expect(lies).not.toEqual([])
  })
})
