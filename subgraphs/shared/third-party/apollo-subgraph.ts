/** Where the declarations of @apollo/subgraph say other than what it does. */
import { buildSubgraphSchema as build } from '@apollo/subgraph'
import type { DocumentNode, GraphQLSchema } from 'graphql'

interface SubgraphModule {
  readonly typeDefs: DocumentNode
  /** By the names of types: their fields' resolvers, or a whole scalar. */
  readonly resolvers: object
}

/** Resolvers are declared as maps with an index, which no interface that names its types has. */
export const buildSubgraphSchema = build as (module: SubgraphModule) => GraphQLSchema
