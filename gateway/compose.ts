/** `npm run compose`: writes `schema/supergraph.graphql`; with `--check`, fails where it is out of date. */
import { writeFileSync } from 'node:fs'
import { loadKinds } from '../subgraphs/load.ts'
import { compose, readSupergraph, SUPERGRAPH_FILE, subgraphDocuments } from './supergraph/document.ts'

const supergraph = compose(subgraphDocuments(await loadKinds()))
if (!process.argv.includes('--check')) writeFileSync(SUPERGRAPH_FILE, supergraph)
else if (supergraph !== readSupergraph()) {
  console.error('Run npm run compose: schema/supergraph.graphql is out of date')
  process.exitCode = 1
}
