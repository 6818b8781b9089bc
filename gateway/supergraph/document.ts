/** The supergraph as it is checked in, and the documents that it is composed from. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Supergraph } from '@apollo/federation-internals'
import { type DocumentNode, printSchema } from 'graphql'
import { type DocumentedKind, typeDefsOf } from '#core/contract/sdl.ts'
import { SERVICES, type ServiceName } from '#subgraphs/names.ts'

/** The API schema of the checked-in supergraph, for clients and their tools. */
export const API_SCHEMA_FILE = join(import.meta.dirname, '../../schema/api.graphql')

export const SUPERGRAPH_FILE = join(import.meta.dirname, '../../schema/supergraph.graphql')

/** A subgraph as composition sees it. */
export interface SubgraphDocument {
  readonly name: string
  readonly url: string
  readonly typeDefs: DocumentNode
}

/**
 * A subgraph's document, completed.
 * @param folder where its own document is, when not in `schema/`.
 */
export const toDocument = (
  { name, port }: ServiceName,
  kinds: readonly DocumentedKind[],
  folder?: string,
): SubgraphDocument => ({
  name,
  url: `http://127.0.0.1:${port}/graphql`,
  typeDefs: typeDefsOf(name, kinds, folder),
})

/** The documents of all subgraphs in `names.ts`, where there are these kinds of transaction. */
export const subgraphDocuments = (kinds: readonly DocumentedKind[]): SubgraphDocument[] =>
  SERVICES.map(service => toDocument(service, kinds))

/** What clients see of a supergraph, as SDL: without what only the gateway plans by. */
export const apiSchemaOf = (supergraphSdl: string): string =>
  `${printSchema(Supergraph.build(supergraphSdl, { validateSupergraph: false }).apiSchema().toGraphQLJSSchema())}\n`

/** The checked-in supergraph. */
export const readSupergraph = (): string => readFileSync(SUPERGRAPH_FILE, 'utf8')
