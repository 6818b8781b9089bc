/** The schemas that cases are made of: the supergraph as clients see it, and each subgraph's own. */

import { buildASTSchema, buildSchema, type GraphQLSchema } from 'graphql'
import { typeDefsOf } from '#core/contract/sdl.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { readText } from '../../support/sources.ts'

const KINDS = await loadKinds()
const lenient = { assumeValid: true, assumeValidSDL: true }

/** The gateway's schema. */
export const supergraphSchema = (): GraphQLSchema =>
  buildSchema(readText('schema/supergraph.graphql'), lenient)

/** A subgraph's schema at its own port, apart from `_entities` and `_service`. */
export const subgraphSchema = (name: string): GraphQLSchema =>
  buildASTSchema(typeDefsOf(name, KINDS), lenient)
