/** `npm run compose`: writes the supergraph and its API schema; with `--check`, fails where one is out of date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { loadKinds } from '#subgraphs/load.ts'
import { apiSchemaOf } from './supergraph/api-schema.ts'
import { API_SCHEMA_FILE, compose, SUPERGRAPH_FILE, subgraphDocuments } from './supergraph/document.ts'

const isCurrent = (file: string, text: string) => existsSync(file) && readFileSync(file, 'utf8') === text

const supergraph = compose(subgraphDocuments(await loadKinds()))
const documents: [file: string, text: string][] = [
  [SUPERGRAPH_FILE, supergraph],
  [API_SCHEMA_FILE, apiSchemaOf(supergraph)],
]
for (const [file, text] of documents) {
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (!isCurrent(file, text)) {
    console.error(`Run npm run compose: schema/${basename(file)} is out of date`)
    process.exitCode = 1
  }
}
