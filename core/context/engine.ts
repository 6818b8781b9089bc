/**
 * Compiled execution as the rest of the program sees it. `engine/` provides it and `engine.ts` loads it; where it is
 * absent, graphql-js and Apollo Gateway execute every operation.
 */
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql'

/** Input of a compiled operation, as graphql-js names it. */
export interface ExecutionRequest {
  readonly variableValues?: Readonly<Record<string, unknown>> | null
  readonly contextValue: unknown
  readonly rootValue: unknown
}

/** Executes an operation; undefined, with nothing done yet, where graphql-js has to execute it. */
export type ExecuteCompiled = (
  request: ExecutionRequest,
) => ExecutionResult | PromiseLike<ExecutionResult> | undefined

/** Compiled operations of one schema's documents, kept as long as the documents. */
export interface CompiledDocuments {
  /** Compiles the operations of a validated document, as far as they can be compiled. */
  add(document: DocumentNode): void
  /** Approximate size of all that is kept of an added document, in bytes. */
  bytesOf(document: DocumentNode): number
  /** Finds the operation of this name, or the only one; undefined where graphql-js has to execute it. */
  find(document: DocumentNode, operationName?: string): ExecuteCompiled | undefined
}

/** Engine of a process. The gateway declares the part that it alone uses (`gateway/supergraph/engine.ts`). */
export interface Engine {
  /** Makes the store of compiled operations of a subgraph. */
  createDocuments(schema: GraphQLSchema): CompiledDocuments
}
