/** Documents that become tools: the operator's trusted ones, and where clients may read the schema the project's examples. */
import { readdirSync, readFileSync } from 'node:fs'
import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from 'graphql'
import type { Config } from '#core/config/config.ts'
import { projectPath } from '#core/config/project-files.ts'
import type { TrustedDocuments } from '../operation/trusted-documents.ts'

/** A document with one operation, which becomes one tool. */
export interface ToolDocument {
  readonly name: string
  readonly text: string
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** Comment at the beginning of its file; empty without one. */
  readonly comment: string
  /** Whether it is an example of the reference, the literals of which become arguments. */
  readonly isExample: boolean
}

const isOperation = (node: { kind: string }): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION

/** Comment before the first definition of a text, in one line. */
const commentOf = (text: string): string => {
  const lines = text.split('\n')
  const end = lines.findIndex(line => !/^\s*(#|$)/.test(line))
  return lines
    .slice(0, end)
    .map(line => line.replace(/^\s*#\s?/, '').trim())
    .filter(line => line !== '')
    .join(' ')
}

const parsed = (text: string): DocumentNode | undefined => {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** Makes the document of a text with one named operation; a subscription is followed by the tool `events` instead. */
const ofText = (text: string): ToolDocument[] => {
  const document = parsed(text)
  const operations = document?.definitions.filter(isOperation) ?? []
  const [operation] = operations
  if (!document || operations.length !== 1 || !operation?.name || operation.operation === 'subscription')
    return []
  return [
    { name: operation.name.value, text, document, operation, comment: commentOf(text), isExample: false },
  ]
}

/** Folders of operations that are written for portals, and for the questions of analysts; each file has one. */
const OPERATIONS = ['schema/questions', 'schema/operations']

const filesIn = (folder: string): string[] =>
  readdirSync(projectPath(folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.graphql'))
    .toSorted()
    .map(name => readFileSync(projectPath(folder, name), 'utf8'))

/** Files of examples of single root fields; those of mutations too, which are tools only where a setting names them. */
const EXAMPLES = ['schema/examples/queries.graphql', 'schema/examples/mutations.graphql']

const examplesIn = (file: string): ToolDocument[] => {
  const source = readFileSync(projectPath(file), 'utf8')
  return parse(source)
    .definitions.filter(isOperation)
    .flatMap(({ loc }) => ofText(source.slice(loc!.start, loc!.end)))
    .map(document => ({ ...document, isExample: true }))
}

/**
 * Gives names to documents that share one. The first keeps it; the others, older or newer versions of a portal's operation,
 * are not told apart by a name, so they are left out.
 */
const distinct = (documents: readonly ToolDocument[]): ToolDocument[] => {
  const byName = new Map<string, ToolDocument>()
  for (const one of documents) if (!byName.has(one.name)) byName.set(one.name, one)
  return [...byName.values()]
}

/**
 * Reads all documents of an installation, trusted ones first. Where the schema is kept from clients (`INTROSPECTION=0`,
 * `TRUSTED_ONLY=1`) there are no others.
 */
export function readToolDocuments(
  trusted: TrustedDocuments,
  { introspection }: Pick<Config, 'introspection'>,
): ToolDocument[] {
  const own = [...trusted].flatMap(({ text }) => ofText(text))
  if (!introspection) return distinct(own)
  return distinct([...own, ...OPERATIONS.flatMap(filesIn).flatMap(ofText), ...EXAMPLES.flatMap(examplesIn)])
}
