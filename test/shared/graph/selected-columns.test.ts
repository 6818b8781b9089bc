/** Resolvers by the columns that they read. */
import { expect, it } from 'vitest'
import type { GraphContext } from '../../../subgraphs/shared/graph/loaders.ts'
import { resolversOf } from '../../../subgraphs/shared/graph/selected-columns.ts'

interface Row {
  readonly a: string
  readonly b: string | null
}

const resolve = resolversOf<Row>()(['b'], ({ b }) => b ?? 'null')
// The resolver looks at no context.
const context = {} as GraphContext

it('SELECTED-01 MUST give what was read, null included', () => {
  expect(resolve({ b: 'x' }, undefined, context)).toBe('x')
  expect(resolve({ b: null }, undefined, context)).toBe('null')
})

it('SELECTED-02 MUST throw for a column that was not read, instead of taking it for null', () => {
  expect(() => resolve({ a: 'x' }, undefined, context)).toThrow('Read without a column of b')
})
