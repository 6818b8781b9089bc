/** Resolvers by the columns that they read. */
import { buildSchema, type GraphQLResolveInfo, graphqlSync } from 'graphql'
import { expect, it } from 'vitest'
import { type ColumnSet, createColumnSets } from '#core/data/sql.ts'
import { selectedColumns } from '#core/graph/connections.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import { resolversOf } from '#core/graph/row-resolvers.ts'

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

const schema = buildSchema(
  'type Query { page: Page } type Page { nodes: [Row] } type Row { a: String b: String c: String }',
)
const sets = createColumnSets({ id: 't.id', a: 't.a', b: 't.b', c: 't.c' })

/** Columns that are read for a query of the page. */
const readFor = (query: string) => {
  const columnsOf = selectedColumns(sets, ['id'], { typename: 'Row', paths: [['nodes']] })
  let read: ColumnSet<'id'> | undefined
  const page = (_: unknown, _context: unknown, info: GraphQLResolveInfo) => {
    read = columnsOf(info)
    return null
  }
  const result = graphqlSync({ schema, source: query, rootValue: { page } })
  expect(result.errors).toBeUndefined()
  return read!.columns.sql
}

it.each([
  ['{ page { nodes { b } } }', 't.id AS "id", t.b AS "b"'],
  ['{ page { nodes { __typename } } }', 't.id AS "id"'],
  ['{ page { __typename } }', 't.id AS "id"'],
  [
    '{ page { nodes { x: a } } page { nodes { c } more: nodes { b } } }',
    't.id AS "id", t.a AS "a", t.b AS "b", t.c AS "c"',
  ],
  [
    '{ page { ...P } } fragment P on Page { nodes { ... { ...R } } } fragment R on Row { c }',
    't.id AS "id", t.c AS "c"',
  ],
  [
    'query ($no: Boolean = false) { page { nodes { a @include(if: $no) b @skip(if: true) } } }',
    't.id AS "id", t.a AS "a", t.b AS "b"',
  ],
])('SELECTED-03 MUST read what any execution of %s could show', (query, columns) => {
  expect(readFor(query)).toBe(columns)
})

it('SELECTED-04 MUST enter a fragment once, however often others spread it', () => {
  const levels = Array.from({ length: 60 }, (_, n) => `fragment F${n} on Row { ...F${n + 1} ...F${n + 1} }`)
  const query = `{ page { nodes { ...F0 ...F0 } } } ${levels.join(' ')} fragment F60 on Row { b }`
  expect(readFor(query)).toBe('t.id AS "id", t.b AS "b"')
})
