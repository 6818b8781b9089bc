/** A service's SDL document, completed by what all subgraphs have in common. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefinitionNode, type DocumentNode, isTypeExtensionNode, Kind, parse } from 'graphql'

const SCHEMA_FOLDER = join(import.meta.dirname, '../../../schema')

const readSdl = (folder: string, name: string) => parse(readFileSync(join(folder, `${name}.graphql`), 'utf8'))

/** What a definition defines; an extension defines nothing anew. */
const nameOf = (definition: DefinitionNode) =>
  'name' in definition && !isTypeExtensionNode(definition) ? definition.name?.value : undefined

/** The SDL of a subgraph: its own document, and of what all have in common that which it does not define itself. */
export const typeDefsOf = (name: string, folder = SCHEMA_FOLDER): DocumentNode => {
  const own = readSdl(folder, name).definitions
  const named = new Set(own.map(nameOf))
  const common = readSdl(SCHEMA_FOLDER, 'common').definitions.filter(
    one => !nameOf(one) || !named.has(nameOf(one)),
  )
  return { kind: Kind.DOCUMENT, definitions: [...common, ...own] }
}
