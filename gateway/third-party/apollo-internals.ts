/**
 * What of Apollo Gateway is used although it is not exported, as it is in version 2.14.4: compiled operations take its
 * own steps wherever they do not do better, so that both ways give the same. A test fails when a new version changes them.
 */
import type { Schema } from '@apollo/federation-internals'
import type { ApolloGateway, executeQueryPlan } from '@apollo/gateway'
import { applyRewrites, isObjectOfType } from '@apollo/gateway/dist/dataRewrites.js'
import { generateHydratedPaths } from '@apollo/gateway/dist/executeQueryPlan.js'
import { computeResponse } from '@apollo/gateway/dist/resultShaping.js'
import { deepMerge } from '@apollo/gateway/dist/utilities/deepMerge.js'
import type { QueryPlanner } from '@apollo/query-planner'
import type { GraphQLSchema } from 'graphql'

export { applyRewrites, computeResponse, deepMerge, generateHydratedPaths, isObjectOfType }

/** What a gateway has made of its supergraph. */
export interface GatewayParts {
  readonly planner: QueryPlanner
  /** What clients see, for the planner. */
  readonly api: Schema
  /** What clients see, for graphql-js. */
  readonly schema: GraphQLSchema
  readonly supergraphSchema: GraphQLSchema
  /** How the gateway plans. */
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

/** The parts of a gateway that has loaded: they are private, and building them again would take tens of megabytes. */
export const partsOf = (gateway: ApolloGateway): GatewayParts => {
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

type ExecutionResult = Awaited<ReturnType<typeof executeQueryPlan>>

/** Errors are whatever a fetch threw, as in Apollo Gateway itself, which declares otherwise. */
export const asExecutionResult = (result: object): ExecutionResult => result as ExecutionResult
