/** Where errors of an operation belong is found in one walk, whatever they are about and however many there are. */
import { type ASTNode, buildSchema, type DocumentNode, GraphQLError, parse, validate, visit } from 'graphql'
import { expect, test } from 'vitest'
import { createErrorPlacer } from '#core/graph/error-places.ts'

const SCHEMA = buildSchema(`
  type Query { me: Me  page(first: Int, filter: Filter): Me }
  type Me { id: ID!  name: String  next(first: Int): Me }
  input Filter { text: String }
`)

const placed = (text: string) => {
  const document = parse(text)
  const errors = validate(SCHEMA, document)
  errors.forEach(createErrorPlacer(document))
  return errors.map(({ path, message }) => [path?.join('.'), message] as const)
}

test.each([
  ['an unknown field', '{ me { a: next { x } } }', 'me.a.x'],
  ['an unknown field of the root', '{ x }', 'x'],
  ['an argument', '{ me { next(last: 1) { id } } }', 'me.next'],
  ['a literal', '{ p: page(first: "x") { id } }', 'p'],
  ['a field of a literal', '{ p: page(filter: { no: 1 }) { id } }', 'p'],
  ['a directive', '{ me { id @no } }', 'me.id'],
  ['the argument of a directive', '{ me { id @skip(if: 1) } }', 'me.id'],
  ['a variable that is not defined', '{ me { next(first: $no) { id } } }', 'me.next'],
  ['a variable that does not fit', 'query ($v: String) { me { next(first: $v) { id } } }', 'me.next'],
  ['an object without a selection', '{ me { next } }', 'me.next'],
  ['a selection of a leaf', '{ me { id { x } } }', 'me.id'],
  ['a fragment that is not there', '{ me { next { ...No } } }', 'me.next'],
  ['within an inline fragment', '{ me { ... on Me { next { x } } } }', 'me.next.x'],
  ['within a fragment', '{ me { next { ...F } } } fragment F on Me { x }', 'me.next.x'],
  ['fields that cannot be merged', '{ me { a: id a: name } }', 'me.a'],
])('PLACE-01 MUST be the field: %s', (_, text, path) => {
  const paths = placed(text).map(([found]) => found)
  expect(paths).toContain(path)
})

test('PLACE-02 MUST be absent where no field has it', () => {
  expect(placed('query ($unused: Int) { me { id } }')).toEqual([
    [undefined, 'Variable "$unused" is never used.'],
  ])
})

test('PLACE-03 MUST be where the field of a path stands, indexes of lists left out', () => {
  const document = parse('{\n  me {\n    a: next { id }\n  }\n}')
  const error = new GraphQLError('late', { path: ['me', 3, 'a', 0] })
  createErrorPlacer(document)(error)
  expect(error.locations).toEqual([{ line: 3, column: 5 }])
})

/** The document with its fields' names counted as they are read. */
const counted = (document: DocumentNode) => {
  let reads = 0
  let fields = 0
  visit(document, {
    Field(node) {
      fields += 1
      const { name } = node
      Object.defineProperty(node, 'name', {
        get: () => {
          reads += 1
          return name
        },
      })
    },
  })
  return { fields, reads: () => reads }
}

const many = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => one(index)).join(' ')

const BROKEN: Record<string, string> = {
  'unknown fields': `{ ${many(1_990, index => `x${index}`)} }`,
  'unknown arguments': `{ ${many(400, index => `a${index}: page(no: 1) { id }`)} }`,
  'unknown fragments': `{ ${many(600, index => `...F${index}`)} me { ${many(300, index => `a${index}: id`)} } }`,
  'unknown variables': `{ ${many(400, index => `a${index}: page(first: $v${index}) { id }`)} }`,
  'unused variables': `query (${many(300, index => `$v${index}: Int`)}) { ${many(300, index => `a${index}: me { id }`)} }`,
  'fields in fragments': `{ ${many(200, index => `...F${index}`)} } ${many(200, index => `fragment F${index} on Query { x${index} }`)}`,
}

test.each(Object.entries(BROKEN))('PLACE-04 MUST be found in one walk: %s', (_, text) => {
  const document = parse(text)
  const errors = validate(SCHEMA, document)
  expect(errors.length).toBeGreaterThan(100)
  const { fields, reads } = counted(document)
  errors.forEach(createErrorPlacer(document))
  expect(reads()).toBeLessThanOrEqual(4 * fields)
})

test('PLACE-05 MUST be found for fields that are nested deeper than the stack', () => {
  const depth = 3_000
  const document = parse(`{ ${'me { '.repeat(depth)} x ${'} '.repeat(depth)} }`)
  const found: ASTNode[] = []
  visit(document, { Field: node => void (node.name.value === 'x' && found.push(node)) })
  const error = new GraphQLError('unknown', { nodes: found })
  createErrorPlacer(document)(error)
  expect(error.path).toBeUndefined()
  expect(error.locations).toEqual([{ line: 1, column: 3 + 5 * depth + 1 }])
})
