/**
 * Compiled operations of one supergraph, by what Apollo Gateway made of it. The first request of a text comes here through
 * Apollo Server, and so with all its checks behind it; its compiled operation is kept for those that follow.
 */
import { createHash } from 'node:crypto'
import { operationFromDocument } from '@apollo/federation-internals'
import { buildOperationContext } from '@apollo/gateway'
import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import type { GatewayContext } from '#gateway/operation/context.ts'
import { plannedNames } from '#gateway/operation/rewrites.ts'
import type {
  CompiledOperations,
  ExecutePlan,
  FastPathOptions,
  GatewayExecutor,
  PlannedOperation,
  SendOf,
} from '#gateway/supergraph/engine.ts'
import { repeatsRoots } from '#gateway/supergraph/planner-corrections.ts'
import { asExecutionResult, type GatewayInternals } from '#gateway/third-party/apollo-internals.ts'
import { compileVariables } from '../subgraph/arguments.ts'
import { NotCompiled } from '../subgraph/compile.ts'
import { type Compiled, createFastPath, OperationStore } from './fast-path.ts'
import { compilePlanned } from './operation.ts'

/** Plans and compiles an operation of a validated document. */
const compile = (
  parts: GatewayInternals,
  sendOf: SendOf,
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
  const run = compilePlanned({ node, operation, operationContext, sendOf }, supergraphSchema)
  const renamed: ExecutePlan = async given => {
    const result = await run({ ...given, variables: names.toPlanned(given.variables) })
    names.restoreNames(result.errors)
    return result
  }
  const execute = names.document === document ? run : renamed
  const index = names.document.definitions.indexOf(operationContext.operation)
  const own = document.definitions[index] as OperationDefinitionNode
  return {
    document,
    operation: own,
    execute,
    coerce: compileVariables(schema, own.variableDefinitions ?? []),
  }
}

/**
 * Gives undefined in place of a failure: then the operation is not compiled, and Apollo Gateway fails at it too, and
 * reports that.
 */
const orUndefined = <T>(compiled: () => T): T | undefined => {
  try {
    return compiled()
  } catch {
    return undefined
  }
}

class Operations implements CompiledOperations {
  readonly #parts: GatewayInternals
  readonly #sendOf: SendOf
  readonly #store = new OperationStore()
  /** Results of compiling, kept as long as their documents. */
  readonly #compiled = new WeakMap<DocumentNode, Map<string | undefined, Compiled | undefined>>()

  constructor(parts: GatewayInternals, sendOf: SendOf) {
    this.#parts = parts
    this.#sendOf = sendOf
  }

  createExecutor(byApollo: GatewayExecutor): GatewayExecutor {
    return async requestContext => {
      const { request, document, source, queryHash } = requestContext
      const context = requestContext.context as GatewayContext
      if (context.executed) return asExecutionResult(await context.executed)
      const isKnown = document && this.#compiled.get(document)?.has(request.operationName)
      const compiled = document && this.compile(document, request.operationName)
      if (!compiled?.coerce(request.variables ?? {}).coerced) return byApollo(requestContext)
      if (context.facts) context.facts.execution = isKnown ? 'COMPILED' : 'PLANNED'
      if (source !== undefined) this.#store.add({ text: source, hash: queryHash, compiled })
      return asExecutionResult(await compiled.execute({ variables: request.variables, context }))
    }
  }

  createFastPath(options: FastPathOptions): FastPathOptions['byApollo'] {
    return createFastPath(this.#parts.schema, this.#store, options)
  }

  prepare(text: string, document: DocumentNode): void {
    const compiled = this.compile(document, undefined)
    const hash = createHash('sha256').update(text).digest('hex')
    if (compiled) this.#store.add({ text, hash, compiled })
  }

  mostUsed(count: number): string[] {
    return this.#store.mostUsed(count)
  }

  compileEvents(planned: PlannedOperation): ExecutePlan | undefined {
    return orUndefined(() => compilePlanned(planned, this.#parts.supergraphSchema))
  }

  /** Compiles an operation of a validated document once; undefined where only Apollo Gateway executes it. */
  compile(document: DocumentNode, operationName: string | undefined): Compiled | undefined {
    const ofDocument = this.#compiled.get(document) ?? new Map<string | undefined, Compiled | undefined>()
    if (ofDocument.has(operationName)) return ofDocument.get(operationName)
    const compiled = orUndefined(() => compile(this.#parts, this.#sendOf, document, operationName))
    this.#compiled.set(document, ofDocument.set(operationName, compiled))
    return compiled
  }
}

/** Makes the compiled operations of a supergraph. */
export const createOperations = (parts: GatewayInternals, sendOf: SendOf) => new Operations(parts, sendOf)
