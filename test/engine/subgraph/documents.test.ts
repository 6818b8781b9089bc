/** Compiled documents: operations that are compiled, those that are left to graphql-js, and the size of both. */
import { buildSchema, type GraphQLSchema, parse } from 'graphql'
import { expect, test } from 'vitest'
import { DEFAULT_QUOTAS, type Principal } from '#core/access/principal.ts'
import { NO_TRAIL } from '#core/audit/access-recorder.ts'
import { readConfig } from '#core/config/config.ts'
import { loadEngine } from '#core/engine.ts'
import { createExecutor, isRefusal } from '#core/graph/executor.ts'
import { createDocumentCache } from '#core/graph/operation-limits.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import { createLog } from '#core/observability/log.ts'
import { createCompiledDocuments } from '#engine/subgraph/operation.ts'

const schema = buildSchema(`
  type Query { a(x: Int): String, self: Query!, selves: [Query!]! }
  type Mutation { a: String }
`)

const find = (text: string, operationName?: string, of: GraphQLSchema = schema) => {
  const documents = createCompiledDocuments(of)
  const document = parse(text)
  documents.add(document)
  return documents.find(document, operationName)
}

const CONDITIONS = ['a', 'b', 'c', 'd', 'e'].map(name => `$${name}: Boolean!`)
const conditional = (count: number) =>
  `query (${CONDITIONS.slice(0, count).join()}) { ${['a', 'b', 'c', 'd', 'e']
    .slice(0, count)
    .map(name => `${name}: a @skip(if: $${name})`)
    .join(' ')} __typename }`

/** Unfolds to twice as many fields with each fragment. */
const unfolding = (count: number) =>
  `{ ...F0 } ${Array.from(
    { length: count },
    (_, index) => `fragment F${index} on Query { a: self { ...F${index + 1} } b: self { ...F${index + 1} } }`,
  ).join(' ')} fragment F${count} on Query { a }`

test.each([
  ['a query', '{ a }'],
  ['a mutation', 'mutation { a }'],
  ['the only operation by its name', 'query One { a }', 'One'],
  ['one of several', 'query One { a } query Two { self { a } }', 'Two'],
  ['four conditions', conditional(4)],
  ['fragments that unfold to some fields', unfolding(5)],
])('compiled: %s', (_, text, operationName?: string) => {
  expect(find(text, operationName)).toBeDefined()
})

test.each([
  ['introspection', '{ __schema { types { name } } }'],
  ['introspection below a fragment', '{ ...F } fragment F on Query { __type(name: "Query") { name } }'],
  ['an operation that is not there', 'query One { a }', 'Two'],
  ['several without a name', 'query One { a } query Two { a }'],
  ['a kind that the schema has not', 'subscription { a }'],
  ['a field that the schema has not', '{ nothing }'],
  ['a wrong condition', '{ a @skip(if: 5) }'],
  ['five conditions', conditional(5)],
  ['fragments that unfold to thousands of fields', unfolding(12)],
])('left to graphql-js: %s', (_, text, operationName?: string) => {
  expect(find(text, operationName)).toBeUndefined()
})

test('left to graphql-js: whatever a schema has that is wrong', () => {
  expect(
    find(
      '{ a }',
      undefined,
      buildSchema('type Query { a: String } interface Empty', { assumeValidSDL: true }),
    ),
  ).toBeUndefined()
})

test('left to graphql-js when it comes: a condition that is null, and variables that are none', () => {
  const execute = find('query ($a: Boolean = true) { a @skip(if: $a) }')!
  const request = { contextValue: undefined, rootValue: undefined }
  expect(execute({ ...request, variableValues: { a: null } })).toBeUndefined()
  expect(
    execute({ ...request, variableValues: 'text' as unknown as object as Record<string, unknown> }),
  ).toBeUndefined()
  expect(execute({ ...request, variableValues: {} })).toEqual({ data: {} })
})

test('what is compiled counts in what the cache may hold', () => {
  const documents = createCompiledDocuments(schema)
  const document = parse(unfolding(8))
  documents.add(document)
  expect(documents.bytesOf(document)).toBeGreaterThan(500_000)
  const [plain, counting] = [createDocumentCache(), createDocumentCache(documents.bytesOf)]
  for (const cache of [plain, counting]) cache.set('text', document)
  expect(counting.calculatedSize - plain.calculatedSize).toBe(documents.bytesOf(document))
})

const READER: Principal = {
  clientId: 'reader',
  name: 'Reader',
  role: 'analyst',
  limits: { currencies: [], dummyCards: false },
  quotas: DEFAULT_QUOTAS,
  expiresAt: new Date('2100-01-01'),
}

/** Stack of a call of the resolver of `a`. */
const executedBy = async (env: Record<string, string>) => {
  const own = buildSchema('type Query { a: String }')
  own.getQueryType()!.getFields()['a']!.resolve = () => new Error().stack
  const subgraph = { schema: own } as Subgraph
  const [log, config] = [createLog('silent'), readConfig(env)]
  const executor = createExecutor(subgraph, { log, config, engine: await loadEngine(config, log) })
  const document = executor.prepare('{ a }')
  if (isRefusal(document)) throw document[0]
  const { signal } = new AbortController()
  const caller = { principal: READER, correlator: 'one', trail: NO_TRAIL, signal }
  const { data } = await executor.execute({ document, caller, context: {} })
  return String(data?.['a'])
}

test('COMPILED says which way', async () => {
  expect(await executedBy({})).toMatch('engine/subgraph/fields.ts')
  const stack = await executedBy({ COMPILED: '0' })
  expect(stack).not.toMatch('engine/subgraph/fields.ts')
  expect(stack).toMatch('graphql/execution/execute.js')
})
