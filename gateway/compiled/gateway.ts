/**
 * Apollo Gateway with compiled operations: it plans, and executes what is not compiled. The first request of a text
 * comes here through Apollo Server, and so with all its checks behind it; what was compiled is stored for those that
 * follow.
 */
import type { ApolloGateway } from '@apollo/gateway'
import type { FetchNode } from '@apollo/query-planner'
import type { ApolloServerOptionsWithGateway } from '@apollo/server'
import type { GatewayContext } from '../operation/context.ts'
import { asExecutionResult, type GatewayParts, partsOf } from '../third-party/apollo-internals.ts'
import { type Compile, createCompiler } from './compiler.ts'
import type { Send } from './fetch.ts'
import { OperationStore } from './store.ts'

type OwnGateway = ApolloServerOptionsWithGateway<GatewayContext>['gateway']
type Executor = NonNullable<Awaited<ReturnType<OwnGateway['load']>>['executor']>

export interface CompiledGateway extends OwnGateway {
  /** What it has made of the supergraph, once it has loaded. */
  readonly parts: GatewayParts
  /** What later requests can begin with. */
  readonly store: OperationStore
  /** Compiles an operation that was validated; nothing is compiled where that is off. */
  readonly compile: Compile
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
      const { executor } = await gateway.load(options)
      parts = partsOf(gateway)
      if (!isOn) return { executor }
      compile = createCompiler(parts, sendOf)
      return { executor: createExecutor(executor, compile, store) }
    },
    stop: () => gateway.stop(),
  }
}
