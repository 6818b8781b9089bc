/** Graph whose few entities come back at each level, over sources as the program has them. */
import { buildSubgraphSchema } from '@apollo/subgraph'
import type { GraphQLResolverMap } from '@apollo/subgraph/dist/schema-helper/index.js'
import { type GraphQLSchema, graphql, parse } from 'graphql'
import { compose } from '#gateway/supergraph/document.ts'
import { withErrorPaths } from '#gateway/transport/error-paths.ts'
import { dedupeEntities } from '#gateway/transport/wrapped-source.ts'
import { runs, type SourceOf } from './both-ways.ts'
import type { Answerer } from './mock-subgraphs.ts'

interface Keyed {
  readonly id: string
}

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@requires"])'

const PEOPLE = ['ann', 'bob', 'cid']
const THINGS = ['hat', 'cup']

/** Posts: each person of each thing, but for one. */
const POSTS = PEOPLE.flatMap(author =>
  THINGS.map(about => ({ id: `${author}-${about}`, author, about })),
).slice(1)

const toPost = ({ id, author, about }: (typeof POSTS)[number]) => ({
  id,
  text: `of ${id}`,
  author: { id: author },
  about: { id: about },
  item: { id: about },
})

const people: Subgraph = {
  sdl: `type Query { people: [Person!]! }
    type Person @key(fields: "id") { id: ID! name: String age: Int tags: [String!] }`,
  resolvers: {
    Query: { people: () => PEOPLE.map(id => ({ id })) },
    Person: {
      __resolveReference: ({ id }: Keyed) => (id === 'cid' ? null : { id }),
      name: ({ id }: Keyed) => id.toUpperCase(),
      age: ({ id }: Keyed) => id.charCodeAt(0),
      tags: ({ id }: Keyed) => [id, 'tag'],
    },
  },
}

const posts: Subgraph = {
  sdl: `type Query { things: [Thing!]! }
    type Post @key(fields: "id") { id: ID! text: String! author: Person! about: Thing item: Item @shareable }
    type Item @key(fields: "id") { id: ID! }
    type Person @key(fields: "id") { id: ID! posts: [Post!]! }
    type Thing @key(fields: "id") { id: ID! posts: [Post!]! }`,
  resolvers: {
    Query: { things: () => THINGS.map(id => ({ id })) },
    Person: { posts: ({ id }: Keyed) => POSTS.filter(({ author }) => author === id).map(toPost) },
    Thing: { posts: ({ id }: Keyed) => POSTS.filter(({ about }) => about === id).map(toPost) },
  },
}

const stock: Subgraph = {
  sdl: `type Thing @key(fields: "id") {
      id: ID! label: String! price: Int left: Int parcel: Int @requires(fields: "size") size: Int @external }
    type Item @key(fields: "id") { id: ID! label: String! }`,
  resolvers: {
    Item: { label: ({ id }: Keyed) => `item ${id}` },
    Thing: {
      label: ({ id }: Keyed) => `a ${id}`,
      price: ({ id }: Keyed) => id.length,
      left({ id }: Keyed) {
        if (id === 'cup') throw new Error('not counted')
        return 7
      },
      parcel: ({ size }: Keyed & { size: number }) => size * 2,
    },
  },
}

const sizes: Subgraph = {
  sdl: 'type Thing @key(fields: "id") { id: ID! size: Int }',
  resolvers: { Thing: { size: ({ id }: Keyed) => (id === 'hat' ? 3 : 1) } },
}

/** Marks of items, which are known by their posts alone: equal items of two posts are not the same. */
const marks: Subgraph = {
  sdl: `type Post @key(fields: "id") { id: ID! item: Item @shareable }
    type Item @key(fields: "id", resolvable: false) { id: ID! mark: String }`,
  resolvers: {
    Post: {
      item: ({ id }: Keyed) => ({ id: POSTS.find(post => post.id === id)!.about, mark: `by ${id}` }),
    },
  },
}

interface Subgraph {
  readonly sdl: string
  readonly resolvers: GraphQLResolverMap<unknown>
}

const SUBGRAPHS: Readonly<Record<string, Subgraph>> = { people, posts, stock, sizes, marks }

const documents = Object.entries(SUBGRAPHS).map(([name, { sdl }]) => ({
  name,
  url: '',
  typeDefs: parse(`${LINK}\n${sdl}`),
}))

export const repeatingSupergraph = (): string => compose(documents)

const schemas = new Map<string, GraphQLSchema>(
  documents.map(({ name, typeDefs }) => [
    name,
    buildSubgraphSchema({ typeDefs, resolvers: SUBGRAPHS[name]!.resolvers }),
  ]),
)

export const answerRepeating: Answerer = async (subgraph, { query, variables }) =>
  JSON.stringify(
    await graphql({ schema: schemas.get(subgraph)!, source: query, variableValues: { ...variables } }),
  )

/** Source of a subgraph as the program has it; requests are noted as they are sent. */
export const repeatingSource: SourceOf = name =>
  withErrorPaths(
    dedupeEntities({
      async process({ request: { query, variables }, context }) {
        const { answerer, fetches } = runs.get(context)!
        fetches.push(`${name} ${JSON.stringify(variables)}`)
        return JSON.parse(await answerer(name, { query: query!, variables: variables ?? {} }))
      },
    }),
  )
