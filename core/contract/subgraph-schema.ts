/**
 * Schemas of subgraphs as @apollo/subgraph makes them. It reads and checks a document in its own form before it makes
 * graphql-js' of it, which takes most of the time: that is done once for a document, and what comes out is kept.
 */
import { createHash } from 'node:crypto'
import type { DocumentNode, GraphQLSchema } from 'graphql'
import { keptFile, keptJson } from '../config/kept-files.ts'
import { schemaOf, sdlOf, version } from '../third-party/apollo-subgraph.ts'
import { teachEnums } from './enums.ts'

interface SubgraphModule {
  readonly typeDefs: DocumentNode
  /** By the names of types: their fields' resolvers, or a whole scalar. */
  readonly resolvers: object
}

/** Where the SDL of a document is kept. */
export const keptSdl = (typeDefs: DocumentNode): string => {
  const hash = createHash('sha256').update(version).update(JSON.stringify(typeDefs))
  return keptFile(`subgraph-${hash.digest('hex').slice(0, 32)}.json`)
}

/** The schema of a document with these resolvers. @throws Error saying what is wrong with the document. */
export const buildSubgraphSchema = ({ typeDefs, resolvers }: SubgraphModule): GraphQLSchema =>
  teachEnums(
    schemaOf(
      keptJson(keptSdl(typeDefs), () => sdlOf(typeDefs)),
      resolvers,
    ),
  )
