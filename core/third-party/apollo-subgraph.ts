/** The one step of @apollo/subgraph in two: reading and checking a document, and making a schema of the result. */
import { createRequire } from 'node:module'
import { buildSubgraphSchema as build } from '@apollo/subgraph'
import { addResolversToSchema } from '@apollo/subgraph/dist/schema-helper/buildSchemaFromSDL.js'
import { entitiesResolver } from '@apollo/subgraph/dist/types.js'
import { buildASTSchema, type DocumentNode, type GraphQLSchema, parse } from 'graphql'

/** Its declaration requires an index signature, which an interface with named members lacks. */
const addResolvers = addResolversToSchema as (schema: GraphQLSchema, resolvers: object) => void

type Entities = Parameters<typeof entitiesResolver>[0]

/** The version of the library. */
export const { version } = createRequire(import.meta.url)('@apollo/subgraph/package.json') as {
  version: string
}

/** Writes a document as whole SDL, with federation's own definitions. @throws Error naming the faults of the document. */
export const sdlOf = (typeDefs: DocumentNode): string => {
  const service = build({ typeDefs }).getQueryType()!.getFields()['_service']!.resolve as () => {
    sdl: string
  }
  return service().sdl
}

const federationResolvers = (schema: GraphQLSchema, sdl: string) => ({
  [schema.getQueryType()!.name]: {
    _service: () => ({ sdl }),
    ...(schema.getType('_Entity') && {
      _entities: (_: unknown, { representations }: Entities, context: unknown, info: Entities['info']) =>
        entitiesResolver({ representations, context, info }),
    }),
  },
  _Entity: { __resolveType: ({ __typename }: { __typename: string }) => __typename },
})

/**
 * Makes the schema of such an SDL.
 * @param resolvers the resolvers of fields, or whole scalars, by the names of types.
 */
export function schemaOf(sdl: string, resolvers: object): GraphQLSchema {
  const document = parse(sdl, { noLocation: true })
  const schema = buildASTSchema(document, { assumeValid: true, assumeValidSDL: true })
  addResolvers(schema, federationResolvers(schema, sdl))
  addResolvers(schema, resolvers)
  return schema
}
