/**
 * A subgraph's schema is made of the SDL that is kept of it: it must be the schema that @apollo/subgraph makes, whose
 * functions are used that it does not export. A new version may change them without a word.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { buildSubgraphSchema as byApollo } from '@apollo/subgraph'
import {
  execute,
  type GraphQLSchema,
  isObjectType,
  lexicographicSortSchema,
  parse,
  printSchema,
} from 'graphql'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { typeDefsOf } from '#core/contract/sdl.ts'
import { buildSubgraphSchema, keptSdl } from '#core/contract/subgraph-schema.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { readText } from '#test/support/sources.ts'

const SHOP = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Product @key(fields: "id") { id: ID! name: String }
  type Query { first: Product }`)
const PLAIN = parse('type Query { one: Int }')

const resolvers = {
  Query: { first: () => ({ id: '1' }), one: () => 1 },
  Product: {
    name: ({ id }: { id: string }) => `No ${id}`,
    __resolveReference: ({ id }: { id: string }) => ({ id }),
  },
}

/** Everything that execution reads, but for functions, which have no equal. */
const describeSchema = (schema: GraphQLSchema) => ({
  sdl: printSchema(lexicographicSortSchema(schema)),
  types: Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .map(type => ({
      name: type.name,
      directives: type.astNode?.directives,
      extensions: Object.keys((type.extensions['apollo'] as { subgraph?: object })?.subgraph ?? {}),
      resolved: Object.values(type.getFields()).flatMap(({ name, resolve }) => (resolve ? [name] : [])),
    })),
})

describe('subgraph schemas', () => {
  let kinds: TransactionKind[]
  beforeAll(async () => {
    kinds = await loadKinds()
  })

  it('SUBGRAPH-00 are made by the version that was read', () => {
    const { version } = JSON.parse(readText('node_modules/@apollo/subgraph/package.json')) as {
      version: string
    }
    expect(version).toBe('2.14.4')
  })

  test.each(SERVICES)('SUBGRAPH-01 that of $name is the one that Apollo makes', ({ name }) => {
    const typeDefs = typeDefsOf(name, kinds)
    const own = describeSchema(buildSubgraphSchema({ typeDefs, resolvers: {} }))
    expect(own).toEqual(describeSchema(byApollo({ typeDefs })))
    expect(describeSchema(buildSubgraphSchema({ typeDefs, resolvers: {} }))).toEqual(own)
  })

  test.each([
    ['with entities', SHOP],
    ['without', PLAIN],
  ])('SUBGRAPH-02 one %s has the resolvers that Apollo gives it', (_, typeDefs) => {
    const module = { typeDefs, resolvers: typeDefs === SHOP ? resolvers : { Query: { one: () => 1 } } }
    expect(describeSchema(buildSubgraphSchema(module))).toEqual(describeSchema(byApollo(module)))
  })

  it('SUBGRAPH-03 resolves entities and its SDL as Apollo does', async () => {
    const document = parse(`{
      _service { sdl }
      _entities(representations: [{ __typename: "Product", id: "7" }]) { ... on Product { id name } }
    }`)
    const [own, theirs] = await Promise.all(
      [buildSubgraphSchema, byApollo].map(async build =>
        execute({ schema: build({ typeDefs: SHOP, resolvers }), document }),
      ),
    )
    expect(own).toEqual(theirs)
    expect(own).toMatchObject({ data: { _entities: [{ id: '7', name: 'No 7' }] } })
  })

  it('SUBGRAPH-04 is made anew where what was kept is damaged', () => {
    const file = keptSdl(SHOP)
    const before = describeSchema(buildSubgraphSchema({ typeDefs: SHOP, resolvers }))
    const kept = readFileSync(file, 'utf8')
    writeFileSync(file, kept.slice(0, 40))
    expect(describeSchema(buildSubgraphSchema({ typeDefs: SHOP, resolvers }))).toEqual(before)
    expect(readFileSync(file, 'utf8')).toBe(kept)
    for (const typeDefs of [SHOP, PLAIN]) rmSync(keptSdl(typeDefs))
  })

  it('SUBGRAPH-05 is refused with the reason, and nothing is kept', () => {
    const typeDefs = parse('type Query { one: Missing }')
    expect(() => buildSubgraphSchema({ typeDefs, resolvers: {} })).toThrow('Missing')
    expect(() => buildSubgraphSchema({ typeDefs, resolvers: {} })).toThrow('Missing')
  })
})
