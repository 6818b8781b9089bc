/**
 * Apollo Gateway with compiled operations: it plans, and executes what is not compiled. The first request of a text
 * comes here through Apollo Server, and so with all its checks behind it; what was compiled is stored for those that
 * follow.
 */
import { createHash } from 'node:crypto'
import type { ApolloGateway } from '@apollo/gateway'
import type { FetchNode } from '@apollo/query-planner'
import type { ApolloServerOptionsWithGateway } from '@apollo/server'
import { type DocumentNode, type GraphQLSchema, getOperationAST, getVariableValues, print } from 'graphql'
import { plannedNames } from '#gateway/operation/client-variables.ts'
import type { GatewayContext } from '#gateway/operation/context.ts'
import { asExecutionResult, type GatewayParts, partsOf } from '#gateway/third-party/apollo-internals.ts'
import { type Compile, createCompiler } from './compiler.ts'
import { planConditionalChildren } from './conditional-children.ts'
import type { Send } from './fetch.ts'
import { withPlannedRoots } from './mutation-roots.ts'
import { OperationStore } from './store.ts'

type OwnGateway = ApolloServerOptionsWithGateway<GatewayContext>['gateway']
type Executor = NonNullable<Awaited<ReturnType<OwnGateway['load']>>['executor']>
type Executed = Parameters<Executor>[0]

export interface CompiledGateway extends OwnGateway {
  /** What it has made of the supergraph, once it has loaded. */
  readonly parts: GatewayParts
  /** What later requests can begin with. */
  readonly store: OperationStore
  /** Compiles an operation that was validated; nothing is compiled where that is off. */
  readonly compile: Compile
}

/** Whether Apollo Gateway would go on to plan it; what it refuses before that it words by the operation as it came. */
const fits = (
  schema: GraphQLSchema,
  document: DocumentNode,
  { operationName, variables }: Executed['request'],
) => {
  const operation = getOperationAST(document, operationName)
  return operation && getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {}).coerced
}

/** Apollo's way, with names of variables that its plans have none of. */
const withPlannedNames =
  (byApollo: Executor, schema: () => GraphQLSchema): Executor =>
  async requestContext => {
    const { document, request } = requestContext
    const names = plannedNames(document)
    if (names.document === document || !fits(schema(), document, request)) return byApollo(requestContext)
    const variables = names.toPlanned(request.variables)
    const planned = { ...requestContext, document: names.document, request: { ...request, variables } }
    const result = await byApollo(planned)
    names.tellOwn(result.errors)
    return result
  }

/** Apollo's executor, which keeps plans by the hash. */
const withRoots =
  (byApollo: Executor): Executor =>
  requestContext => {
    const { document, request } = requestContext
    const planned = document && withPlannedRoots(document, request.operationName, request.variables)
    if (!planned) return byApollo(requestContext)
    const queryHash = createHash('sha256').update(print(planned)).digest('hex')
    return byApollo({ ...requestContext, document: planned, queryHash })
  }

const createExecutor = (byApollo: Executor, compile: Compile, store: OperationStore): Executor =>
  async function execute(requestContext) {
    const { request, document, source, queryHash } = requestContext
    const context = requestContext.context as GatewayContext
    if (context.executed) return asExecutionResult(await context.executed)
    const compiled = document && compile(document, request.operationName)
    if (!compiled?.coerce(request.variables)) return byApollo(requestContext)
    if (source !== undefined) store.add({ text: source, hash: queryHash, compiled })
    return asExecutionResult(await compiled.execute({ variables: request.variables, context }))
  }

export interface CompiledOptions {
  /** Otherwise all goes Apollo's way. */
  readonly isOn: boolean
  /** How a fetch of a plan is sent. */
  sendOf(node: FetchNode): Send
}

/** Wraps a gateway, which is loaded through the wrapper. */
export function createCompiledGateway(
  gateway: ApolloGateway,
  { isOn, sendOf }: CompiledOptions,
): CompiledGateway {
  const store = new OperationStore()
  let parts: GatewayParts | undefined
  let compile: Compile = () => undefined
  return {
    store,
    compile: (document, operationName) => compile(document, operationName),
    get parts() {
      return parts!
    },
    onSchemaLoadOrUpdate: callback => gateway.onSchemaLoadOrUpdate(callback),
    async load(options) {
      const loaded = await gateway.load(options)
      const executor = withPlannedNames(withRoots(loaded.executor), () => parts!.schema)
      parts = partsOf(gateway)
      planConditionalChildren(parts.planner)
      if (!isOn) return { executor }
      compile = createCompiler(parts, sendOf)
      return { executor: createExecutor(executor, compile, store) }
    },
    stop: () => gateway.stop(),
  }
}
