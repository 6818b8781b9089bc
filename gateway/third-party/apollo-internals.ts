/**
 * Internals of Apollo Gateway 2.14.4 in use, which it does not export: compiled operations take its own steps wherever these
 * are fast enough, so that both ways give the same result. A test fails when a new version changes them.
 */
import type { CompositeType, Operation, Schema, SelectionSet } from '@apollo/federation-internals'
import type { ApolloGateway, executeQueryPlan } from '@apollo/gateway'
import { applyRewrites, isObjectOfType } from '@apollo/gateway/dist/dataRewrites.js'
import { generateHydratedPaths } from '@apollo/gateway/dist/executeQueryPlan.js'
import { computeResponse } from '@apollo/gateway/dist/resultShaping.js'
import { deepMerge } from '@apollo/gateway/dist/utilities/deepMerge.js'
import type { QueryPlanner } from '@apollo/query-planner'
import type { GraphQLSchema } from 'graphql'

export { applyRewrites, computeResponse, deepMerge, generateHydratedPaths, isObjectOfType }

/** Planner and schemas of a loaded gateway. */
export interface GatewayInternals {
  readonly planner: QueryPlanner
  /** Schema that clients see, for the planner. */
  readonly api: Schema
  /** Schema that clients see, for graphql-js. */
  readonly schema: GraphQLSchema
  readonly supergraphSchema: GraphQLSchema
  /** Options of the planner. */
  readonly planning: PlanningOptions
}

type PlanningOptions = Pick<
  NonNullable<Parameters<QueryPlanner['buildQueryPlan']>[1]>,
  'recursiveSelectionsLimitDisabled' | 'nonLocalSelectionsLimitDisabled'
>

interface Private extends PlanningOptions {
  readonly queryPlanner: QueryPlanner
  readonly apiSchema: Schema
  readonly schema: GraphQLSchema
  readonly supergraphSchema: GraphQLSchema
}

/** Reads the private fields of a loaded gateway: building them again would take tens of megabytes. */
export const internalsOf = (gateway: ApolloGateway): GatewayInternals => {
  const own = gateway as unknown as Private
  const { recursiveSelectionsLimitDisabled, nonLocalSelectionsLimitDisabled } = own
  return {
    planner: own.queryPlanner,
    api: own.apiSchema,
    schema: own.schema,
    supergraphSchema: own.supergraphSchema,
    planning: { recursiveSelectionsLimitDisabled, nonLocalSelectionsLimitDisabled },
  }
}

interface ShapeOptions {
  readonly operation: Operation
  /** Type of the object. */
  readonly type: CompositeType
  readonly selectionSet: SelectionSet
  readonly variables: Readonly<Record<string, unknown>>
  readonly input: Record<string, unknown>
}

/** Shapes an object within a response as `computeResponse` shapes the response itself: it only knows objects of a root type. */
export function shapeFrom({ operation, type, selectionSet, variables, input }: ShapeOptions) {
  const schema = Object.create(operation.schema(), { schemaDefinition: { value: { rootType: () => type } } })
  const { data, errors } = computeResponse({
    operation: Object.create(operation, {
      schema: { value: () => schema },
      selectionSet: { value: selectionSet },
    }),
    variables,
    input,
    introspectionHandling: () => undefined,
  })
  return { data: (data ?? null) as Record<string, unknown> | null, errors }
}

type ExecutionResult = Awaited<ReturnType<typeof executeQueryPlan>>

/** Declares a result as Apollo Gateway does, although its errors are of any type that a fetch threw. */
export const asExecutionResult = (result: object): ExecutionResult => result as ExecutionResult
