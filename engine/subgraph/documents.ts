/** Compiled operations of documents, kept as long as the documents. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  validateSchema,
} from 'graphql'
import type { CompiledDocuments, ExecuteCompiled } from '#core/context/engine.ts'
import { type Budget, NotCompiled } from './compile.ts'
import { compileOperation } from './operation.ts'

/** Fields of a document, far more than a portal writes; graphql-js executes larger ones. */
const MAX_FIELDS = 2_000
/** Size of a field with its completion, its arguments and its nodes. */
const FIELD_BYTES = 1_000

interface CompiledDocument {
  readonly bytes: number
  readonly byName: ReadonlyMap<string | undefined, ExecuteCompiled>
}

const fragmentsOf = ({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> => {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const one of definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments[one.name.value] = one
  return fragments
}

const operationsOf = ({ definitions }: DocumentNode): OperationDefinitionNode[] =>
  definitions.filter(one => one.kind === Kind.OPERATION_DEFINITION)

const tryCompile = (compile: () => ExecuteCompiled): ExecuteCompiled | undefined => {
  try {
    return compile()
  } catch (error) {
    if (error instanceof NotCompiled || error instanceof GraphQLError) return undefined
    throw error
  }
}

const compileDocument = (schema: GraphQLSchema, document: DocumentNode): CompiledDocument => {
  const budget: Budget = { left: MAX_FIELDS }
  const fragments = fragmentsOf(document)
  const operations = operationsOf(document)
  const byName = new Map<string | undefined, ExecuteCompiled>()
  for (const operation of operations) {
    const execute = tryCompile(() => compileOperation({ schema, fragments, operation }, budget))
    if (!execute) continue
    if (operation.name) byName.set(operation.name.value, execute)
    if (operations.length === 1) byName.set(undefined, execute)
  }
  return { byName, bytes: FIELD_BYTES * (MAX_FIELDS - Math.max(budget.left, 0)) }
}

/** Makes the store of a schema's compiled operations. */
export function createCompiledDocuments(schema: GraphQLSchema): CompiledDocuments {
  const isValid = validateSchema(schema).length === 0
  const documents = new WeakMap<DocumentNode, CompiledDocument>()
  return {
    add: document => void (isValid && documents.set(document, compileDocument(schema, document))),
    bytesOf: document => documents.get(document)?.bytes ?? 0,
    find: (document, operationName) => documents.get(document)?.byName.get(operationName),
  }
}
