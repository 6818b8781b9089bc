/**
 * Apollo Gateway, given what it would plan wrongly in another form. It plans every operation, and executes those that are
 * not compiled.
 */
import { createHash } from 'node:crypto'
import type { ApolloGateway } from '@apollo/gateway'
import { type DocumentNode, type GraphQLSchema, getOperationAST, getVariableValues, print } from 'graphql'
import { plannedNames } from '../operation/client-variables.ts'
import { type GatewayParts, partsOf } from '../third-party/apollo-internals.ts'
import { planConditionalChildren } from './conditional-children.ts'
import type { CompiledOperations, GatewayEngine, GatewayExecutor, SendOf, ServerGateway } from './engine.ts'
import { withPlannedRoots } from './mutation-roots.ts'

type GatewayRequest = Parameters<GatewayExecutor>[0]

export interface PlanningGateway extends ServerGateway {
  /** Planner and schemas of the supergraph, once it has loaded. */
  readonly parts: GatewayParts
  /** Compiled operations; undefined without an engine. */
  readonly operations: CompiledOperations | undefined
}

/** Whether Apollo Gateway would go on to plan a request; a refusal before that names the variables as they came. */
const fits = (
  schema: GraphQLSchema,
  document: DocumentNode,
  { operationName, variables }: GatewayRequest['request'],
) => {
  const operation = getOperationAST(document, operationName)
  return operation && getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {}).coerced
}

/** Renames the variables that a plan cannot have, and gives errors the client's names again. */
const withPlannedNames =
  (byApollo: GatewayExecutor, schema: () => GraphQLSchema): GatewayExecutor =>
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

/** Replaces a mutation that repeats root fields; its hash is another one too, since Apollo keeps plans by the hash. */
const withRoots =
  (byApollo: GatewayExecutor): GatewayExecutor =>
  requestContext => {
    const { document, request } = requestContext
    const planned = document && withPlannedRoots(document, request.operationName, request.variables)
    if (!planned) return byApollo(requestContext)
    const queryHash = createHash('sha256').update(print(planned)).digest('hex')
    return byApollo({ ...requestContext, document: planned, queryHash })
  }

export interface PlanningGatewayOptions {
  /** Engine by which operations are compiled; without one Apollo Gateway executes all of them. */
  readonly engine: GatewayEngine | undefined
  readonly sendOf: SendOf
}

/** Wraps a gateway, which is loaded through the wrapper. */
export function createPlanningGateway(
  gateway: ApolloGateway,
  { engine, sendOf }: PlanningGatewayOptions,
): PlanningGateway {
  let parts: GatewayParts | undefined
  let operations: CompiledOperations | undefined
  return {
    get parts() {
      return parts!
    },
    get operations() {
      return operations
    },
    onSchemaLoadOrUpdate: callback => gateway.onSchemaLoadOrUpdate(callback),
    async load(options) {
      const loaded = await gateway.load(options)
      const executor = withPlannedNames(withRoots(loaded.executor), () => parts!.schema)
      parts = partsOf(gateway)
      planConditionalChildren(parts.planner)
      operations = engine?.createOperations(parts, sendOf)
      return { executor: operations?.createExecutor(executor) ?? executor }
    },
    stop: () => gateway.stop(),
  }
}
