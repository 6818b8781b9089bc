/** The supergraph: composed from the subgraphs' documents, checked in, and loaded from there. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { composeServices } from '@apollo/composition'
import type { DocumentNode } from 'graphql'
import { SERVICES, type ServiceName } from '../../subgraphs/names.ts'
import { typeDefsOf } from '../../subgraphs/shared/contract/sdl.ts'

export const SUPERGRAPH_FILE = join(import.meta.dirname, '../../schema/supergraph.graphql')

/** A subgraph as composition sees it. */
export interface SubgraphDocument {
  readonly name: string
  readonly url: string
  readonly typeDefs: DocumentNode
}

const toDocument = ({ name, port }: ServiceName): SubgraphDocument => ({
  name,
  url: `http://127.0.0.1:${port}/graphql`,
  typeDefs: typeDefsOf(name),
})

/** The documents of all subgraphs in `names.ts`. */
export const subgraphDocuments = (): SubgraphDocument[] => SERVICES.map(toDocument)

/**
 * Composes subgraphs into a supergraph.
 * @throws Error with every reason why they do not fit together.
 */
export function compose(documents: readonly SubgraphDocument[] = subgraphDocuments()): string {
  const { errors, supergraphSdl } = composeServices([...documents])
  if (errors)
    throw new Error(
      `The subgraphs do not compose:\n${errors.map(({ message }) => `  ${message}`).join('\n')}`,
    )
  return supergraphSdl!
}

/** The checked-in supergraph. */
export const readSupergraph = (): string => readFileSync(SUPERGRAPH_FILE, 'utf8')
