/** Trusted documents (`TRUSTED_DOCUMENTS`): operations by their ids, in the manifests that clients' tools write. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../values/json.ts'

/** One document, as a manifest has it. */
export interface TrustedText {
  readonly id: string
  readonly text: string
}

interface ReadDocuments {
  readonly documents: readonly TrustedText[]
  /** The faults, each with its file. */
  readonly faults: readonly string[]
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const FORMS =
  'neither the manifest of Apollo ({"format":"apollo-persisted-query-manifest","version":1,"operations":[…]}) nor that of Relay and codegen ({"<id>":"<text>"})'

const ofApollo = ({ format, version, operations }: Record<string, unknown>): TrustedText[] | undefined => {
  if (format !== 'apollo-persisted-query-manifest' || version !== 1) return undefined
  if (!Array.isArray(operations)) return undefined
  const documents = operations.map(one => (isObject(one) ? { id: one['id'], text: one['body'] } : {}))
  return documents.every((one): one is TrustedText => isText(one.id) && isText(one.text))
    ? documents
    : undefined
}

const ofRelay = (manifest: Record<string, unknown>): TrustedText[] | undefined => {
  const entries = Object.entries(manifest)
  return entries.every((entry): entry is [string, string] => entry.every(isText))
    ? entries.map(([id, text]) => ({ id, text }))
    : undefined
}

const readManifest = (file: string): readonly TrustedText[] => {
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const documents = isObject(manifest) ? (ofApollo(manifest) ?? ofRelay(manifest)) : undefined
  if (!documents) throw new Error(`it is ${FORMS}`)
  return documents
}

/** SHA-256 in hexadecimal digits, as clients' tools write it. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const readOperation = (file: string): readonly TrustedText[] => {
  const text = readFileSync(file, 'utf8')
  return [{ id: hashOf(text), text }]
}

const readFile = (file: string): ReadDocuments => {
  try {
    return { documents: file.endsWith('.graphql') ? readOperation(file) : readManifest(file), faults: [] }
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message
    return { documents: [], faults: [`TRUSTED_DOCUMENTS ${file} cannot be read: ${why}`] }
  }
}

const filesOf = (path: string): string[] => {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter(name => /\.(json|graphql)$/.test(name))
    .toSorted()
    .map(name => join(path, name))
}

/** Finds ids that two texts have: each client would mean one of them. */
const contradictions = (documents: readonly TrustedText[]): string[] => {
  const texts = new Map<string, Set<string>>()
  for (const { id, text } of documents) texts.set(id, (texts.get(id) ?? new Set()).add(text))
  return [...texts]
    .filter(([, own]) => own.size > 1)
    .map(([id]) => `TRUSTED_DOCUMENTS must have one text for each id: ${id} has several`)
}

const readFiles = (path: string, files: readonly string[]): ReadDocuments => {
  const read = files.map(readFile)
  const all = read.flatMap(one => one.documents)
  const documents = [...new Map(all.map(one => [one.id, one])).values()]
  const faults = [...read.flatMap(one => one.faults), ...contradictions(all)]
  return documents.length > 0 || faults.length > 0
    ? { documents, faults }
    : { documents, faults: [`TRUSTED_DOCUMENTS ${path} must have an operation, and has none`] }
}

/**
 * Reads a manifest, a file `*.graphql` with one operation, or all of both in a folder. The id of a `*.graphql` file is the
 * SHA-256 of its text.
 */
export function readTrustedDocuments(path: string): ReadDocuments {
  try {
    return readFiles(path, filesOf(path))
  } catch (error) {
    return {
      documents: [],
      faults: [`TRUSTED_DOCUMENTS ${path} cannot be read: ${(error as Error).message}`],
    }
  }
}
