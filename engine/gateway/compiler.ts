/** Planning and compiling an operation by what Apollo Gateway has made of the supergraph. */
import { operationFromDocument } from '@apollo/federation-internals'
import { buildOperationContext } from '@apollo/gateway'
import type { FetchNode } from '@apollo/query-planner'
import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import type { Variables } from '#engine/subgraph/arguments.ts'
import { compileVariables } from '#engine/subgraph/variables.ts'
import { plannedNames } from '#gateway/operation/client-variables.ts'
import type { GatewayParts } from '#gateway/third-party/apollo-internals.ts'
import type { Send } from './fetch.ts'
import { repeatsRoots } from './mutation-roots.ts'
import { type CompiledOperation, compileOperation } from './operation.ts'
import { NotCompiled } from './plan.ts'

/** An operation of a document, ready to be executed. */
export interface Compiled {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** What it is executed with; undefined where the variables do not fit, which Apollo Gateway words. */
  coerce(variables: Variables | undefined): Variables | undefined
  readonly execute: CompiledOperation
}

/** Compiles an operation of a validated document; undefined for one that only Apollo Gateway executes. */
export type Compile = (document: DocumentNode, operationName: string | undefined) => Compiled | undefined

const compile = (
  parts: GatewayParts,
  sendOf: (node: FetchNode) => Send,
  document: DocumentNode,
  operationName: string | undefined,
): Compiled => {
  const { api, schema, planner, supergraphSchema, planning } = parts
  const names = plannedNames(document)
  const operationContext = buildOperationContext({ schema, operationDocument: names.document, operationName })
  if (repeatsRoots(names.document, operationContext.operation))
    throw new NotCompiled('a root field at several places')
  const operation = operationFromDocument(api, names.document, { operationName })
  const { node } = planner.buildQueryPlan(operation, planning)
  if (node?.kind === 'Subscription') throw new NotCompiled('a subscription')
  const run = compileOperation({ node, operation, operationContext, supergraphSchema, sendOf })
  const renamed: CompiledOperation = async given => {
    const result = await run({ ...given, variables: names.toPlanned(given.variables) })
    names.tellOwn(result.errors)
    return result
  }
  const execute = names.document === document ? run : renamed
  const index = names.document.definitions.indexOf(operationContext.operation)
  const own = document.definitions[index] as OperationDefinitionNode
  const { variableDefinitions = [] } = own
  const coerceAll = compileVariables(schema, variableDefinitions)
  const coerce: Compiled['coerce'] = variables => coerceAll(variables ?? {}).coerced
  return { document, operation: own, coerce, execute }
}

/** Makes the compiler of a supergraph, which remembers what it made of each document for as long as that is kept. */
export const createCompiler = (parts: GatewayParts, sendOf: (node: FetchNode) => Send): Compile => {
  const known = new WeakMap<DocumentNode, Map<string | undefined, Compiled | undefined>>()
  /** What fails here fails there too, and is worded there. */
  const attempt = (document: DocumentNode, operationName: string | undefined) => {
    try {
      return compile(parts, sendOf, document, operationName)
    } catch {
      return undefined
    }
  }
  return (document, operationName) => {
    const ofDocument = known.get(document) ?? new Map<string | undefined, Compiled | undefined>()
    if (ofDocument.has(operationName)) return ofDocument.get(operationName)
    const compiled = attempt(document, operationName)
    known.set(document, ofDocument.set(operationName, compiled))
    return compiled
  }
}
