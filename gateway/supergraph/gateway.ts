/**
 * Apollo Gateway with corrections of what it would plan wrongly. It plans every operation, and executes those that are
 * not compiled.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ApolloGateway } from '@apollo/gateway'
import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  isScalarType,
  print,
  valueFromASTUntyped,
} from 'graphql'
import { keepFile, keptFile } from '#core/config/project-files.ts'
import type { App } from '#core/context/app.ts'
import { teachEnums } from '#core/contract/subgraph-schema.ts'
import { createScalars, type Locale } from '#core/graph/scalars.ts'
import { type Tracing, tracing } from '#core/observability/tracing.ts'
import { teachDefer, withoutDefer } from '../deferral/directive.ts'
import { timePlanning } from '../operation/explain.ts'
import { plannedNames } from '../operation/rewrites.ts'
import { toDataSource } from '../third-party/apollo-gateway.ts'
import { type GatewayInternals, internalsOf } from '../third-party/apollo-internals.ts'
import type { SubgraphSource } from '../transport/transport.ts'
import type { CompiledOperations, GatewayEngine, GatewayExecutor, SendOf, ServerGateway } from './engine.ts'
import { planConditionalChildren, withPlannedRoots } from './planner-corrections.ts'

type GatewayRequest = Parameters<GatewayExecutor>[0]

export interface PlanningGateway extends ServerGateway {
  /** Planner and schemas of the supergraph, once it has loaded. */
  readonly parts: GatewayInternals
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

const hashOf = (document: DocumentNode): string => createHash('sha256').update(print(document)).digest('hex')

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
    names.restoreNames(result.errors)
    return result
  }

/** Executes operations without `@defer`, which Apollo Gateway cannot; their hash is another one, since it keeps plans by the hash. */
const whole =
  (byApollo: GatewayExecutor): GatewayExecutor =>
  requestContext => {
    const document = withoutDefer(requestContext.document)
    if (document === requestContext.document) return byApollo(requestContext)
    return byApollo({ ...requestContext, document, queryHash: hashOf(document) })
  }

/** Replaces a mutation that repeats root fields; its hash is another one too, since Apollo keeps plans by the hash. */
const withRoots =
  (byApollo: GatewayExecutor): GatewayExecutor =>
  requestContext => {
    const { document, request } = requestContext
    const planned = document && withPlannedRoots(document, request.operationName, request.variables)
    if (!planned) return byApollo(requestContext)
    return byApollo({ ...requestContext, document: planned, queryHash: hashOf(planned) })
  }

export interface ApolloGatewayOptions extends PlanningGatewayOptions {
  readonly app: App
  readonly supergraphSdl: string
  /** Finds the source of a subgraph. @throws Error for one that is not known. */
  sourceOf(name: string, url?: string): SubgraphSource
}

/** Settings of the planner, which plans `@defer` for our own executor. */
export const PLANNER = { incrementalDelivery: { enableDefer: true } }

/** Makes the gateway of a supergraph, which Apollo Server loads. */
export const createGateway = ({
  app,
  supergraphSdl,
  sourceOf,
  engine,
  sendOf,
}: ApolloGatewayOptions): PlanningGateway => {
  const gateway = new ApolloGateway({
    supergraphSdl,
    validateSupergraph: !isKnownValid(supergraphSdl),
    buildService: ({ name, url }) => toDataSource(sourceOf(name, url)),
    __exposeQueryPlanExperimental: false,
    queryPlannerConfig: PLANNER,
    logger: app.log,
  })
  gateway.onSchemaLoadOrUpdate(({ apiSchema }) => void teachDefer(teachScalars(apiSchema, app.config)))
  return createPlanningGateway(gateway, { engine, sendOf })
}

/** Has each planning of an operation recorded as a part of the request that needs the plan. */
function tracePlanning(traces: Tracing, planner: GatewayInternals['planner']): void {
  const build = planner.buildQueryPlan.bind(planner)
  planner.buildQueryPlan = (operation, options) => {
    const span = traces.part('plan', {
      attributes: { 'graphql.operation.type': operation.rootKind, 'graphql.operation.name': operation.name },
    })
    try {
      return build(operation, options)
    } catch (error) {
      span?.fail((error as Error).name)
      throw error
    } finally {
      span?.end()
    }
  }
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
  let parts: GatewayInternals | undefined
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
      const executor = whole(withPlannedNames(withRoots(loaded.executor), () => parts!.schema))
      parts = internalsOf(gateway)
      planConditionalChildren(parts.planner)
      timePlanning(parts.planner)
      if (tracing) tracePlanning(tracing, parts.planner)
      operations = engine?.createOperations(parts, sendOf)
      return { executor: operations?.createExecutor(executor) ?? executor }
    },
    stop: () => gateway.stop(),
  }
}

/**
 * Teaches a schema to refuse the values that subgraphs would refuse, with their messages: it has scalars by their names
 * alone, and takes any value. Values keep the form that they have on the wire, since subgraphs parse them again.
 */
export const teachScalars = (schema: GraphQLSchema, locale: Locale): GraphQLSchema => {
  for (const [name, scalar] of Object.entries(createScalars(locale))) {
    const type = schema.getType(name)
    if (!isScalarType(type)) continue
    type.parseValue = value => {
      scalar.parseValue(value)
      return value
    }
    type.parseLiteral = (node, variables) => {
      scalar.parseLiteral(node, variables)
      return valueFromASTUntyped(node, variables)
    }
  }
  return teachEnums(schema)
}

/** Version of Apollo Gateway: another one may refuse the same supergraph. */
const { version } = createRequire(import.meta.url)('@apollo/gateway/package.json') as { version: string }

/** File that marks a supergraph as valid, named by its text. */
export const validityFile = (supergraphSdl: string): string =>
  keptFile(`valid-${createHash('sha256').update(version).update(supergraphSdl).digest('hex').slice(0, 32)}`)

/** Whether Apollo Gateway found a supergraph valid before: validating it again would take as long as loading it. */
const isKnownValid = (supergraphSdl: string): boolean => existsSync(validityFile(supergraphSdl))

/** Records that a supergraph was loaded. */
export function recordValid(supergraphSdl: string): void {
  if (!isKnownValid(supergraphSdl)) keepFile(validityFile(supergraphSdl), '')
}
