/** Checked-in supergraph, the documents of which it is composed, and their composition. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { composeServices } from '@apollo/composition'
import type { DocumentNode } from 'graphql'
import { type DocumentedKind, typeDefsOf } from '#core/contract/sdl.ts'
import { SERVICES, type ServiceName } from '#subgraphs/names.ts'

/** File of the API schema of the checked-in supergraph, for clients and their tools. */
export const API_SCHEMA_FILE = join(import.meta.dirname, '../../schema/api.graphql')

export const SUPERGRAPH_FILE = join(import.meta.dirname, '../../schema/supergraph.graphql')

/** Subgraph as composition takes it. */
export interface SubgraphDocument {
  readonly name: string
  readonly url: string
  readonly typeDefs: DocumentNode
}

/**
 * Completes a subgraph's document.
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

/** Completes the documents of all subgraphs in `names.ts` for these kinds of transaction. */
export const subgraphDocuments = (kinds: readonly DocumentedKind[]): SubgraphDocument[] =>
  SERVICES.map(service => toDocument(service, kinds))

/** Reads the checked-in supergraph. */
export const readSupergraph = (): string => readFileSync(SUPERGRAPH_FILE, 'utf8')

/**
 * Composes subgraphs into a supergraph.
 * @throws Error with every reason why they do not fit together.
 */
export function compose(documents: readonly SubgraphDocument[]): string {
  const { errors, supergraphSdl } = composeServices([...documents])
  if (errors)
    throw new Error(
      `The subgraphs do not compose:\n${errors.map(({ message }) => `  ${message}`).join('\n')}`,
    )
  return supergraphSdl!
}
