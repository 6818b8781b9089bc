/**
 * Compiled operations of one supergraph, by what Apollo Gateway made of it. The first request of a text comes here through
 * Apollo Server, and so with all its checks behind it; its compiled operation is kept for those that follow.
 */
import { createHash } from 'node:crypto'
import { operationFromDocument } from '@apollo/federation-internals'
import { buildOperationContext } from '@apollo/gateway'
import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import { mapStream } from '#core/async/stream.ts'
import { hasDefer, withoutDefer } from '#gateway/deferral/directive.ts'
import type { LaterPart } from '#gateway/deferral/parts.ts'
import type { GatewayContext } from '#gateway/operation/context.ts'
import { type PlannedNames, plannedNames } from '#gateway/operation/rewrites.ts'
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
import { type CoercedVariables, compileVariables } from '../subgraph/arguments.ts'
import { NotCompiled } from '../subgraph/compile.ts'
import { createIsCommon, type IsCommon } from './common-fields.ts'
import { withoutFetch } from './defer-plan.ts'
import { deferVariables, variantOf } from './defer-variant.ts'
import { type Compiled, createFastPath, OperationStore } from './fast-path.ts'
import { compilePlanned } from './operation.ts'
import { compileParts, type ExecuteParts } from './parts.ts'
import { shapingVariables } from './plan-checks.ts'

/** Plans and compiles an operation of a validated document. */
const compile = (
  parts: GatewayInternals,
  sendOf: SendOf,
  document: DocumentNode,
  operationName: string | undefined,
): Compiled => {
  const { api, schema, planner, supergraphSchema, planning } = parts
  const names = plannedNames(withoutDefer(document))
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
  const execute = names.document === withoutDefer(document) ? run : renamed
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

/**
 * Plans and compiles an operation in parts. A fragment for which nothing is fetched comes with its parent; `undefined` where that
 * leaves none, or where there are too many.
 */
const compileInParts = (
  { api, schema, planner, supergraphSchema, planning }: GatewayInternals,
  { sendOf, isCommon }: { sendOf: SendOf; isCommon: IsCommon },
  { document, operation: own }: Pick<Compiled, 'document' | 'operation'>,
  coerced: CoercedVariables,
): ExecuteParts | undefined => {
  const names = plannedNames(document)
  const named = names.document.definitions[document.definitions.indexOf(own)] as OperationDefinitionNode
  const variables = names.toPlanned(coerced)
  const without = new Set<string>()
  for (;;) {
    const variant = variantOf(schema, names.document, named, { variables, without, isCommon })
    if (!variant) return undefined
    const { deferrals } = variant
    const { node } = planner.buildQueryPlan(operationFromDocument(api, variant.toPlan), planning)
    if (node?.kind !== 'Defer') return undefined
    const needless = withoutFetch(node, deferrals.keys())
    if (needless.length === 0) {
      const operationContext = buildOperationContext({ schema, operationDocument: variant.document })
      shapingVariables(operationContext)
      const operation = operationFromDocument(api, variant.document)
      const planned = { operation, operationContext, node, deferrals, sendOf, supergraphSchema }
      return withNames(compileParts(planned), names)
    }
    for (const id of needless) without.add(id)
  }
}

/** Gives errors the client's names of variables again. */
const withNames = (run: ExecuteParts, names: PlannedNames): ExecuteParts => {
  const restore = (part: LaterPart<unknown>) => {
    for (const { errors } of part.incremental) names.restoreNames(errors)
    return part
  }
  return async input => {
    const { first, rest } = await run({ ...input, variables: names.toPlanned(input.variables) })
    names.restoreNames(first.errors)
    return { first, rest: rest && mapStream(rest, async part => restore(part)) }
  }
}

class Operations implements CompiledOperations {
  readonly #parts: GatewayInternals
  readonly #sendOf: SendOf
  readonly #isCommon: IsCommon
  readonly #store = new OperationStore()
  /** Results of compiling, kept as long as their documents. */
  readonly #compiled = new WeakMap<DocumentNode, Map<string | undefined, Compiled | undefined>>()
  /** Operations in parts, by the variables that switch their fragments. */
  readonly #inParts = new WeakMap<Compiled, Map<string, ExecuteParts | undefined>>()

  constructor(parts: GatewayInternals, sendOf: SendOf) {
    this.#parts = parts
    this.#sendOf = sendOf
    this.#isCommon = createIsCommon(parts.supergraphSchema, parts.schema)
  }

  createExecutor(byApollo: GatewayExecutor): GatewayExecutor {
    return async requestContext => {
      const { request, document, source, queryHash } = requestContext
      const context = requestContext.context as GatewayContext
      if (context.executed) return asExecutionResult(await context.executed)
      const isKnown = document && this.#compiled.get(document)?.has(request.operationName)
      const compiled = document && this.compile(document, request.operationName)
      const coerced = compiled?.coerce(request.variables ?? {}).coerced
      if (!compiled || !coerced) return byApollo(requestContext)
      if (context.facts) context.facts.execution = isKnown ? 'COMPILED' : 'PLANNED'
      if (hasDefer(document)) return this.#executeDeferring(compiled, coerced, requestContext)
      if (source !== undefined) this.#store.add({ text: source, hash: queryHash, compiled })
      return asExecutionResult(await compiled.execute({ variables: request.variables, context }))
    }
  }

  /** Executes an operation with `@defer`: in parts for a client that takes them, else whole. */
  async #executeDeferring(
    compiled: Compiled,
    coerced: CoercedVariables,
    { request: { variables }, context: given }: Parameters<GatewayExecutor>[0],
  ) {
    const context = given as GatewayContext
    const { delivery } = context
    const execute = delivery && this.#partsOf(compiled, coerced)
    if (!execute) return asExecutionResult(await compiled.execute({ variables, context }))
    const { first, rest } = await execute({ variables, context })
    if (rest) delivery.parts = { document: compiled.document, stream: rest }
    return asExecutionResult(first)
  }

  /** Compiles an operation in parts, once for each combination of the variables that switch them. */
  #partsOf(compiled: Compiled, coerced: CoercedVariables): ExecuteParts | undefined {
    const switches = deferVariables(compiled.document)
    if (!switches) return undefined
    const known = this.#inParts.get(compiled) ?? new Map<string, ExecuteParts | undefined>()
    this.#inParts.set(compiled, known)
    const key = switches.map(name => (coerced[name] === true ? '1' : '0')).join('')
    const knowing = { sendOf: this.#sendOf, isCommon: this.#isCommon }
    if (!known.has(key))
      known.set(
        key,
        orUndefined(() => compileInParts(this.#parts, knowing, compiled, coerced)),
      )
    return known.get(key)
  }

  createFastPath(options: FastPathOptions): FastPathOptions['byApollo'] {
    return createFastPath(this.#parts.schema, this.#store, options)
  }

  prepare(text: string, document: DocumentNode): void {
    const compiled = this.compile(document, undefined)
    const hash = createHash('sha256').update(text).digest('hex')
    if (compiled && !hasDefer(document)) this.#store.add({ text, hash, compiled })
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
