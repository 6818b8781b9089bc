/** Composition, apart from all that a server loads: it takes place when a document changes, not at a start. */

import { composeServices } from '@apollo/composition'
import type { SubgraphDocument } from './document.ts'

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
