/** Costs that a schema declares: `@cost` and `@listSize`, in the supergraph as in every subgraph. */
import { buildSchema, type GraphQLSchema, isInterfaceType, isObjectType, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { buildSubgraphSchema } from '#core/contract/subgraph-schema.ts'
import { readDeclaredCosts } from '#core/graph/cost-directives.ts'
import { createCostLimit, createCostOf } from '#core/graph/operation-limits.ts'
import { readSupergraph, subgraphDocuments } from '#gateway/supergraph/document.ts'
import { loadKinds } from '#subgraphs/load.ts'

const DIRECTIVES = `
  directive @cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!],
    requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION`

const schema = buildSchema(`${DIRECTIVES}
  type Query {
    dear: Int @cost(weight: 7)
    free: Int @cost(weight: 0)
    sum(first: Int, deep: Boolean @cost(weight: 30)): [Row!] @cost(weight: 10) @listSize(slicingArguments: ["first"], assumedSize: 100)
    pair: [Row!] @listSize(assumedSize: 2)
    ten: [Row!]
    page(top: Int, first: Int): RowConnection
      @listSize(slicingArguments: ["first", "top"], assumedSize: 4, sizedFields: ["nodes"], requireOneSlicingArgument: false)
    box: Box
    boxes: [Box!] @listSize(assumedSize: 3)
  }
  type Row { id: ID }
  type Box @cost(weight: 5) { id: ID }
  type RowConnection { nodes: [Row!]! }`)
const costs = readDeclaredCosts(schema)

describe('what is declared', () => {
  it.each<[string, number, Record<string, unknown>?]>([
    ['{ dear }', 7],
    ['{ free }', 0],
    ['{ sum { id } }', 110],
    ['{ sum(first: 3) { id } }', 13],
    ['{ sum(first: 3, deep: true) { id } }', 43],
    ['query($n: Int) { sum(first: $n) { id } }', 13, { n: 3 }],
    ['query($n: Int) { sum(first: $n) { id } }', 110, {}],
    ['{ pair { id } }', 3],
    ['{ ten { id } }', 11],
    ['{ page { nodes { id } } }', 9],
    ['{ page(first: 6, top: 8) { nodes { id } } }', 17],
    ['{ page(first: -6) { nodes { id } } }', 3],
    ['{ box { id } }', 6],
    ['{ boxes { id } }', 8],
  ])('COST-01 MUST count: %s as %d', (text, cost, variables) => {
    expect(createCostOf({ costs })({ schema, document: parse(text), variables })).toBe(cost)
  })

  it('COST-02 MUST be held to the limit', () => {
    const check = createCostLimit(100, costs)
    expect(check({ schema, document: parse('{ sum(first: 90) { id } }') })).toBe(100)
    expect(() => check({ schema, document: parse('{ sum(first: 91) { id } }') })).toThrow(
      'more than 100 fields',
    )
  })
})

const listsOf = (one: GraphQLSchema) =>
  Object.values(one.getTypeMap())
    .filter(type => isObjectType(type) || isInterfaceType(type))
    .flatMap(type => Object.values(type.getFields()).map(field => ({ type, field })))

it('COST-03 MUST be declared of every page, and be the same in the supergraph and in the subgraph', async () => {
  const supergraph = buildSchema(readSupergraph(), { assumeValid: true })
  const declared = readDeclaredCosts(supergraph)
  const pages = listsOf(supergraph).filter(({ field }) => /Connection!?$/.test(String(field.type)))
  expect(pages.length).toBeGreaterThan(20)
  for (const { type, field } of pages) {
    const size = declared(type.name, field.name)?.size
    expect([type.name, field.name, size?.assumedSize]).toEqual([type.name, field.name, 50])
    expect(field.args.map(({ name }) => name)).toEqual(expect.arrayContaining([...size!.slicingArguments]))
  }
  const found: string[] = []
  for (const { name, typeDefs } of subgraphDocuments(await loadKinds())) {
    const own = buildSubgraphSchema({ typeDefs, resolvers: {} })
    const ofSubgraph = readDeclaredCosts(own)
    for (const { type, field } of listsOf(own)) {
      const cost = ofSubgraph(type.name, field.name)
      if (!cost) continue
      found.push(`${name} ${type.name}.${field.name}`)
      expect([name, type.name, field.name, cost]).toEqual([
        name,
        type.name,
        field.name,
        declared(type.name, field.name),
      ])
    }
  }
  expect(found).toEqual(
    expect.arrayContaining([
      'activity Query.timeline',
      'prepaid Subscriber.recharges',
      'loyalty Reward.webhookDeliveries',
    ]),
  )
})
